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

// on is the rule of the operations of one type. Its functions are called in the
// order in which they stand here; between evaluate and apply the fee is collected,
// after apply its payer is charged.
type on[T ledger.Body] struct {
	// validate makes the checks that need no state; nil means none but that of the fee.
	validate func(op T) *nodeerr.Fault
	// evaluate checks the operation against the state.
	evaluate func(e *Engine, op T) *nodeerr.Fault
	// apply carries the operation out.
	apply func(e *Engine, op T) (ledger.OperationResult, *nodeerr.Fault)
	// keeps is how much of a fee worth core units of DCT is not collected,
	// because apply uses it; nil means nothing.
	keeps func(core int64) int64
	// unframed leaves out the frame do_evaluate.
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

// stateless makes the checks that package ledger knows for the operation.
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
