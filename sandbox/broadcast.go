package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/nodeerr"
)

var broadcastSet = apiSet{name: "network_broadcast", methods: map[string]method{
	"info": with0(func(*session) (any, error) { return "network_broadcast_api", nil }),
	"broadcast_transaction": with1(func(s *session, tx ledger.SignedTransaction) (any, error) {
		return nil, s.broadcast(&tx, nil)
	}),
	"broadcast_transaction_with_callback": with2(func(s *session, callback uint64, tx ledger.SignedTransaction) (any, error) {
		return nil, s.broadcast(&tx, &callback)
	}),
}}

// broadcast puts a transaction into the pending list. The wish to be told of
// its block is noted first, so that the block cannot come in between.
func (s *session) broadcast(tx *ledger.SignedTransaction, callback *uint64) error {
	if fault := s.sandbox.faults.refusal(); fault != nil {
		return fault
	}
	p, err := s.prepare(tx)
	if err != nil {
		return err
	}
	hub := s.sandbox.hub
	if callback != nil {
		hub.expect(p.ID, s, *callback)
	}
	if fault := s.sandbox.chain.Push(p); fault != nil {
		if callback != nil {
			hub.forget(p.ID, s)
		}
		return fault
	}
	s.sandbox.monitor.broadcasts.Add(1)
	hub.transactionPending(tx)
	return nil
}

// prepare also recovers the keys of the signatures, outside the ledger's lock.
func (s *session) prepare(tx *ledger.SignedTransaction) (*evaluate.Prepared, error) {
	p, err := s.sandbox.chain.Prepare(tx)
	if err != nil {
		return nil, nodeerr.New(nodeerr.CodeInvalidParameter, "call_generic", "Zero based index of parameter ${index_of_parameter}", nodeerr.Data{"index_of_parameter": 0}).
			In("from_variant", "${why}", nodeerr.Data{"why": err.Error()})
	}
	return p, nil
}
