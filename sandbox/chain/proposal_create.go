package chain

import (
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// proposalCreate is a function because the table of evaluators, which the
// checks of the proposed operations need, must not refer to itself.
func proposalCreate() evaluator {
	return touching(
		typed(validateProposal, (*State).evaluateProposalCreate, (*State).applyProposalCreate),
		func(op *ledger.ProposalCreateOp) []ledger.AccountID { return requiredBy(proposedOps(op)).all() },
	)
}

func proposedOps(op *ledger.ProposalCreateOp) []ledger.Operation {
	ops := make([]ledger.Operation, len(op.ProposedOps))
	for i := range ops {
		ops[i] = op.ProposedOps[i].Op
	}
	return ops
}

func validateProposal(op *ledger.ProposalCreateOp) *nodeerr.Fault {
	if len(op.ProposedOps) == 0 {
		return nodeerr.Assert("validate", "!proposed_ops.empty(): nothing is proposed", nil)
	}
	for _, proposed := range proposedOps(op) {
		if fault := validateOne(proposed); fault != nil {
			return fault
		}
	}
	return nil
}

func (s *State) evaluateProposalCreate(op *ledger.ProposalCreateOp) *nodeerr.Fault {
	now, params := s.HeadTime(), &s.global.Parameters
	left := int64(op.ExpirationTime) - int64(now)
	ops := proposedOps(op)
	fault := demand("do_evaluate",
		condition{left > 0, "o.expiration_time > d.head_block_time(): Proposal has already expired on creation.", nil},
		condition{
			left <= int64(params.MaximumProposalLifetime),
			"o.expiration_time <= d.head_block_time() + global_parameters.maximum_proposal_lifetime: Proposal expiration time is too far in the future.", nil,
		},
		condition{
			op.ReviewPeriodSeconds == nil || int64(*op.ReviewPeriodSeconds) < left,
			"!o.review_period_seconds || fc::seconds(*o.review_period_seconds) < (o.expiration_time - d.head_block_time()): Proposal review period must be less than its overall lifetime.", nil,
		},
		condition{!slices.ContainsFunc(ops, isApproval), "other.size() == 0: an approval cannot be proposed", nil},
	)
	if fault != nil || !slices.Contains(requiredBy(ops).all(), ledger.MinerAccount) {
		return fault
	}
	return verifyReview(op.ReviewPeriodSeconds, params.MinerProposalReviewPeriod)
}

func isApproval(op ledger.Operation) bool {
	_, is := op.Body.(*ledger.ProposalUpdateOp)
	return is
}

// verifyReview wants time to look at what 1.2.0 is to do.
func verifyReview(given *uint32, least uint32) *nodeerr.Fault {
	switch {
	case given == nil:
		return nodeerr.New(nodeerr.CodeReviewMissing, "do_evaluate", "o.review_period_seconds.valid(): Review period not given, but at least ${min} required", nodeerr.Data{"min": least})
	case *given < least:
		return nodeerr.New(nodeerr.CodeReviewShort, "do_evaluate", "*o.review_period_seconds >= global_parameters.miner_proposal_review_period: Review period of ${t} specified, but at least ${min} required", nodeerr.Data{"t": *given, "min": least})
	}
	return nil
}

func (s *State) applyProposalCreate(op *ledger.ProposalCreateOp) (ledger.OperationResult, *nodeerr.Fault) {
	ops := proposedOps(op)
	need := requiredBy(ops)
	p := Proposal{
		ExpirationTime:         op.ExpirationTime,
		ProposedTransaction:    ledger.Transaction{Expiration: op.ExpirationTime, Operations: ops},
		RequiredOwnerApprovals: need.owner,
	}
	// Whoever approves as owner need not approve as active.
	p.RequiredActiveApprovals = slices.DeleteFunc(need.active, func(id ledger.AccountID) bool { return slices.Contains(need.owner, id) })
	if op.ReviewPeriodSeconds != nil {
		review := op.ExpirationTime - ledger.Time(*op.ReviewPeriodSeconds)
		p.ReviewPeriodTime = &review
	}
	return objectResult(s.addProposal(p).Object()), nil
}
