package chain

import "billfold/sandbox/chain/nodeerr"

// approved tells whether the approvals satisfy everything that the proposed
// operations need. A key that approved without need spoils it, as an unneeded
// signature does.
func (s *State) approved(p *Proposal) bool {
	need := requiredBy(p.ProposedTransaction.Operations)
	if s.missingPayer(need) != nil {
		return false
	}
	g := s.signersWith(p.AvailableKeyApprovals)
	for _, id := range p.AvailableActiveApprovals {
		g.approved[id] = true
	}
	for _, id := range p.AvailableOwnerApprovals {
		g.approved[id], g.owners[id] = true, true
	}
	return g.check(need) == nil && !g.unused()
}

// carryOut applies the proposed operations and removes the proposal. When one
// fails, everything is as before.
func (s *State) carryOut(p *Proposal) *nodeerr.Fault {
	mark, noted, proposed := s.j.mark(), len(s.happened), s.proposed
	s.proposed = true
	defer func() { s.proposed = proposed }()
	for _, op := range p.ProposedTransaction.Operations {
		if _, fault := s.applyOperation(op); fault != nil {
			s.j.rewind(mark)
			s.happened = s.happened[:noted]
			return fault.In("push_proposal", "", nodeerr.Data{"proposal": p})
		}
	}
	if left := s.Proposal(p.ID); left != nil {
		s.removeProposal(left)
	}
	return nil
}

// expireProposals carries out what is approved at its expiration, and removes
// the rest.
func (s *State) expireProposals() {
	for len(s.expiring) > 0 {
		p := s.Proposal(s.expiring[0])
		if p.ExpirationTime > s.HeadTime() {
			return
		}
		if !s.approved(p) || s.carryOut(p) != nil {
			s.removeProposal(p)
		}
	}
}
