package send

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
	"billfold/walletcore/draft"
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
