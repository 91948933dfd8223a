package evaluate

import (
	"billfold/ledger"
)

// note adds an operation to what was applied, in the order in which the history
// will have it, and returns its place among those of this transaction.
func (e *Engine) note(op ledger.Operation) int {
	e.applied = append(e.applied, appliedOperation{op: op, result: voidResult(), opInTrx: e.opInTrx})
	return len(e.applied) - 1
}

// noteVirtual adds an operation that nobody sent.
func (e *Engine) noteVirtual(body ledger.Body) { e.note(ledger.NewOperation(body)) }

// RecordApplied writes what was applied into the history.
func (e *Engine) RecordApplied(block uint32, trx int) {
	for _, a := range e.applied {
		e.Record(ledger.HistoryRecord{
			Op: a.op, Result: a.result, BlockNum: block, TrxInBlock: uint32(trx), OpInTrx: uint32(a.opInTrx),
		}, a.op.Touched(a.result))
	}
	e.applied = e.applied[:0]
}

// AfterTransactions starts the part of a block that belongs to no transaction.
// What is applied then is numbered behind the last one, as on the node.
func (e *Engine) AfterTransactions(b *ledger.Block) {
	e.applied, e.opInTrx = e.applied[:0], 0
	if n := len(b.Transactions); n > 0 {
		e.opInTrx = len(b.Transactions[n-1].Operations)
	}
}
