package reconcile

import (
	"context"
	"fmt"
	"math/big"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// compare holds each day against what the node says that operations moved, fees left out: the node
// does not show all of them.
func (r *Report) compare(
	ctx context.Context, h *history.Reader, b *books, names map[ledger.AssetID]ledgerview.AssetRef, from, to string,
) error {
	told := sheet{}
	err := nodeChanges(ctx, h, r.AccountID, func(c ledger.BalanceChange) bool {
		day := dayOf(c.Timestamp)
		if c.Record.BlockNum <= b.status.Final {
			told.add(day, ofNode(r.AccountID, c, ledger.AssetAmount{}))
		}
		return day >= from
	})
	if err != nil {
		return err
	}
	both := sheet{}
	for _, s := range []sheet{b.days, told} {
		for day, assets := range s {
			for asset := range assets {
				both.of(day, asset)
			}
		}
	}
	for _, day := range both.days() {
		if day == pending || day < from || to != "" && day > to {
			continue
		}
		for _, id := range (sheet{day: both[day]}).assets(nil) {
			asset, known := names[id]
			if !known {
				asset = ledgerview.AssetRef{ID: id, Symbol: id.String()}
			}
			r.Differences = append(r.Differences, difference(day, asset, movedOn(b.days, day, id), movedOn(told, day, id), note)...)
		}
	}
	return nil
}

func movedOn(s sheet, day string, asset ledger.AssetID) *big.Int {
	if of := s[day][asset]; of != nil {
		return of.moved()
	}
	return new(big.Int)
}

func mentionsOf(assets []ledger.AssetID) *ledgerview.Mentions {
	return &ledgerview.Mentions{Assets: assets}
}

// pageOfNode is how many changes a node gives at once.
const pageOfNode = 100

// note says what a difference of a day means.
const note = "the operations of this day moved something else than the node says"

// nodeChanges reads what the node says that operations moved, newest first, page by page.
func nodeChanges(ctx context.Context, h *history.Reader, id ledger.AccountID, each func(ledger.BalanceChange) bool) error {
	for skip := uint32(0); ; skip += pageOfNode {
		page, err := h.Daemon.SearchAccountBalanceHistory(ctx, id, daemonclient.BalanceSearch{Skip: skip, Limit: pageOfNode})
		if err != nil {
			return fault.Daemon("reading what operations moved", err)
		}
		for _, raw := range page {
			var c ledger.BalanceChange
			if err := codec.Unmarshal(raw, &c); err != nil {
				return fault.Daemon("reading what operations moved", fmt.Errorf("a change of the balance cannot be read: %w", err))
			}
			if !each(c) {
				return nil
			}
		}
		if len(page) < pageOfNode {
			return nil
		}
	}
}
