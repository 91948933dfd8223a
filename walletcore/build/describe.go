package build

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

// Review packs a completed request, unpacks the bytes again and describes what came
// back.
func (f *Factory) Review(ctx context.Context, p *Prepared) (Review, error) {
	read, err := readBack("review", &ledger.Transaction{Operations: p.ops})
	if err != nil {
		return Review{}, err
	}
	if len(read.Operations) != 1 {
		return Review{}, &fault.Error{
			Code:    fault.Internal,
			Op:      "review",
			Message: "a review shows exactly one operation, and there are more or fewer",
		}
	}
	op := read.Operations[0]
	r := f.Facts(op)
	r.Chain, r.SignsWith, r.Bytes = f.View.Pins.Chain(), p.signers, hex.EncodeToString(p.packed)
	if r.JSON, err = indented(read); err != nil {
		return r, &fault.Error{Code: fault.Internal, Op: "review", Message: err.Error(), Err: err}
	}
	if r.Sentence, err = f.Sentence(ctx, op); err != nil {
		return r, err
	}
	r.name(f.View) // the sentence has made the names known
	if err := f.reviewBalance(ctx, &r); err != nil {
		return r, err
	}
	for _, a := range p.words.recipients() {
		changed, err := f.View.Pins.Changes(ctx, a)
		if err != nil {
			return r, err
		}
		r.Changed = append(r.Changed, changed...)
	}
	err = f.compareWithHistory(ctx, &r)
	p.review = r
	return r, err
}

// Facts returns the part of a review that needs nothing from the daemon.
func (f *Factory) Facts(op ledger.Operation) Review {
	r := Review{Operation: Title(op.Code)}
	if op.Body == nil {
		return r
	}
	fee := *op.Fee()
	r.From.ID, r.FeeAsset.ID, r.Fee, r.Asset.ID = op.Body.FeePayer(), fee.AssetID, fee.Amount, fee.AssetID
	if moves := op.Moves(); len(moves) > 0 {
		r.ToObject, r.Asset.ID, r.Amount = moves[0].To, moves[0].Amount.AssetID, moves[0].Amount.Amount
	}
	r.name(f.View)
	r.Memo, r.MemoState = f.Vault.OpenMemo(op.Memo())
	r.MemoBytes = len(r.Memo)
	return r
}

// name names the accounts and assets of a review.
func (r *Review) name(by *ledgerview.View) {
	r.From = by.Accounts.Ref(r.From.ID)
	if to, err := ledger.ParseAccountID(r.ToObject.String()); err == nil {
		r.To = by.Accounts.Ref(to)
	}
	r.Asset, r.FeeAsset = by.Assets.Known(r.Asset.ID), by.Assets.Known(r.FeeAsset.ID)
}

// Sentence says in words what op does.
func (f *Factory) Sentence(ctx context.Context, op ledger.Operation) (string, error) {
	names, err := f.View.Namer(ctx, ledgerview.MentionsOf(op))
	if err != nil {
		return "", err
	}
	return ledger.Sentence(op, names), nil
}

// Title returns the name and the code of an operation, "transfer (0)".
func Title(code ledger.OpCode) string {
	return fmt.Sprintf("%s (%d)", history.OperationName(code), code)
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

func (f *Factory) reviewBalance(ctx context.Context, r *Review) error {
	held, err := f.View.Assets.Held(ctx, r.From.ID, r.Asset.ID, r.FeeAsset.ID)
	if err != nil {
		return err
	}
	forFee := held[r.FeeAsset.ID]
	r.Available = held[r.Asset.ID]
	if need := r.Spent(); need > r.Available {
		return tooLittle(
			fmt.Sprintf("%s has %s, but this needs %s with its fee", r.From.Name, r.Asset.Format(r.Available), r.Asset.Format(need)),
		)
	}
	if r.Fee > forFee {
		return tooLittle(fmt.Sprintf("%s has %s, but the fee is %s", r.From.Name, r.FeeAsset.Format(forFee), r.FeeAsset.Format(r.Fee)))
	}
	return nil
}

func tooLittle(message string) *fault.Error {
	return &fault.Error{
		Code:    fault.InsufficientBalance,
		Op:      "transfer",
		Message: message,
		Hint:    "nothing was spent; choose a smaller amount",
	}
}

const (
	reviewHistory = 100       // rows of history a review compares with
	repeatWindow  = 24 * 3600 // seconds within which the same payment is called a repeat
)

// compareWithHistory finds whether the recipient was paid before, this very
// payment was made lately, or the name resembles another.
func (f *Factory) compareWithHistory(ctx context.Context, r *Review) error {
	if r.Amount == 0 { // nobody is paid
		return nil
	}
	rows, err := f.History.Entries(ctx, r.From.ID, 0, reviewHistory)
	if err != nil {
		return err
	}
	_, head, _ := f.View.Chain.Position()
	known := map[ledger.AccountID]ledgerview.AccountRef{}
	for _, own := range f.Vault.Listed() {
		known[own.ID] = own
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

// FactsOf returns the facts of the first of some operations.
func (f *Factory) FactsOf(ops []ledger.Operation) Review {
	if len(ops) == 0 {
		return Review{}
	}
	return f.Facts(ops[0])
}
