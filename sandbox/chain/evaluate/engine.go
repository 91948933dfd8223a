package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// Engine applies operations to a state by the rules.
type Engine struct {
	*state.State
	rules *Rules

	applied  []appliedOperation // by the current transaction, or after a block's last one
	opInTrx  int                // index of the current operation
	proposed bool               // the current operations come from a proposal
}

// NewEngine returns an engine that changes the state.
func NewEngine(s *state.State, r *Rules) *Engine { return &Engine{State: s, rules: r} }

// Rules are the rules of all operations that the ledger supports; see NewRules.
type Rules struct {
	byCode  map[ledger.OpCode]*rule
	signers frequentSigners
}

// rule is the rule of one operation code; see on for its parts.
type rule struct {
	validate func(op ledger.Body) *nodeerr.Error
	evaluate func(e *Engine, op ledger.Body) *nodeerr.Error
	apply    func(e *Engine, op ledger.Body) (ledger.OperationResult, *nodeerr.Error)
	keeps    func(core int64) int64
}

// appliedOperation is an operation that was applied: one of a transaction, one of a
// proposal, or a virtual one that followed from them.
type appliedOperation struct {
	op      ledger.Operation
	result  ledger.OperationResult
	opInTrx int
}

// applyOperation evaluates one operation, collects its fee and applies it.
func (e *Engine) applyOperation(op ledger.Operation) (ledger.OperationResult, *nodeerr.Error) {
	rule := e.rules.byCode[op.Code]
	if rule == nil {
		return ledger.OperationResult{}, nodeerr.Assert("apply_operation", "evaluator: the sandbox does not run ${name} yet",
			nodeerr.Data{"name": ledger.OpName(op.Code)})
	}
	at := e.addApplied(op)
	result, fault := e.applyRule(rule, op)
	if fault != nil {
		return ledger.OperationResult{}, fault.In("apply_operation", "", nodeerr.Data{"op": op})
	}
	e.applied[at].result = result
	return result, nil
}

func (e *Engine) applyRule(rule *rule, op ledger.Operation) (ledger.OperationResult, *nodeerr.Error) {
	fee, fault := prepareFee(e.State, op)
	if fault == nil {
		fault = rule.evaluate(e, op.Body)
	}
	if fault != nil {
		return ledger.OperationResult{}, fault
	}
	if rule.keeps != nil {
		fee.kept = rule.keeps(fee.core)
	}
	collectFee(e.State, fee)
	result, fault := rule.apply(e, op.Body)
	if fault == nil {
		fault = adjust(e.State, fee.payer, fee.amount.AssetID, -fee.amount.Amount) // after apply, whose proceeds may pay for it
	}
	return result, fault
}

// addApplied adds an operation to the applied ones, in the order of the history,
// and returns its index in e.applied.
func (e *Engine) addApplied(op ledger.Operation) int {
	e.applied = append(e.applied, appliedOperation{op: op, result: voidResult(), opInTrx: e.opInTrx})
	return len(e.applied) - 1
}

// addVirtual adds an operation that the ledger itself made.
func (e *Engine) addVirtual(body ledger.Body) { e.addApplied(ledger.NewOperation(body)) }

// RecordApplied adds the applied operations to the history, and clears them.
func (e *Engine) RecordApplied(block uint32, trx int) {
	for _, a := range e.applied {
		e.Record(ledger.HistoryRecord{
			Op: a.op, Result: a.result, BlockNum: block, TrxInBlock: uint32(trx), OpInTrx: uint32(a.opInTrx),
		}, a.op.Touched(a.result))
	}
	e.applied = e.applied[:0]
}

// AfterTransactions begins the part of a block that belongs to no transaction.
// Operations applied then are numbered after those of the last transaction, as on
// the node.
func (e *Engine) AfterTransactions(b *ledger.Block) {
	e.applied, e.opInTrx = e.applied[:0], 0
	if n := len(b.Transactions); n > 0 {
		e.opInTrx = len(b.Transactions[n-1].Operations)
	}
}
