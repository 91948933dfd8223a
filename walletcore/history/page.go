package history

import (
	"context"
	"encoding/json"
	"sync"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

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
