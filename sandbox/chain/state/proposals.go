package state

import (
	"cmp"
	"slices"

	"billfold/ledger"
)

// Proposal is the object 1.6.N: operations that wait for approvals. With a review
// period it is not executed before its expiration, and from ReviewPeriodTime on no
// approvals can be added.
type Proposal struct {
	ID                       ledger.ProposalID  `json:"id"`
	ExpirationTime           ledger.Time        `json:"expiration_time"`
	ReviewPeriodTime         *ledger.Time       `json:"review_period_time,omitempty"`
	ProposedTransaction      ledger.Transaction `json:"proposed_transaction"`
	RequiredActiveApprovals  []ledger.AccountID `json:"required_active_approvals"`
	AvailableActiveApprovals []ledger.AccountID `json:"available_active_approvals"`
	RequiredOwnerApprovals   []ledger.AccountID `json:"required_owner_approvals"`
	AvailableOwnerApprovals  []ledger.AccountID `json:"available_owner_approvals"`
	AvailableKeyApprovals    []ledger.PublicKey `json:"available_key_approvals"`
}

func (p *Proposal) needs(id ledger.AccountID) bool {
	return slices.Contains(p.RequiredActiveApprovals, id) || slices.Contains(p.RequiredOwnerApprovals, id)
}

// Proposals are the objects 1.6.N.
type Proposals struct {
	table[ledger.ProposalID, Proposal]
	open cell[[]ledger.ProposalID] // in order of expiration
}

// Of returns the open proposals, in order of ids, that need the account's approval
// or have its active approval.
func (p *Proposals) Of(id ledger.AccountID) []*Proposal {
	return p.where(func(row *Proposal) bool {
		return row.needs(id) || slices.Contains(row.AvailableActiveApprovals, id)
	})
}

// Needing returns the open proposals, in order of ids, that need the account's approval.
func (p *Proposals) Needing(id ledger.AccountID) []*Proposal {
	return p.where(func(row *Proposal) bool { return row.needs(id) })
}

func (p *Proposals) where(wanted func(*Proposal) bool) []*Proposal {
	found := []*Proposal{}
	for _, id := range p.open.value {
		if row := p.Get(id); wanted(row) {
			found = append(found, row)
		}
	}
	slices.SortFunc(found, func(a, b *Proposal) int { return cmp.Compare(a.ID, b.ID) })
	return found
}

// First returns the open proposal that expires first, or nil.
func (p *Proposals) First() *Proposal {
	if len(p.open.value) == 0 {
		return nil
	}
	return p.Get(p.open.value[0])
}

// Add inserts a proposal under the next id.
func (p *Proposals) Add(proposal Proposal) ledger.ProposalID {
	proposal.ID = p.Next()
	p.insert(&proposal)
	at, _ := slices.BinarySearchFunc(p.open.value, &proposal, p.byExpiration)
	p.open.set(slices.Insert(slices.Clone(p.open.value), at, proposal.ID))
	return proposal.ID
}

// Remove closes a proposal.
func (p *Proposals) Remove(proposal *Proposal) {
	at, _ := slices.BinarySearchFunc(p.open.value, proposal, p.byExpiration)
	p.open.set(slices.Delete(slices.Clone(p.open.value), at, at+1))
	p.remove(proposal.ID)
}

func (p *Proposals) byExpiration(id ledger.ProposalID, other *Proposal) int {
	return cmp.Or(cmp.Compare(p.Get(id).ExpirationTime, other.ExpirationTime), cmp.Compare(id, other.ID))
}
