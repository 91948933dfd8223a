package home

import (
	"context"

	"billfold/ledger"
	"billfold/tui/visit"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// extras is what an account has besides balances, and what has happened since the last visit.
type extras struct {
	heldItems   []ledgerview.Hold
	permissions []ledgerview.Permission // to withdraw from this account, or granted to it
	tokens      []ledgerview.OwnedToken
	lastVisit   visit.Visit // zero: this is the first
	sinceVisit  history.Totals
	newestRow   ledger.HistoryID // the newest row when the extras were read
	known       bool
}

// readExtras reads the extras of an account. If it fails, the part that was read comes with the error.
func readExtras(ctx context.Context, core ExtrasReader, id ledger.AccountID, last visit.Visit, top ledger.HistoryID) (extras, error) {
	b := extras{lastVisit: last, newestRow: top}
	var err error
	if b.heldItems, err = core.Held(ctx, id); err != nil {
		return b, err
	}
	if b.permissions, err = core.Permissions(ctx, id); err != nil {
		return b, err
	}
	if b.tokens, err = core.OwnedBy(ctx, id); err != nil {
		return b, err
	}
	if last.Row != 0 {
		b.sinceVisit, err = core.Totals(ctx, id, historyindex.Filter{After: last.Row})
	}
	b.known = err == nil
	return b, err
}

// onHold returns how much of an asset is on hold, in its smallest unit.
func (e *extras) onHold(asset ledger.AssetID) (sum int64) {
	for _, h := range e.heldItems {
		if h.Asset.ID == asset {
			sum += h.Amount
		}
	}
	return sum
}
