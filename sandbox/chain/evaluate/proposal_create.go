package evaluate

import (
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func proposedOps(op *ledger.ProposalCreateOp) []ledger.Operation {
	ops := make([]ledger.Operation, len(op.ProposedOps))
	for i := range ops {
		ops[i] = op.ProposedOps[i].Op
	}
	return ops
}

// validateProposed validates the proposed operations as if they were in a
// transaction.
func (r *Rules) validateProposed(op *ledger.ProposalCreateOp) *nodeerr.Fault {
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

func evaluateProposalCreate(e *Engine, op *ledger.ProposalCreateOp) *nodeerr.Fault {
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
func verifyReview(given *uint32, least uint32) *nodeerr.Fault {
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

func applyProposalCreate(e *Engine, op *ledger.ProposalCreateOp) (ledger.OperationResult, *nodeerr.Fault) {
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
