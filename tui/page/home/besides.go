package home

import (
	"context"

	"billfold/ledger"
	"billfold/tui/visit"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// beside is what an account has besides balances, and what happened since the last visit.
type beside struct {
	hold    []ledgerview.Hold
	allowed []ledgerview.Permission // to withdraw, by this account or from it
	tokens  []ledgerview.OwnedToken
	last    visit.Visit // zero: there was none
	changed history.Totals
	top     ledger.HistoryID // the newest row when it was read
	known   bool
}

// readBeside reads it. What cannot be read stays out: it is no reason to hide the rest.
func readBeside(ctx context.Context, core Beside, id ledger.AccountID, last visit.Visit, top ledger.HistoryID) (beside, error) {
	b := beside{last: last, top: top}
	var err error
	if b.hold, err = core.Held(ctx, id); err != nil {
		return b, err
	}
	if b.allowed, err = core.Allowed(ctx, id); err != nil {
		return b, err
	}
	if b.tokens, err = core.OwnedBy(ctx, id); err != nil {
		return b, err
	}
	if last.Row != 0 {
		b.changed, err = core.Totals(ctx, id, historyindex.Filter{After: last.Row})
	}
	b.known = err == nil
	return b, err
}

// onHold is how much of an asset cannot be spent.
func (b *beside) onHold(asset ledger.AssetID) (sum int64) {
	for _, h := range b.hold {
		if h.Asset.ID == asset {
			sum += h.Amount
		}
	}
	return sum
}
