package history

import (
	"context"
	"encoding/json"
	"sync"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Entries returns up to limit rows of an account that are older than before, newest
// first; 0 starts at the newest. They come from the index if it has them all up to the
// head block, or if no daemon is available; otherwise from the daemon.
func (r *Reader) Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]Entry, error) {
	if page, ok := r.indexedPage(ctx, id, before, limit); ok {
		return r.indexedEntries(ctx, id, page.Rows)
	}
	var out []Entry
	for len(out) < limit {
		ask := min(limit-len(out), pageRows)
		page, err := r.page(ctx, id, before, ask)
		if err != nil {
			return nil, err
		}
		out = append(out, page...)
		if len(page) < ask || page[len(page)-1].ID == 0 {
			break
		}
		before = page[len(page)-1].ID
	}
	return out, nil
}

// page is Entries for at most 100 rows, always from the daemon.
func (r *Reader) page(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]Entry, error) {
	rows, err := r.rowsBefore(ctx, id, before, limit)
	if err != nil {
		return nil, err
	}
	records, d, err := r.readRecords(ctx, rows)
	if err != nil {
		return nil, err
	}
	times, err := r.blockTimes(ctx, records)
	if err != nil {
		return nil, err
	}
	_, _, irreversible := r.View.Chain.Position()
	out := make([]Entry, len(records))
	onAllCores(len(records), func(i int) {
		out[i] = d.entry(id, records[i])
		out[i].Time, out[i].Final = times[records[i].BlockNum], records[i].BlockNum <= irreversible
	})
	return out, nil
}

// pageRows is the most rows that one history call of the daemon returns.
const pageRows = 100

// rowsBefore reads up to limit records (at most 100) older than before, newest first; 0
// starts at the newest.
func (r *Reader) rowsBefore(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]json.RawMessage, error) {
	start := before
	if start > 1 { // a start of 0 would mean the newest, so record 0 is requested together with 1
		start--
	}
	if before == 1 {
		limit++
	}
	rows, err := r.Daemon.AccountHistoryRaw(ctx, id, 0, uint32(min(limit, pageRows)), start)
	if err != nil {
		return nil, fault.Daemon("reading the history", err)
	}
	if before == 1 && len(rows) > 0 {
		if first, err := lastID(rows[:1]); err != nil || first == 1 {
			return rows[1:], err
		}
	}
	return rows, nil
}

// lastID returns the id of the last record of a page, 0 if the page is empty.
func lastID(page []json.RawMessage) (ledger.HistoryID, error) {
	if len(page) == 0 {
		return 0, nil
	}
	var r struct {
		ID ledger.HistoryID `json:"id"`
	}
	if err := codec.Unmarshal(page[len(page)-1], &r); err != nil {
		return 0, fault.Daemon("reading the history", err)
	}
	return r.ID, nil
}

// blockTimes returns the times of the records' blocks, by block number. Those of
// irreversible blocks are cached. A block that the daemon lacks has time 0.
func (r *Reader) blockTimes(ctx context.Context, records []ledger.HistoryRecord) (map[uint32]ledger.Time, error) {
	out := map[uint32]ledger.Time{}
	_, _, irreversible := r.View.Chain.Position()
	var ask []uint32
	for _, record := range records {
		if _, done := out[record.BlockNum]; done {
			continue
		}
		at, known := r.times.Get(record.BlockNum)
		if out[record.BlockNum] = at; !known {
			ask = append(ask, record.BlockNum)
		}
	}
	var mu sync.Mutex
	err := queryAll(len(ask), func(i int) error {
		header, err := r.Daemon.GetBlockHeader(ctx, ask[i])
		if err != nil || header == nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		out[ask[i]] = header.Timestamp
		if ask[i] <= irreversible {
			r.times.Add(ask[i], header.Timestamp)
		}
		return nil
	})
	if err != nil {
		return nil, fault.Daemon("reading the time of a block", err)
	}
	return out, nil
}

// isNull reports whether a daemon returned nothing.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// newestRows reads the newest rows of accounts from the index. It caches them until the account's status changes.
type newestRows struct {
	index *historyindex.Index
	kept  *lru.Cache[ledger.AccountID, historyindex.Page]
}

const (
	maxNewest     = 64  // accounts
	maxNewestRows = 200 // of an account
)

func newNewestRows(x *historyindex.Index) newestRows {
	kept, err := lru.New[ledger.AccountID, historyindex.Page](maxNewest)
	if err != nil {
		panic(err) // only a size below one is refused
	}
	return newestRows{x, kept}
}

// read returns up to limit rows, newest first, with the status they were read at.
func (n newestRows) read(ctx context.Context, id ledger.AccountID, limit int) (historyindex.Page, error) {
	if kept, found := n.kept.Get(id); found && (limit <= len(kept.Rows) || len(kept.Rows) == int(kept.Status.Rows())) {
		now, err := n.index.Status(ctx, id)
		if err != nil {
			return historyindex.Page{}, err
		}
		if now == kept.Status {
			kept.Rows = kept.Rows[:min(limit, len(kept.Rows))]
			return kept, nil
		}
	}
	page, err := n.index.Page(ctx, id, historyindex.Filter{}, historyindex.Window{Limit: limit})
	if err == nil && page.Known() && len(page.Rows) <= maxNewestRows {
		n.kept.Add(id, page)
	}
	return page, err
}

func rawsOf(rows []historyindex.Row) []json.RawMessage {
	raws := make([]json.RawMessage, len(rows))
	for i, row := range rows {
		raws[i] = row.Raw
	}
	return raws
}
