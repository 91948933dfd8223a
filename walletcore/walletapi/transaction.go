package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

type trxParams struct {
	Trx ledger.SignedTransaction `json:"trx" help:"transaction"`
}

type prototypeParams struct {
	Type string `json:"operation_type" help:"its name, ending in _operation"`
}

type txParams struct {
	Tx ledger.SignedTransaction `json:"tx" help:"transaction"`
}

// exampleTransaction is one without operations.
const exampleTransaction = `'{"ref_block_num":1,"ref_block_prefix":2,"expiration":"2030-01-01T00:00:00",` +
	`"operations":[],"extensions":[],"signatures":[]}'`

func transactionMethods() []*Method {
	return []*Method{
		read(
			"get_transaction_id",
			doc{
				Help: "Computes the id of a transaction; signatures do not change it.", Reach: ReachChain,
				Examples: []string{exampleTransaction},
			},
			func(_ context.Context, _ *Core, p trxParams) (ledger.TransactionID, error) {
				id, err := p.Trx.ID()
				return id, unsupported(err)
			},
		),
		read(
			"serialize_transaction",
			doc{
				Help: "Returns the bytes of a transaction, signatures included.", Reach: ReachChain,
				Examples: []string{exampleTransaction},
			},
			func(_ context.Context, _ *Core, p txParams) (ledger.Bytes, error) {
				packed, err := p.Tx.Pack()
				return packed, unsupported(err)
			},
		),
		read(
			"get_prototype_operation",
			doc{
				Help: "Shows the members of an operation, all of them empty.", Reach: ReachChain,
				Examples: []string{"transfer_operation"},
			},
			func(_ context.Context, _ *Core, p prototypeParams) (ledger.Operation, error) {
				op, known := ledger.Prototype(p.Type)
				if !known {
					return op, &fault.Error{Code: fault.UnsupportedOperation, Message: "no operation is called " + fault.Quote(p.Type),
						Hint: "list_operations shows every name, such as transfer_operation"}
				}
				return op, nil
			}),
	}
}

// unsupported wraps the error of a transaction that cannot be packed; nil stays nil.
func unsupported(err error) error {
	if err == nil {
		return nil
	}
	return &fault.Error{
		Code: fault.UnsupportedOperation, Message: err.Error(),
		Hint: "only operations of this ledger can be written as bytes", Err: err,
	}
}
