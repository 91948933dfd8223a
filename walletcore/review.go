package walletcore

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

const (
	reviewHistory = 100       // rows of history a review compares with
	repeatWindow  = 24 * 3600 // seconds within which the same payment is called a repeat
)

// BuildTransfer builds a transfer and reads it back from its bytes, signing
// nothing. Errors: fault.Locked, fault.NoSuchAccount, fault.NoSuchRecipient,
// fault.NoSuchAsset, fault.BadAmount, fault.MissingAuthority and the daemon's.
func (w *Wallet) BuildTransfer(ctx context.Context, req TransferRequest) (*Draft, error) {
	if _, err := w.unlocked("transfer"); err != nil {
		return nil, err
	}
	if err := w.journalGood(); err != nil {
		return nil, err
	}
	s, err := w.transfer(ctx, req)
	if err != nil {
		return nil, err
	}
	d := &Draft{}
	if d.built, err = w.build(ctx, s); err != nil {
		return nil, err
	}
	if !d.built.missing.Empty() {
		return nil, w.missingFault(d.built.missing)
	}
	d.review, err = w.review(ctx, d.built)
	return d, err
}

// review packs b, unpacks the bytes again and describes what came back.
func (w *Wallet) review(ctx context.Context, b built) (Review, error) {
	tx := ledger.Transaction{Operations: b.spend.ops}
	packed, err := tx.Pack()
	if err != nil {
		return Review{}, &fault.Error{Code: fault.UnsupportedOperation, Op: "review", Message: err.Error(), Err: err}
	}
	var read ledger.Transaction
	if err := codec.Unpack(packed, &read); err != nil {
		return Review{}, &fault.Error{Code: fault.Internal, Op: "review", Message: "the built transaction cannot be read back: " + err.Error(), Err: err}
	}
	if len(read.Operations) != 1 {
		return Review{}, &fault.Error{Code: fault.Internal, Op: "review", Message: "one operation is reviewed at a time, these are more or fewer"}
	}
	r := Review{Operation: operationTitle(read.Operations[0].Code), Chain: w.View.Pins.Chain(), SignsWith: b.keys, Bytes: hex.EncodeToString(packed)}
	if r.JSON, err = indented(read); err != nil {
		return r, &fault.Error{Code: fault.Internal, Op: "review", Message: err.Error(), Err: err}
	}
	if r.Sentence, err = w.sentence(ctx, read.Operations[0]); err != nil {
		return r, err
	}
	w.fillTransfer(&r, read.Operations[0])
	if err := w.reviewBalance(ctx, &r); err != nil {
		return r, err
	}
	if r.Changed, err = w.View.Pins.Changes(ctx, b.spend.to); err != nil {
		return r, err
	}
	return r, w.compareWithHistory(ctx, &r)
}

// sentence says in words what op does.
func (w *Wallet) sentence(ctx context.Context, op ledger.Operation) (string, error) {
	var m ledgerview.Mentions
	m.Add(op)
	d, err := w.View.Namer(ctx, &m)
	if err != nil {
		return "", err
	}
	return ledger.Sentence(op, d), nil
}

// indented is v as JSON over several lines.
func indented(v any) (string, error) {
	text, err := codec.Marshal(v)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = json.Indent(&out, text, "", "  ")
	return out.String(), err
}

func operationTitle(code ledger.OpCode) string {
	return fmt.Sprintf("%s (%d)", history.OperationName(code), code)
}

// fillTransfer describes a transfer; of other operations, who pays how much of
// a fee.
func (w *Wallet) fillTransfer(r *Review, op ledger.Operation) {
	if op.Body == nil {
		return
	}
	fee := *op.Fee()
	amount := ledger.AssetAmount{AssetID: fee.AssetID}
	var memo *ledger.Memo
	switch op := op.Body.(type) {
	case *ledger.TransferObsoleteOp:
		r.From, r.To, r.ToObject = w.View.Accounts.Ref(op.From), w.View.Accounts.Ref(op.To), op.To.Object()
		amount, memo = op.Amount, op.Memo
	case *ledger.TransferOp:
		r.From, r.ToObject = w.View.Accounts.Ref(op.From), op.To
		if id, err := ledger.ParseAccountID(op.To.String()); err == nil {
			r.To = w.View.Accounts.Ref(id)
		}
		amount, memo = op.Amount, op.Memo
	default:
		r.From = w.View.Accounts.Ref(op.FeePayer())
	}
	r.Asset, r.Amount = w.View.Assets.Known(amount.AssetID), amount.Amount
	r.FeeAsset, r.Fee = w.View.Assets.Known(fee.AssetID), fee.Amount
	w.mu.RLock()
	store := w.store
	w.mu.RUnlock()
	r.Memo, r.MemoState = w.openMemo(store, memo)
	r.MemoBytes = len(r.Memo)
}

func (w *Wallet) reviewBalance(ctx context.Context, r *Review) error {
	held, err := w.View.Assets.Held(ctx, r.From.ID, r.Asset.ID, r.FeeAsset.ID)
	if err != nil {
		return err
	}
	r.Available = held[r.Asset.ID]
	forFee := held[r.FeeAsset.ID]
	if need := r.Spent(); need > r.Available {
		return tooLittle(fmt.Sprintf("%s has %s, but this needs %s with its fee", r.From.Name, r.Asset.Format(r.Available), r.Asset.Format(need)))
	}
	if r.Fee > forFee {
		return tooLittle(fmt.Sprintf("%s has %s, but the fee is %s", r.From.Name, r.FeeAsset.Format(forFee), r.FeeAsset.Format(r.Fee)))
	}
	return nil
}

func tooLittle(message string) *fault.Error {
	return &fault.Error{Code: fault.InsufficientBalance, Op: "transfer", Message: message, Hint: "nothing was spent; choose a smaller amount"}
}

// compareWithHistory finds whether the recipient was paid before, this very
// payment was made lately, or the name resembles another.
func (w *Wallet) compareWithHistory(ctx context.Context, r *Review) error {
	if r.Amount == 0 { // nobody is paid
		return nil
	}
	rows, err := w.History.Entries(ctx, r.From.ID, 0, reviewHistory)
	if err != nil {
		return err
	}
	_, head, _ := w.View.Chain.Position()
	known := map[ledger.AccountID]ledgerview.AccountRef{}
	for _, own := range w.Accounts() {
		known[own.ID] = own.AccountRef
	}
	for i, row := range rows {
		if row.Direction != history.Out || row.To.Name == "" { // content has no name here, so one cannot be told from another
			continue
		}
		known[row.To.ID] = row.To
		if row.To.ID != r.To.ID {
			continue
		}
		r.PaidBefore++
		same := row.Asset.ID == r.Asset.ID && row.Amount == r.Amount
		if same && r.Repeats == nil && row.Time+repeatWindow > head {
			r.Repeats = &rows[i]
		}
	}
	r.FirstTime = r.PaidBefore == 0
	delete(known, r.To.ID)
	r.LooksLike = ledgerview.LookAlikes(r.To.Name, known)
	return nil
}

// TransferFee is what a transfer to an account costs now.
func (w *Wallet) TransferFee(ctx context.Context) (ledgerview.AssetRef, int64, error) {
	op := ledger.NewOperation(&ledger.TransferObsoleteOp{})
	if err := w.setFees(ctx, []ledger.Operation{op}); err != nil {
		return ledgerview.AssetRef{}, 0, err
	}
	fee := op.Fee()
	return w.View.Assets.Known(fee.AssetID), fee.Amount, nil
}
