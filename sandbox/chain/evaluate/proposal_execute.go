package evaluate

import (
	"billfold/sandbox/chain/authority"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// approved reports whether the approvals satisfy all authorities that the proposed
// operations need.
func approved(e *Engine, p *state.Proposal) bool {
	approvals := authority.Approvals{
		Keys: p.AvailableKeyApprovals, Active: p.AvailableActiveApprovals, Owner: p.AvailableOwnerApprovals,
	}
	return approvals.Suffice(authorities(e.State), required(p.ProposedTransaction.Operations...))
}

// execute applies the proposed operations and removes the proposal. If one fails,
// nothing is changed.
func execute(e *Engine, p *state.Proposal) *nodeerr.Fault {
	mark, applied, proposed := e.Mark(), len(e.applied), e.proposed
	e.proposed = true
	defer func() { e.proposed = proposed }()
	for _, op := range p.ProposedTransaction.Operations {
		if _, fault := e.applyOperation(op); fault != nil {
			e.Rewind(mark)
			e.applied = e.applied[:applied]
			return fault.In("push_proposal", "", nodeerr.Data{"proposal": p})
		}
	}
	if left := e.Proposals.Get(p.ID); left != nil {
		e.Proposals.Remove(left)
	}
	return nil
}

// ExpireProposals executes the expired proposals that are approved, and removes the
// others.
func ExpireProposals(e *Engine) {
	for p := e.Proposals.First(); p != nil && p.ExpirationTime <= e.HeadTime(); p = e.Proposals.First() {
		if !approved(e, p) || execute(e, p) != nil {
			e.Proposals.Remove(p)
		}
	}
}
