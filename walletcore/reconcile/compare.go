package reconcile

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// compare compares each day with what the node says the operations moved, without fees: the node does not show all of them.
func (r *Report) compare(
	ctx context.Context, h *history.Reader, b *books, names map[ledger.AssetID]ledgerview.AssetRef, from, to string,
) error {
	fromNode := sheet{}
	err := nodeChanges(ctx, h, r.AccountID, func(c ledger.BalanceChange) bool {
		day := dayOf(c.Timestamp)
		if c.Record.BlockNum <= b.status.Final {
			fromNode.add(day, effectByNode(r.AccountID, c, ledger.AssetAmount{}))
		}
		return day >= from
	})
	if err != nil {
		return err
	}
	both := sheet{}
	for _, s := range []sheet{b.days, fromNode} {
		for day, assets := range s {
			for asset := range assets {
				both.sumOf(day, asset)
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
			r.Differences = append(r.Differences, difference(day, asset, movedOn(b.days, day, id), movedOn(fromNode, day, id), note)...)
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

// pageOfNode is the number of changes that a node returns at once.
const pageOfNode = 100

// note explains a difference of one day.
const note = "the operations of this day moved other amounts than the node says"

// nodeChanges reads what the node says that operations moved, newest first, page by page, until each returns false. Operations that come in
// meanwhile push others to the next page: those are passed on once.
func nodeChanges(ctx context.Context, h *history.Reader, id ledger.AccountID, each func(ledger.BalanceChange) bool) error {
	lowest := ledger.HistoryID(math.MaxUint64)
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
			if c.Record.ID >= lowest {
				continue
			}
			if lowest = c.Record.ID; !each(c) {
				return nil
			}
		}
		if len(page) < pageOfNode {
			return nil
		}
	}
}
