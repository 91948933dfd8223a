package walletapi

import (
	"context"

	"billfold/walletcore"
)

func transactionMethods() []Method {
	const group = "Transactions"
	trx := Param{Name: "trx", Kind: Transaction}
	return []Method{
		{Name: "get_transaction_id", Group: group, Touches: Reads, Reach: ReachChain, Params: []Param{trx}, Result: "40 hex digits", Help: "Computes the id of a transaction; signatures do not count.",
			handle: func(_ context.Context, _ *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				id, err := a.tx(0).ID()
				return id, unsupported(err)
			}},
		{Name: "serialize_transaction", Group: group, Touches: Reads, Reach: ReachChain, Params: []Param{{Name: "tx", Kind: Transaction}}, Result: "hex", Help: "Gives the bytes of a transaction, signatures included.",
			handle: func(_ context.Context, _ *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				packed, err := a.tx(0).Pack()
				return hexBytes(packed), unsupported(err)
			}},
	}
}
