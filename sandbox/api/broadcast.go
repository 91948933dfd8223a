package api

import (
	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/nodeerr"
)

var broadcastSet = Set{name: "network_broadcast", methods: map[string]Method{
	"info": With0(func(*Session) (any, error) { return "network_broadcast_api", nil }),
	"broadcast_transaction": With1(func(s *Session, tx ledger.SignedTransaction) (any, error) {
		return nil, s.broadcaster.Broadcast(&tx, nil)
	}),
	"broadcast_transaction_with_callback": With2(func(s *Session, callback uint64, tx ledger.SignedTransaction) (any, error) {
		return nil, s.broadcaster.Broadcast(&tx, &callback)
	}),
}}

// Prepare prepares a transaction without the ledger's lock. Its error is the
// node's for an argument that cannot be read.
func Prepare(c *chain.Chain, tx *ledger.SignedTransaction) (*evaluate.Prepared, error) {
	p, err := c.Prepare(tx)
	if err != nil {
		return nil, nodeerr.New(nodeerr.CodeInvalidParameter, "call_generic", "Zero based index of parameter ${index_of_parameter}",
			nodeerr.Data{"index_of_parameter": 0}).
			In("from_variant", "${why}", nodeerr.Data{"why": err.Error()})
	}
	return p, nil
}
