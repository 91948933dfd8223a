package evaluate

import (
	"cmp"
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/authority"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// proposalRules need all rules, because proposed operations must follow them.
func proposalRules(all *Rules) []registration {
	return []registration{
		operationRule[*ledger.ProposalCreateOp]{
			validate: all.validateProposed, evaluate: evaluateProposalCreate, apply: applyProposalCreate,
		},
		operationRule[*ledger.ProposalUpdateOp]{
			validate: stateless[*ledger.ProposalUpdateOp], evaluate: evaluateProposalUpdate, apply: applyProposalUpdate,
		},
		operationRule[*ledger.ProposalDeleteOp]{evaluate: evaluateProposalDelete, apply: applyProposalDelete},
	}
}

func proposedOps(op *ledger.ProposalCreateOp) []ledger.Operation {
	ops := make([]ledger.Operation, len(op.ProposedOps))
	for i := range ops {
		ops[i] = op.ProposedOps[i].Op
	}
	return ops
}

// validateProposed validates the proposed operations as if they were in a
// transaction.
func (r *Rules) validateProposed(op *ledger.ProposalCreateOp) *nodeerr.Error {
	if len(op.ProposedOps) == 0 {
		return invalid("!proposed_ops.empty(): nothing is proposed", nil)
	}
	for _, proposed := range proposedOps(op) {
		if fault := r.validateOne(proposed); fault != nil {
			return fault
		}
	}
	return nil
}

func evaluateProposalCreate(e *Engine, op *ledger.ProposalCreateOp) *nodeerr.Error {
	now, params := e.HeadTime(), e.Parameters()
	left := int64(op.ExpirationTime) - int64(now)
	ops := proposedOps(op)
	fault := demand("do_evaluate",
		condition{left > 0, "o.expiration_time > d.head_block_time(): Proposal has already expired on creation.", nil},
		condition{
			left <= int64(params.MaximumProposalLifetime),
			"o.expiration_time <= d.head_block_time() + global_parameters.maximum_proposal_lifetime: Proposal expiration time is " +
				"too far in the future.", nil,
		},
		condition{
			op.ReviewPeriodSeconds == nil || int64(*op.ReviewPeriodSeconds) < left,
			"!o.review_period_seconds || fc::seconds(*o.review_period_seconds) < (o.expiration_time - d.head_block_time()): " +
				"Proposal review period must be less than its overall lifetime.", nil,
		},
		condition{!slices.ContainsFunc(ops, isApproval), "other.size() == 0: an approval cannot be proposed", nil},
	)
	if fault != nil || !slices.Contains(required(ops...).Accounts(), ledger.MinerAccount) {
		return fault
	}
	return verifyReview(op.ReviewPeriodSeconds, params.MinerProposalReviewPeriod)
}

func isApproval(op ledger.Operation) bool {
	_, ok := op.Body.(*ledger.ProposalUpdateOp)
	return ok
}

// verifyReview requires a review period for what 1.2.0 is to do.
func verifyReview(given *uint32, least uint32) *nodeerr.Error {
	switch {
	case given == nil:
		return nodeerr.New(nodeerr.CodeReviewMissing, "do_evaluate",
			"o.review_period_seconds.valid(): Review period not given, but at least ${min} required",
			nodeerr.Data{"min": least})
	case *given < least:
		return nodeerr.New(nodeerr.CodeReviewShort, "do_evaluate",
			"*o.review_period_seconds >= global_parameters.miner_proposal_review_period: Review period of ${t} specified, but at "+
				"least ${min} required",
			nodeerr.Data{"t": *given, "min": least})
	}
	return nil
}

func applyProposalCreate(e *Engine, op *ledger.ProposalCreateOp) (ledger.OperationResult, *nodeerr.Error) {
	ops := proposedOps(op)
	need := required(ops...)
	p := state.Proposal{
		ExpirationTime:         op.ExpirationTime,
		ProposedTransaction:    ledger.Transaction{Expiration: op.ExpirationTime, Operations: ops},
		RequiredOwnerApprovals: need.Owner,
	}
	// An account that must approve as owner need not approve as active too.
	p.RequiredActiveApprovals = slices.DeleteFunc(need.Active, func(id ledger.AccountID) bool { return slices.Contains(need.Owner, id) })
	if op.ReviewPeriodSeconds != nil {
		review := op.ExpirationTime - ledger.Time(*op.ReviewPeriodSeconds)
		p.ReviewPeriodTime = &review
	}
	return objectResult(e.Proposals.Add(p).Object()), nil
}

// findProposal returns the open proposal, or a fault if there is none.
func findProposal(e *Engine, id ledger.ProposalID) (*state.Proposal, *nodeerr.Error) {
	if p := e.Proposals.Get(id); p != nil {
		return p, nil
	}
	return nil, nodeerr.NotFound(id.Object())
}

func evaluateProposalUpdate(e *Engine, op *ledger.ProposalUpdateOp) *nodeerr.Error {
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

func verifyAvailable(name string, available, removed []ledger.AccountID) *nodeerr.Error {
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
func applyProposalUpdate(e *Engine, op *ledger.ProposalUpdateOp) (ledger.OperationResult, *nodeerr.Error) {
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

func evaluateProposalDelete(e *Engine, op *ledger.ProposalDeleteOp) *nodeerr.Error {
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

func applyProposalDelete(e *Engine, op *ledger.ProposalDeleteOp) (ledger.OperationResult, *nodeerr.Error) {
	e.Proposals.Remove(e.Proposals.Get(op.Proposal))
	return voidResult(), nil
}

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
func execute(e *Engine, p *state.Proposal) *nodeerr.Error {
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
