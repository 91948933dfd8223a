package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// contentRules refuse all operations on content: the sandbox has no content, no
// seeders and no purchases. Operations that name content or a purchase are refused
// as by a node that does not have it.
func contentRules() []registration {
	return []registration{
		refused[*ledger.ContentSubmitOp](),
		refused[*ledger.RequestToBuyOp](),
		refused[*ledger.LeaveRatingAndCommentOp](),
		refused[*ledger.ReadyToPublishObsoleteOp](),
		refused[*ledger.ProofOfCustodyOp](),
		refused[*ledger.DeliverKeysOp](),
		refused[*ledger.ReportStatsOp](),
		refused[*ledger.ContentCancellationOp](),
		refused[*ledger.ReadyToPublishOp](),
	}
}

func refused[T ledger.Body]() registration {
	return on[T]{
		validate: func(op T) *nodeerr.Fault {
			if err := ledger.NewOperation(op).Validate(); err != nil {
				return invalid("operation: ${why}", nodeerr.Data{"why": err.Error()})
			}
			return nil
		},
		evaluate: func(_ *Engine, op T) *nodeerr.Fault { return refuseContent(op) },
		apply:    func(_ *Engine, op T) (ledger.OperationResult, *nodeerr.Fault) { return voidResult(), refuseContent(op) },
		unframed: true,
	}
}

func refuseContent(op ledger.Body) *nodeerr.Fault {
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
		return nodeerr.NotFound(op.Buying.Object())
	}
	return refuse("content: the sandbox takes no content and no seeders, so it does not run ${name}",
		nodeerr.Data{"name": ledger.OpName(ledger.NewOperation(op).Code)})
}

func noContent(uri string) *nodeerr.Fault {
	return refuse("content != idx.end(): there is no content ${URI}", nodeerr.Data{"URI": uri})
}
