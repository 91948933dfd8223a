package evaluate

import (
	"billfold/sandbox/chain/authority"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// approved reports whether the approvals satisfy everything that the proposed
// operations need.
func approved(e *Engine, p *state.Proposal) bool {
	approvals := authority.Approvals{
		Keys: p.AvailableKeyApprovals, Active: p.AvailableActiveApprovals, Owner: p.AvailableOwnerApprovals,
	}
	return approvals.Suffice(authorities(e.State), required(p.ProposedTransaction.Operations...))
}

// carryOut applies the proposed operations and removes the proposal. When one
// fails, everything is as before.
func carryOut(e *Engine, p *state.Proposal) *nodeerr.Fault {
	mark, noted, proposed := e.Mark(), len(e.applied), e.proposed
	e.proposed = true
	defer func() { e.proposed = proposed }()
	for _, op := range p.ProposedTransaction.Operations {
		if _, fault := e.applyOperation(op); fault != nil {
			e.Rewind(mark)
			e.applied = e.applied[:noted]
			return fault.In("push_proposal", "", nodeerr.Data{"proposal": p})
		}
	}
	if left := e.Proposals.Get(p.ID); left != nil {
		e.Proposals.Remove(left)
	}
	return nil
}

// ExpireProposals carries out what is approved at its expiration, and removes
// the rest.
func ExpireProposals(e *Engine) {
	for p := e.Proposals.First(); p != nil && p.ExpirationTime <= e.HeadTime(); p = e.Proposals.First() {
		if !approved(e, p) || carryOut(e, p) != nil {
			e.Proposals.Remove(p)
		}
	}
}
