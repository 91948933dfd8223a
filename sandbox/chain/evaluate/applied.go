package evaluate

import (
	"billfold/ledger"
)

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
