package chain

import "billfold/ledger"

// contentOperation refuses what has to do with content: the sandbox has none,
// nobody who seeds any, and no purchases. Operations that name content or a
// purchase are refused as on a node that does not know it.
var contentOperation = evaluator{
	validate: func(op ledger.Body) *Fault {
		if err := ledger.NewOperation(op).Validate(); err != nil {
			return assert("validate", "operation: ${why}", Data{"why": err.Error()})
		}
		return nil
	},
	evaluate: func(_ *State, op ledger.Body) *Fault { return refuseContent(op) },
	apply: func(_ *State, op ledger.Body) (ledger.OperationResult, *Fault) {
		return voidResult(), refuseContent(op)
	},
}

func refuseContent(op ledger.Body) *Fault {
	switch op := op.(type) {
	case *ledger.RequestToBuyOp:
		return noContent(op.URI)
	case *ledger.LeaveRatingAndCommentOp:
		return noContent(op.URI)
	case *ledger.ProofOfCustodyOp:
		return noContent(op.URI)
	case *ledger.ContentCancellationOp:
		return noContent(op.URI)
	case *ledger.DeliverKeysOp:
		return notFound(op.Buying.Object())
	}
	return assert("do_evaluate", "content: the sandbox takes no content and no seeders, so it does not run ${name}", Data{"name": ledger.OpName(ledger.NewOperation(op).Code)})
}

func noContent(uri string) *Fault {
	return assert("do_evaluate", "content != idx.end(): there is no content ${URI}", Data{"URI": uri})
}
