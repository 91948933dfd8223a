package history

import (
	"context"

	"billfold/ledger"
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
