package chain

import "billfold/ledger"

// happening is an operation that was carried out: one of a transaction, one
// that a proposal held, or a virtual one that followed from them.
type happening struct {
	op      ledger.Operation
	result  ledger.OperationResult
	opInTrx int
}

// happen notes an operation, in the order in which the history will have it,
// and gives its place among those of this transaction.
func (s *State) happen(op ledger.Operation) int {
	s.happened = append(s.happened, happening{op: op, result: voidResult(), opInTrx: s.opInTrx})
	return len(s.happened) - 1
}

// happenVirtual notes an operation that nobody sent.
func (s *State) happenVirtual(body ledger.Body) { s.happen(ledger.NewOperation(body)) }

// recordHappened writes what was noted into the history.
func (s *State) recordHappened(block uint32, trx int) {
	for _, h := range s.happened {
		s.record(block, trx, h.opInTrx, h.op, h.result)
	}
	s.happened = s.happened[:0]
}

// afterTransactions begins the part of a block that belongs to no transaction.
// What happens then is numbered behind the last one, as on the node.
func (s *State) afterTransactions(b *ledger.Block) {
	s.happened, s.opInTrx = s.happened[:0], 0
	if n := len(b.Transactions); n > 0 {
		s.opInTrx = len(b.Transactions[n-1].Operations)
	}
}
