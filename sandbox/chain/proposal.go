package chain

import (
	"cmp"
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// Proposal is the object 1.6.N: operations that wait for approvals. With a
// review period nothing happens before the expiration, and from
// ReviewPeriodTime on nobody can approve any more.
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

// Proposal gives 1.6.N, or nil when there is none any more.
func (s *State) Proposal(id ledger.ProposalID) *Proposal { return s.proposals.get(uint64(id)) }

// ProposalsOf gives the open proposals, by id, that need the account's approval
// or have its active approval.
func (s *State) ProposalsOf(id ledger.AccountID) []*Proposal {
	return s.openProposals(func(p *Proposal) bool {
		return p.needs(id) || slices.Contains(p.AvailableActiveApprovals, id)
	})
}

// ProposalsNeeding gives the open proposals, by id, that need the account's approval.
func (s *State) ProposalsNeeding(id ledger.AccountID) []*Proposal {
	return s.openProposals(func(p *Proposal) bool { return p.needs(id) })
}

func (p *Proposal) needs(id ledger.AccountID) bool {
	return slices.Contains(p.RequiredActiveApprovals, id) || slices.Contains(p.RequiredOwnerApprovals, id)
}

func (s *State) openProposals(wanted func(*Proposal) bool) []*Proposal {
	found := []*Proposal{}
	for _, id := range s.expiring {
		if p := s.Proposal(id); wanted(p) {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b *Proposal) int { return cmp.Compare(a.ID, b.ID) })
	return found
}

// openProposal gives the proposal, or the fault that there is none.
func (s *State) openProposal(id ledger.ProposalID) (*Proposal, *nodeerr.Fault) {
	if p := s.Proposal(id); p != nil {
		return p, nil
	}
	return nil, nodeerr.NotFound(id.Object())
}

// addProposal inserts a proposal under the next id.
func (s *State) addProposal(p Proposal) ledger.ProposalID {
	p.ID = ledger.ProposalID(s.proposals.next())
	s.proposals.insert(&p)
	at, _ := slices.BinarySearchFunc(s.expiring, &p, s.byExpiration)
	s.setExpiring(slices.Insert(slices.Clone(s.expiring), at, p.ID))
	return p.ID
}

func (s *State) removeProposal(p *Proposal) {
	at, _ := slices.BinarySearchFunc(s.expiring, p, s.byExpiration)
	s.setExpiring(slices.Delete(slices.Clone(s.expiring), at, at+1))
	s.proposals.remove(uint64(p.ID))
}

func (s *State) byExpiration(id ledger.ProposalID, p *Proposal) int {
	return cmp.Or(cmp.Compare(s.Proposal(id).ExpirationTime, p.ExpirationTime), cmp.Compare(id, p.ID))
}

func (s *State) setExpiring(list []ledger.ProposalID) {
	old := s.expiring
	s.expiring = list
	s.j.add(func() { s.expiring = old })
}
