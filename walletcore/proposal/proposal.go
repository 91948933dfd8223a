package proposal

import (
	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// Proposal is operations that wait for approvals.
type Proposal struct {
	ledger.Proposal
	Operations []txbuild.Review   // each as a review describes it
	Needs      []Need             // the authorities that they need
	Give       Approvals          // what keys of this wallet can add, no more than needed
	Take       Approvals          // what was given and keys of this wallet can take back
	Enough     bool               // the approvals are enough
	Then       bool               // they will be once Give is added
	Lacks      []txbuild.Outgoing // where Then is set, what accounts would lose and do not have now
}

// The roles of an authority.
const (
	active = "active"
	owner  = "owner"
)

// Need is an authority that the operations need.
type Need struct {
	Account   ledgerview.AccountRef
	Role      string // active or owner
	Met       bool
	Threshold uint32
	Weight    uint64 // of those who approved
	Then      uint64 // the weight once Give is added
	Parties   []Party
}

// Party is an account or a key in an authority.
type Party struct {
	Account  ledgerview.AccountRef
	Key      ledger.PublicKey // if it is not an account
	IsKey    bool
	Weight   uint16
	Approved bool
	Yours    bool    // keys of this wallet can approve for it
	Members  []Party // who acts for the account
}

// Approvals are accounts and keys that approve.
type Approvals struct{ ledger.Approvals }

// Adds returns the change of a proposal that adds these approvals.
func (a Approvals) Adds() txbuild.ApprovalDelta {
	return txbuild.ApprovalDelta{ActiveAdd: idTexts(a.Active), OwnerAdd: idTexts(a.Owner), KeyAdd: a.Keys}
}

// Removes returns the change of a proposal that takes these approvals back.
func (a Approvals) Removes() txbuild.ApprovalDelta {
	return txbuild.ApprovalDelta{ActiveRemove: idTexts(a.Active), OwnerRemove: idTexts(a.Owner), KeyRemove: a.Keys}
}

func idTexts(ids []ledger.AccountID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

// Status is whom a proposal is waiting for.
type Status int

// The statuses.
const (
	ForYou    Status = iota // for an approval that keys of this wallet can give
	ForReview               // for the end of its review period, in which it takes no more approvals
	ForOthers
)

// Status returns whom the proposal is waiting for at now.
func (p *Proposal) Status(now ledger.Time) Status {
	switch {
	case p.Enough || p.Closed(now):
		return ForReview
	case !p.Give.Empty():
		return ForYou
	}
	return ForOthers
}

// Closed reports whether the proposal takes no more approvals at now.
func (p *Proposal) Closed(now ledger.Time) bool {
	return p.ReviewPeriodTime != nil && now >= *p.ReviewPeriodTime
}

// First returns the need that a list shows: the first that is not met.
func (p *Proposal) First() Need {
	for _, n := range p.Needs {
		if !n.Met {
			return n
		}
	}
	if len(p.Needs) == 0 {
		return Need{Met: true}
	}
	return p.Needs[0]
}
