package walletapi

import (
	"context"
	"strconv"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/handle"
	"billfold/walletcore/txbuild"
)

// txHandle is the handle of a transaction under construction. In JSON it is always a number, as in the reference, where it has
// 16 bits; here it has up to 53, which every client can hold that reads numbers as doubles or integers of 64 bits.
type txHandle uint64

// MarshalJSON returns h as a number: others of this size are text.
func (h txHandle) MarshalJSON() ([]byte, error) { return strconv.AppendUint(nil, uint64(h), 10), nil }

// UnmarshalJSON reads a number, or text that is one.
func (h *txHandle) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, (*uint64)(h)) }

func (txHandle) schema(*schemas) Schema {
	return Schema{Type: "integer", Minimum: new(int64(0)), Maximum: new(int64(handle.Most))}
}
func (txHandle) word() string { return "uint64" }

type handleParams struct {
	Handle txHandle `json:"handle" help:"number that begin_builder_transaction returned"`
}

type signBuilderParams struct {
	Handle txHandle `json:"transaction_handle" help:"number that begin_builder_transaction returned"`
}

type addOperationParams struct {
	Handle txHandle         `json:"transaction_handle" help:"number that begin_builder_transaction returned"`
	Op     ledger.Operation `json:"op" help:"[code, {members}]"`
}

type replaceOperationParams struct {
	Handle txHandle         `json:"handle" help:"number that begin_builder_transaction returned"`
	Index  uint32           `json:"operation_index" help:"counted from 0"`
	Op     ledger.Operation `json:"new_op"          help:"[code, {members}]"`
}

type setFeesParams struct {
	Handle txHandle `json:"handle" help:"number that begin_builder_transaction returned"`
	Asset  string   `json:"fee_asset" help:"DCT"`
}

type proposeBuilderParams struct {
	Handle     txHandle    `json:"handle" help:"number that begin_builder_transaction returned"`
	Expiration ledger.Time `json:"expiration"            help:"until when it can be approved, UTC"`
	Review     uint32      `json:"review_period_seconds" help:"the last seconds, in which approvals are only taken back; 0 = none"`
}

type proposeBuilderByParams struct {
	Handle     txHandle    `json:"handle" help:"number that begin_builder_transaction returned"`
	Payer      string      `json:"account_name_or_id"    role:"account" help:"proposes, and pays the fee of the proposal"`
	Expiration ledger.Time `json:"expiration"            help:"until when it can be approved, UTC"`
	Review     uint32      `json:"review_period_seconds" help:"the last seconds, in which approvals are only taken back; 0 = none"`
}

// exampleOperation is a transfer.
const exampleOperation = `'[0,{"from":"1.2.34","to":"1.2.35","amount":{"amount":1,"asset_id":"1.3.0"}}]'`

// exampleHandle is a handle.
const exampleHandle = "5124095575870173"

