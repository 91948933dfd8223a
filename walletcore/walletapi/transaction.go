package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

type trxParams struct {
	Trx ledger.SignedTransaction `json:"trx"`
}

type txParams struct {
	Tx ledger.SignedTransaction `json:"tx"`
}

// exampleTransaction is one without operations.
const exampleTransaction = `'{"ref_block_num":1,"ref_block_prefix":2,"expiration":"2030-01-01T00:00:00","operations":[],"extensions":[],"signatures":[]}'`

func transactionMethods() []*Method {
	return []*Method{
		read("get_transaction_id", doc{Help: "Computes the id of a transaction; signatures do not count.", Reach: ReachChain, Examples: []string{exampleTransaction}},
			func(_ context.Context, _ *Core, p trxParams) (ledger.TransactionID, error) {
				id, err := p.Trx.ID()
				return id, unsupported(err)
			}),
		read("serialize_transaction", doc{Help: "Returns the bytes of a transaction, signatures included.", Reach: ReachChain, Examples: []string{exampleTransaction}},
			func(_ context.Context, _ *Core, p txParams) (ledger.Bytes, error) {
				packed, err := p.Tx.Pack()
				return packed, unsupported(err)
			}),
	}
}

// unsupported wraps the fault of a transaction that cannot be packed.
func unsupported(err error) error {
	if err == nil {
		return nil
	}
	return &fault.Error{Code: fault.UnsupportedOperation, Message: err.Error(), Hint: "only operations of this ledger can be written as bytes", Err: err}
}
