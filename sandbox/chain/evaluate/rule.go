package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// registration is the rule of one operation code.
type registration interface {
	code() ledger.OpCode
	rule() *rule
}

// on is the rule of one type of operation. Its functions are called in this order.
// The fee is collected between evaluate and apply, and its payer is charged after
// apply.
type on[T ledger.Body] struct {
	// validate makes the checks that need no state. If it is nil, only the fee is
	// checked.
	validate func(op T) *nodeerr.Fault
	// evaluate checks the operation against the state.
	evaluate func(e *Engine, op T) *nodeerr.Fault
	// apply applies the operation.
	apply func(e *Engine, op T) (ledger.OperationResult, *nodeerr.Fault)
	// keeps returns how much of a fee worth core units of DCT is not collected,
	// because apply uses it; nil means nothing.
	keeps func(core int64) int64
	// unframed omits the frame do_evaluate from faults of evaluate.
	unframed bool
}

func (o on[T]) code() ledger.OpCode {
	var none T
	return ledger.NewOperation(none).Code
}

func (o on[T]) rule() *rule {
	r := &rule{
		keeps:    o.keeps,
		validate: func(ledger.Body) *nodeerr.Fault { return nil },
		evaluate: o.evaluateFramed,
		apply:    func(e *Engine, op ledger.Body) (ledger.OperationResult, *nodeerr.Fault) { return o.apply(e, op.(T)) },
	}
	if o.validate != nil {
		r.validate = func(op ledger.Body) *nodeerr.Fault { return o.validate(op.(T)) }
	}
	return r
}

func (o on[T]) evaluateFramed(e *Engine, op ledger.Body) *nodeerr.Fault {
	fault := o.evaluate(e, op.(T))
	if fault == nil || o.unframed {
		return fault
	}
	return fault.In("do_evaluate", "", nodeerr.Data{"op": op})
}

// stateless validates the operation by package ledger's own checks.
func stateless[T ledger.Body](op T) *nodeerr.Fault {
	if err := ledger.NewOperation(op).Validate(); err != nil {
		return invalid("${why}", nodeerr.Data{"why": err.Error()})
	}
	return nil
}

func voidResult() ledger.OperationResult {
	return ledger.OperationResult{Void: &ledger.Void{}}
}

func objectResult(id ledger.ObjectID) ledger.OperationResult {
	return ledger.OperationResult{Object: &id}
}