func builderMethods() []*Method {
	const add, replace = "add_operation_to_builder_transaction", "replace_operation_in_builder_transaction"
	const begin, preview, remove = "begin_builder_transaction", "preview_builder_transaction", "remove_builder_transaction"
	return []*Method{
		constructs(begin, Writes,
			doc{Help: "Starts a transaction to add operations to; a token can use only those that it started.", Result: "its handle"},
			func(ctx context.Context, w *Core, _ struct{}) (txHandle, error) {
				handle, err := w.handles.Begin(ctx, begin)
				return txHandle(handle), err
			}),
		constructs(add, Writes,
			doc{Help: "Adds an operation to a transaction under construction.", Examples: []string{exampleHandle + " " + exampleOperation}},
			func(ctx context.Context, w *Core, p addOperationParams) (null, error) {
				return nil, w.handles.Add(ctx, add, uint64(p.Handle), p.Op)
			}),
		constructs(replace, Writes,
			doc{Help: "Replaces an operation of a transaction under construction.", Examples: []string{exampleHandle + " 0 " + exampleOperation}},
			func(ctx context.Context, w *Core, p replaceOperationParams) (null, error) {
				return nil, w.handles.Replace(ctx, replace, uint64(p.Handle), p.Index, p.Op)
			}),
		constructs("set_fees_on_builder_transaction", Writes,
			doc{Help: "Sets the fees of a transaction under construction.", Result: "their sum", Examples: []string{exampleHandle + " DCT"}},
			setBuilderFees),
		constructs(preview, Reads, doc{Help: "Shows a transaction under construction.", Examples: []string{exampleHandle}},
			func(ctx context.Context, w *Core, p handleParams) (ledger.Transaction, error) {
				return w.handles.Get(ctx, preview, uint64(p.Handle))
			}),
		signBuilder(),
		inOrder(sendOf("propose_builder_transaction",
			doc{Help: "Proposes the operations of a transaction under construction, in the name of the miners.", Reach: ReachWallet,
				Examples: []string{exampleHandle + " 2030-01-01T00:00:00 0 false"}},
			func(ctx context.Context, w *Core, p proposeBuilderParams) (txbuild.Request, error) {
				return proposalOf(ctx, w, "propose_builder_transaction", proposeBuilderByParams{p.Handle, "", p.Expiration, p.Review})
			},
			func(ctx context.Context, w *Core, p proposeBuilderParams, signed *txbuild.Signed) {
				stampProposed(ctx, w, p.Handle, signed)
			})),
		inOrder(sendOf("propose_builder_transaction2",
			doc{Help: "Proposes the operations of a transaction under construction.",
				Examples: []string{exampleHandle + " alice 2030-01-01T00:00:00 0 true"}},
			func(ctx context.Context, w *Core, p proposeBuilderByParams) (txbuild.Request, error) {
				return proposalOf(ctx, w, "propose_builder_transaction2", p)
			},
			func(ctx context.Context, w *Core, p proposeBuilderByParams, signed *txbuild.Signed) {
				stampProposed(ctx, w, p.Handle, signed)
			})),
		constructs(remove, Writes, doc{Help: "Forgets a transaction under construction.", Examples: []string{exampleHandle}},
			func(ctx context.Context, w *Core, p handleParams) (null, error) {
				return nil, w.handles.Remove(ctx, remove, uint64(p.Handle))
			}),
		spendOf("sign_transaction",
			doc{Help: "Signs a transaction again, with a new reference block and expiration, dropping the signatures it has.",
				Reach: ReachWallet, Examples: []string{exampleTransaction + " false"}},
			func(_ context.Context, _ *Core, p txParams) (txbuild.Request, error) {
				return txbuild.NewRequest("sign_transaction", txbuild.OperationsParams{Operations: p.Tx.Operations}, txbuild.Operations), nil
			}),
	}
}

// proposalOf returns a request to propose the operations under a handle. The handle keeps them.
func proposalOf(ctx context.Context, w *Core, name string, p proposeBuilderByParams) (txbuild.Request, error) {
	tx, err := w.handles.Get(ctx, name, uint64(p.Handle))
	return txbuild.NewRequest(name, txbuild.ProposeOperationsParams{Payer: p.Payer, Expiration: p.Expiration, Review: p.Review,
		Operations: tx.Operations}, txbuild.ProposeOperations), err
}

// stampProposed stores under a handle that its operations were proposed: it is not open any more.
func stampProposed(ctx context.Context, w *Core, of txHandle, signed *txbuild.Signed) {
	_ = w.handles.Stamp(ctx, "propose_builder_transaction", uint64(of), signed.Transaction) // the handle may have been removed meanwhile
}

func setBuilderFees(ctx context.Context, w *Core, p setFeesParams) (ledger.AssetAmount, error) {
	const op = "set_fees_on_builder_transaction"
	tx, err := w.handles.Get(ctx, op, uint64(p.Handle))
	if err == nil {
		err = txbuild.FeeAsset(op, p.Asset)
	}
	if err != nil {
		return ledger.AssetAmount{}, err
	}
	total, err := w.Build.SetFees(ctx, tx.Operations)
	if err != nil {
		return total, err
	}
	return total, w.handles.SetFees(ctx, op, uint64(p.Handle), tx.Operations)
}

// signBuilder declares the operation that signs the transaction under a handle. It stores the reference block and
// expiration that were signed under the handle.
func signBuilder() *Method {
	const name = "sign_builder_transaction"
	return inOrder(sendOf(name, doc{Help: "Signs a transaction under construction.", Reach: ReachWallet, Examples: []string{exampleHandle + " true"}},
		func(ctx context.Context, w *Core, p signBuilderParams) (txbuild.Request, error) {
			tx, begun, err := w.handles.Made(ctx, name, uint64(p.Handle))
			return txbuild.NewRequest(name, txbuild.OperationsParams{Operations: tx.Operations}, txbuild.Operations).Begun(begun), err
		},
		func(ctx context.Context, w *Core, p signBuilderParams, signed *txbuild.Signed) {
			_ = w.handles.Stamp(ctx, name, uint64(p.Handle), signed.Transaction) // the handle may have been removed meanwhile
		}))
}
