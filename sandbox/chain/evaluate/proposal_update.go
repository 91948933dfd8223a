package evaluate

import (
	"cmp"
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// findProposal returns the open proposal, or a fault if there is none.
func findProposal(e *Engine, id ledger.ProposalID) (*state.Proposal, *nodeerr.Fault) {
	if p := e.Proposals.Get(id); p != nil {
		return p, nil
	}
	return nil, nodeerr.NotFound(id.Object())
}

func evaluateProposalUpdate(e *Engine, op *ledger.ProposalUpdateOp) *nodeerr.Fault {
	p, fault := findProposal(e, op.Proposal)
	if fault != nil {
		return fault
	}
	adds := len(op.ActiveApprovalsToAdd)+len(op.OwnerApprovalsToAdd) > 0
	if p.ReviewPeriodTime != nil && e.HeadTime() >= *p.ReviewPeriodTime && adds {
		return refuse(
			"o.active_approvals_to_add.empty() && o.owner_approvals_to_add.empty(): This proposal is in its review period. No new "+
				"approvals may be added.", nil)
	}
	if fault := verifyAvailable("available_active_approvals", p.AvailableActiveApprovals, op.ActiveApprovalsToRemove); fault != nil {
		return fault
	}
	return verifyAvailable("available_owner_approvals", p.AvailableOwnerApprovals, op.OwnerApprovalsToRemove)
}

func verifyAvailable(name string, available, removed []ledger.AccountID) *nodeerr.Fault {
	for _, id := range removed {
		if !slices.Contains(available, id) {
			return refuse("_proposal->"+name+".find(id) != _proposal->"+name+".end(): ${id} has not approved",
				nodeerr.Data{"id": id, "available": available})
		}
	}
	return nil
}

// applyProposalUpdate records the approvals, and executes the proposal if they are
// enough and it has no review period. If that fails, the approvals stay, and the
// execution is tried again at the expiration.
func applyProposalUpdate(e *Engine, op *ledger.ProposalUpdateOp) (ledger.OperationResult, *nodeerr.Fault) {
	e.Proposals.Change(op.Proposal, func(p *state.Proposal) {
		p.AvailableActiveApprovals = approvals(p.AvailableActiveApprovals, op.ActiveApprovalsToAdd, op.ActiveApprovalsToRemove, cmp.Compare)
		p.AvailableOwnerApprovals = approvals(p.AvailableOwnerApprovals, op.OwnerApprovalsToAdd, op.OwnerApprovalsToRemove, cmp.Compare)
		p.AvailableKeyApprovals = approvals(p.AvailableKeyApprovals, op.KeyApprovalsToAdd, op.KeyApprovalsToRemove,
			ledger.ComparePublicKeys)
	})
	if p := e.Proposals.Get(op.Proposal); p.ReviewPeriodTime == nil && approved(e, p) {
		_ = execute(e, p)
	}
	return voidResult(), nil
}

// approvals returns a new set with the changes, in the given order.
func approvals[T comparable](have, add, remove []T, order func(a, b T) int) []T {
	all := slices.Concat(have, add)
	slices.SortFunc(all, order)
	return slices.DeleteFunc(slices.Compact(all), func(v T) bool { return slices.Contains(remove, v) })
}

func evaluateProposalDelete(e *Engine, op *ledger.ProposalDeleteOp) *nodeerr.Fault {
	p, fault := findProposal(e, op.Proposal)
	if fault != nil {
		return fault
	}
	required := p.RequiredActiveApprovals
	if op.UsingOwnerAuthority {
		required = p.RequiredOwnerApprovals
	}
	if slices.Contains(required, op.FeePayingAccount) {
		return nil
	}
	return refuse(
		"required_approvals->find(o.fee_paying_account) != required_approvals->end(): Provided authority is not authoritative for "+
			"this proposal.",
		nodeerr.Data{"provided": op.FeePayingAccount, "required": required})
}

func applyProposalDelete(e *Engine, op *ledger.ProposalDeleteOp) (ledger.OperationResult, *nodeerr.Fault) {
	e.Proposals.Remove(e.Proposals.Get(op.Proposal))
	return voidResult(), nil
}
