package send

import (
	"context"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
	"billfold/walletcore/draft"
	"billfold/walletcore/payment"
)

// Keeper keeps what was typed for later; it needs no node.
type Keeper interface {
	Save(ctx context.Context, account ledger.AccountID, req build.TransferParams) (int64, error)
	List(ctx context.Context, account ledger.AccountID) ([]draft.Draft, error)
	Drop(ctx context.Context, number int64) (draft.Dropped, error)
	Restore(ctx context.Context, account ledger.AccountID, gone draft.Dropped) (int64, error)
}

// Save keeps a form in place of the draft that it came from, and returns its number; 0 is none.
func Save(ctx context.Context, keeper Keeper, account ledger.AccountID, req build.TransferParams, old int64) (int64, error) {
	number, err := keeper.Save(ctx, account, req)
	if err == nil && old != 0 && old != number {
		_, err = keeper.Drop(ctx, old)
	}
	return number, err
}

// dropLimit is how long what was kept for a payment that was not sent may take to go.
const dropLimit = 5 * time.Second

// WhileSent sends a payment, and keeps what was typed of it as a draft until the journal has it, which drops that draft, and the one of
// number that it came from, in the same commit: a program that is killed after the signature was asked for loses neither. Where nothing
// was sent, what was kept for this alone goes again. A draft that cannot be kept stops no payment. send answers a payment, or what else
// came of it.
func WhileSent(ctx context.Context, keeper Keeper, account ledger.AccountID, req build.TransferParams, number int64,
	send func(ctx context.Context) (any, error)) (any, error) {
	kept := keepOnce(ctx, keeper, account, req)
	body, err := send(draft.Spent(ctx, number, kept))
	paid, is := body.(payment.Payment)
	if sent := (is || err != nil) && payment.OnItsWay(paid, err); kept != 0 && !sent && ctx.Err() == nil { // else the program ends
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropLimit)
		defer cancel()
		_, _ = keeper.Drop(ctx, kept) // a draft too many, which says what it is
	}
	return body, err
}

// keepOnce keeps what was typed, and returns the number of its draft; 0 where there is such a draft already, or it cannot be kept.
func keepOnce(ctx context.Context, keeper Keeper, account ledger.AccountID, req build.TransferParams) int64 {
	there, err := keeper.List(ctx, account)
	if err != nil || slices.ContainsFunc(there, func(d draft.Draft) bool { return d.Request == req }) {
		return 0
	}
	number, err := keeper.Save(ctx, account, req)
	if err != nil {
		return 0
	}
	return number
}

// textOf is what was typed for a draft.
func textOf(r build.TransferParams) Form {
	return Form{To: r.To, Amount: r.Amount, Asset: r.Asset, Memo: r.Memo, Plain: r.Plain}
}

// summary is a form in one line, as it was typed.
func summary(r build.TransferParams) canvas.Line {
	or := func(text, otherwise string) string {
		if text == "" {
			return otherwise
		}
		if ledger.HoldsWIF(text) {
			return "(a private key)"
		}
		return format.Clean(text)
	}
	memo := ""
	if r.Memo != "" {
		memo = "  “" + strings.Join(strings.Fields(or(r.Memo, "")), " ") + "”"
	}
	return canvas.Text(or(r.Amount, "no amount") + " " + or(r.Asset, "DCT") + " " + theme.SignOut + " " + or(r.To, "nobody yet") + memo)
}
