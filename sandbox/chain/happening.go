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
