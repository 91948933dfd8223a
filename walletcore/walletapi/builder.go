package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/build"
)

type handleParams struct {
	Handle uint16 `json:"handle" help:"number that begin_builder_transaction returned"`
}

type signBuilderParams struct {
	Handle uint16 `json:"transaction_handle" help:"number that begin_builder_transaction returned"`
}

type addOperationParams struct {
	Handle uint16           `json:"transaction_handle" help:"number that begin_builder_transaction returned"`
	Op     ledger.Operation `json:"op" help:"[code, {members}]"`
}

type replaceOperationParams struct {
	Handle uint16           `json:"handle" help:"number that begin_builder_transaction returned"`
	Index  uint32           `json:"operation_index" help:"counted from 0"`
	Op     ledger.Operation `json:"new_op"          help:"[code, {members}]"`
}

type setFeesParams struct {
	Handle uint16 `json:"handle" help:"number that begin_builder_transaction returned"`
	Asset  string `json:"fee_asset" help:"DCT"`
}

type proposeBuilderParams struct {
	Handle     uint16      `json:"handle" help:"number that begin_builder_transaction returned"`
	Expiration ledger.Time `json:"expiration"            help:"until when it can be approved, UTC"`
	Review     uint32      `json:"review_period_seconds" help:"the last seconds, in which approvals are only taken back; 0 = none"`
}

type proposeBuilderByParams struct {
	Handle     uint16      `json:"handle" help:"number that begin_builder_transaction returned"`
	Payer      string      `json:"account_name_or_id"    role:"account" help:"proposes, and pays the fee of the proposal"`
	Expiration ledger.Time `json:"expiration"            help:"until when it can be approved, UTC"`
	Review     uint32      `json:"review_period_seconds" help:"the last seconds, in which approvals are only taken back; 0 = none"`
}

// exampleOperation is a transfer.
const exampleOperation = `'[0,{"from":"1.2.34","to":"1.2.35","amount":{"amount":1,"asset_id":"1.3.0"}}]'`

func builderMethods() []*Method {
	const add, replace = "add_operation_to_builder_transaction", "replace_operation_in_builder_transaction"
	const begin, preview, remove = "begin_builder_transaction", "preview_builder_transaction", "remove_builder_transaction"
	return []*Method{
		constructs(begin, Writes,
			doc{Help: "Starts a transaction to add operations to; a token can use only those that it started.", Result: "its handle"},
			func(_ context.Context, w *Core, _ struct{}) (uint16, error) { return w.handles.Begin(begin) }),
		constructs(add, Writes,
			doc{Help: "Adds an operation to a transaction under construction.", Examples: []string{"0 " + exampleOperation}},
			func(_ context.Context, w *Core, p addOperationParams) (null, error) {
				return nil, w.handles.Add(add, p.Handle, p.Op)
			}),
		constructs(replace, Writes,
			doc{Help: "Replaces an operation of a transaction under construction.", Examples: []string{"0 0 " + exampleOperation}},
			func(_ context.Context, w *Core, p replaceOperationParams) (null, error) {
				return nil, w.handles.Replace(replace, p.Handle, p.Index, p.Op)
			}),
		constructs("set_fees_on_builder_transaction", Writes,
			doc{Help: "Sets the fees of a transaction under construction.", Result: "their sum", Examples: []string{"0 DCT"}},
			setBuilderFees),
		constructs(preview, Reads, doc{Help: "Shows a transaction under construction.", Examples: []string{"0"}},
			func(_ context.Context, w *Core, p handleParams) (ledger.Transaction, error) {
				return w.handles.Get(preview, p.Handle)
			}),
		signBuilder(),
		sendOf("propose_builder_transaction",
			doc{Help: "Proposes the operations of a transaction under construction, in the name of the miners.", Reach: ReachWallet,
				Examples: []string{"0 2030-01-01T00:00:00 0 false"}},
			func(w *Core, p proposeBuilderParams) (build.Request, error) {
				return proposalOf(w, "propose_builder_transaction", proposeBuilderByParams{p.Handle, "", p.Expiration, p.Review})
			}, noFollowUp),
		sendOf("propose_builder_transaction2",
			doc{Help: "Proposes the operations of a transaction under construction.",
				Examples: []string{"0 alice 2030-01-01T00:00:00 0 true"}},
			func(w *Core, p proposeBuilderByParams) (build.Request, error) {
				return proposalOf(w, "propose_builder_transaction2", p)
			}, noFollowUp),
		constructs(remove, Writes, doc{Help: "Forgets a transaction under construction.", Examples: []string{"0"}},
			func(_ context.Context, w *Core, p handleParams) (null, error) {
				w.handles.Remove(p.Handle)
				return nil, nil
			}),
		spendOf("sign_transaction",
			doc{Help: "Signs a transaction again, with a new reference block and expiration, dropping the signatures it has.",
				Reach: ReachWallet, Examples: []string{exampleTransaction + " false"}},
			func(_ *Core, p txParams) (build.Request, error) {
				return build.NewRequest("sign_transaction", build.OperationsParams{Operations: p.Tx.Operations}, build.Operations), nil
			}),
	}
}

// proposalOf returns a request to propose the operations under a handle. The handle keeps them.
func proposalOf(w *Core, name string, p proposeBuilderByParams) (build.Request, error) {
	tx, err := w.handles.Get(name, p.Handle)
	return build.NewRequest(name, build.ProposeOperationsParams{Payer: p.Payer, Expiration: p.Expiration, Review: p.Review,
		Operations: tx.Operations}, build.ProposeOperations), err
}

func setBuilderFees(ctx context.Context, w *Core, p setFeesParams) (ledger.AssetAmount, error) {
	const op = "set_fees_on_builder_transaction"
	tx, err := w.handles.Get(op, p.Handle)
	if err == nil {
		err = build.FeeAsset(op, p.Asset)
	}
	if err != nil {
		return ledger.AssetAmount{}, err
	}
	total, err := w.Build.SetFees(ctx, tx.Operations)
	if err != nil {
		return total, err
	}
	return total, w.handles.SetFees(op, p.Handle, tx.Operations)
}

// signBuilder declares the operation that signs the transaction under a handle. It stores the reference block and
// expiration that were signed under the handle.
func signBuilder() *Method {
	const name = "sign_builder_transaction"
	return sendOf(name, doc{Help: "Signs a transaction under construction.", Reach: ReachWallet, Examples: []string{"0 true"}},
		func(w *Core, p signBuilderParams) (build.Request, error) {
			tx, err := w.handles.Get(name, p.Handle)
			return build.NewRequest(name, build.OperationsParams{Operations: tx.Operations}, build.Operations), err
		},
		func(w *Core, p signBuilderParams, signed *build.Signed) {
			_ = w.handles.Stamp(name, p.Handle, signed.Transaction) // the handle may have been removed meanwhile
		})
}
