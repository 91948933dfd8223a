package evaluate

import (
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// NewRules returns the rules of the ledger. It is the only place where they are
// listed, by family; an operation that is not among them is refused.
func NewRules() *Rules {
	r := &Rules{byCode: map[ledger.OpCode]*rule{}}
	for _, registered := range slices.Concat(
		accountRules(),
		assertRules(),
		assetRules(),
		contentRules(),
		customRules(),
		minerRules(),
		nftRules(),
		parameterRules(),
		proposalRules(r),
		publishingRules(),
		purchaseRules(),
		seederRules(),
		subscriptionRules(),
		transferRules(),
		vestingRules(),
		withdrawRules(),
	) {
		r.byCode[registered.code()] = registered.rule()
	}
	return r
}

// registration is the rule of one operation code.
type registration interface {
	code() ledger.OpCode
	rule() *rule
}

// operationRule is the rule of one type of operation. Its functions are called in this order.
// The fee is collected between evaluate and apply, and its payer is charged after
// apply.
type operationRule[T ledger.Body] struct {
	// validate makes the checks that need no state. If it is nil, only the fee is
	// checked.
	validate func(op T) *nodeerr.Error
	// evaluate checks the operation against the state.
	evaluate func(e *Engine, op T) *nodeerr.Error
	// apply applies the operation.
	apply func(e *Engine, op T) (ledger.OperationResult, *nodeerr.Error)
	// keeps returns how much of a fee worth core units of DCT is not collected,
	// because apply uses it; nil means nothing.
	keeps func(core int64) int64
	// unframed omits the frame do_evaluate from faults of evaluate.
	unframed bool
}

func (o operationRule[T]) code() ledger.OpCode {
	var none T
	return ledger.NewOperation(none).Code
}

func (o operationRule[T]) rule() *rule {
	r := &rule{
		keeps:    o.keeps,
		validate: func(ledger.Body) *nodeerr.Error { return nil },
		evaluate: o.evaluateFramed,
		apply:    func(e *Engine, op ledger.Body) (ledger.OperationResult, *nodeerr.Error) { return o.apply(e, op.(T)) },
	}
	if o.validate != nil {
		r.validate = func(op ledger.Body) *nodeerr.Error { return o.validate(op.(T)) }
	}
	return r
}

func (o operationRule[T]) evaluateFramed(e *Engine, op ledger.Body) *nodeerr.Error {
	fault := o.evaluate(e, op.(T))
	if fault == nil || o.unframed {
		return fault
	}
	return fault.In("do_evaluate", "", nodeerr.Data{"op": op})
}

// stateless validates the operation by package ledger's own checks.
func stateless[T ledger.Body](op T) *nodeerr.Error {
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

// condition is a requirement of an operation. Its text is the node's: the
// condition, a colon, a space and optionally a sentence with placeholders.
type condition struct {
	holds bool
	text  string
	data  nodeerr.Data
}

// demand returns the fault for the first condition that does not hold, or nil.
func demand(method string, list ...condition) *nodeerr.Error {
	for _, c := range list {
		if !c.holds {
			return nodeerr.Assert(method, c.text, c.data)
		}
	}
	return nil
}

// invalid returns the fault for an operation that is not valid in any state.
func invalid(format string, data nodeerr.Data) *nodeerr.Error {
	return nodeerr.Assert("validate", format, data)
}

// refuse returns the fault for an operation that the state does not allow.
func refuse(format string, data nodeerr.Data) *nodeerr.Error {
	return nodeerr.Assert("do_evaluate", format, data)
}

// accountsExist returns a fault with the node's sentence for the first account that
// does not exist, or nil.
func accountsExist(s *state.State, sentence string, ids ...ledger.AccountID) *nodeerr.Error {
	for _, id := range ids {
		if s.Accounts.Get(id) == nil {
			return refuse(sentence, nodeerr.Data{"id": id})
		}
	}
	return nil
}
