package walletcore

import (
	"context"
	"encoding/json"
	"math/big"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// HistoryFilter, HistoryWindow and HistoryPlace are those of the index.
type (
	HistoryFilter = historyindex.Filter
	HistoryWindow = historyindex.Window
	HistoryPlace  = historyindex.Place
)

// HistoryProgress is how much of an account's history is at hand.
type HistoryProgress struct {
	Known  bool        // there is an index, and the account was read before
	Rows   uint64      // kept here, without a gap from the newest on
	Total  uint64      // that the account has, as the daemon said last
	Whole  bool        // nothing older can be had
	Head   uint32      // the block they are complete up to; 0 while newer ones are being read
	AsOf   ledger.Time // of that block
	Final  uint32      // rows in blocks up to this one never change
	Notice string      // why the index is built anew; mostly empty
}

// HistorySum is what moved of an asset, smallest unit.
type HistorySum struct {
	Asset   ledgerview.AssetRef
	In, Out *big.Int
}

// HistoryTally is how many rows match a filter, and what they move.
type HistoryTally struct {
	Rows uint64
	Sums []HistorySum
}

// HistoryProgress reads how far the index of an account is.
func (w *Wallet) HistoryProgress(ctx context.Context, id ledger.AccountID) (HistoryProgress, error) {
	if !w.indexed() {
		return HistoryProgress{}, nil
	}
	s, err := w.index.Standing(ctx, id)
	p := HistoryProgress{Known: s.Known(), Total: s.Total, Whole: s.Whole, Head: s.Head, AsOf: s.HeadTime, Final: s.Final, Notice: w.index.Notice()}
	if s.Known() {
		p.Rows = s.Rows()
	}
	return p, indexFault(err)
}

// HistoryPage gives rows that match a filter, newest first, from the index:
// also without a daemon, and of any number.
func (w *Wallet) HistoryPage(ctx context.Context, id ledger.AccountID, f HistoryFilter, win HistoryWindow) ([]HistoryEntry, error) {
	if !w.indexed() {
		return nil, nil
	}
	page, err := w.index.Page(ctx, id, f, win)
	if err != nil {
		return nil, indexFault(err)
	}
	return w.indexedEntries(ctx, id, page.Rows)
}

// HistoryCount is how many rows of the index match.
func (w *Wallet) HistoryCount(ctx context.Context, id ledger.AccountID, f HistoryFilter) (uint64, error) {
	if !w.indexed() {
		return 0, nil
	}
	n, err := w.index.Count(ctx, id, f)
	return n, indexFault(err)
}

// HistoryTally counts and adds up the rows of the index that match.
func (w *Wallet) HistoryTally(ctx context.Context, id ledger.AccountID, f HistoryFilter) (HistoryTally, error) {
	if !w.indexed() {
		return HistoryTally{}, nil
	}
	tally, err := w.index.Tally(ctx, id, f)
	if err != nil {
		return HistoryTally{}, indexFault(err)
	}
	var m ledgerview.Mentions
	for _, s := range tally.Sums {
		m.AssetName(s.Asset)
	}
	refs, err := w.namesFor(ctx, &m)
	out := HistoryTally{Rows: tally.Rows}
	for _, s := range tally.Sums {
		out.Sums = append(out.Sums, HistorySum{refs[s.Asset], s.In, s.Out})
	}
	return out, err
}

// HistoryPosition is how many matching rows of the index are newer than row.
func (w *Wallet) HistoryPosition(ctx context.Context, id ledger.AccountID, f HistoryFilter, row ledger.HistoryID) (uint64, error) {
	if !w.indexed() {
		return 0, nil
	}
	n, err := w.index.Position(ctx, id, f, row)
	return n, indexFault(err)
}

// HistoryJump finds the newest matching row of the index that is not later than
// at; found is false when there is none.
func (w *Wallet) HistoryJump(ctx context.Context, id ledger.AccountID, f HistoryFilter, at ledger.Time) (p HistoryPlace, found bool, err error) {
	if !w.indexed() {
		return p, false, nil
	}
	p, found, err = w.index.Jump(ctx, id, f, at)
	return p, found, indexFault(err)
}

func indexFault(err error) error {
	if err == nil {
		return nil
	}
	return &fault.Error{
		Code: fault.File, Op: "history", Message: "the history index cannot be read: " + err.Error(),
		Hint: "try again; if it stays, remove the file, it is built anew", Err: err,
	}
}

// indexedPage reads from the index what the daemon would answer; ok is false
// when the index may lack some of it.
func (w *Wallet) indexedPage(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) (page historyindex.Page, ok bool) {
	if !w.indexed() || limit <= 0 {
		return page, false
	}
	page, err := w.index.Page(ctx, id, HistoryFilter{}, HistoryWindow{Before: before, Limit: limit})
	if err != nil || !page.Known() {
		return page, false
	}
	if w.daemon.Status().State != daemonclient.Online {
		return page, true // all there is
	}
	if len(page.Rows) < limit && !page.Whole {
		return page, false
	}
	head, _, _ := w.chain.read()
	upToHead := page.Head != 0 && page.Head == head
	return page, upToHead || len(page.Rows) > 0 && page.Rows[0].Final && page.Rows[0].Seq < page.Top
}

// rowsOffline gives the records of an own account, by name or id, that the index
// has; ok is false when a daemon can be asked, or the index has none.
func (w *Wallet) rowsOffline(ctx context.Context, account string, limit int) (raws []json.RawMessage, ok bool) {
	if !w.indexed() || w.daemon.Status().State == daemonclient.Online {
		return nil, false
	}
	for _, a := range w.Accounts() {
		if a.Name != account && a.ID.String() != account {
			continue
		}
		page, err := w.index.Page(ctx, a.ID, HistoryFilter{}, HistoryWindow{Limit: max(limit, 0)})
		for _, r := range page.Rows {
			raws = append(raws, r.Raw)
		}
		return raws, err == nil && page.Known()
	}
	return nil, false
}

// indexedEntries shows rows of the index.
func (w *Wallet) indexedEntries(ctx context.Context, id ledger.AccountID, rows []historyindex.Row) ([]HistoryEntry, error) {
	raws := make([]json.RawMessage, len(rows))
	for i, r := range rows {
		raws[i] = r.Raw
	}
	records, d, err := w.readRecords(ctx, raws)
	if err != nil {
		return nil, err
	}
	out := make([]HistoryEntry, len(records))
	onAllCores(len(records), func(i int) {
		out[i] = d.entry(id, records[i])
		out[i].Time, out[i].Final = rows[i].Time, rows[i].Final
	})
	return out, nil
}
