package history

import (
	"context"
	"encoding/json"
	"sync"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// pageRows is the most rows one history call of the daemon gives.
const pageRows = 100

// rowsBefore reads up to limit (100) records older than before, newest first; 0
// begins with the newest.
func (r *Reader) rowsBefore(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]json.RawMessage, error) {
	start := before
	if start > 1 { // a start of 0 would mean the newest, so record 0 is asked for together with 1
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
		if first, err := recordID(rows[:1]); err != nil || first == 1 {
			return rows[1:], err
		}
	}
	return rows, nil
}

// recordID is the id of the last record of a page, 0 when it is empty.
func recordID(page []json.RawMessage) (ledger.HistoryID, error) {
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

// blockTimes reads when the records' blocks were made, from the cache where
// the block is irreversible, else from the daemon.
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
	err := askAll(len(ask), func(i int) error {
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

// isNull reports whether a daemon has nothing of what was requested.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
