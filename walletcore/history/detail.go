package history

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

// Detail is one row the way the reference answers it: the record as the
// daemon wrote it, an English description, and the memo if it can be opened.
type Detail struct {
	Memo        string          `json:"memo"`
	Description string          `json:"description"`
	Op          json.RawMessage `json:"op"`
}

// Latest returns the latest limit operations of an account, newest first;
// more than 100 are read in pages, without gap or repetition. Without a daemon
// the index has those of own accounts, as far as it has them.
func (r *Reader) Latest(ctx context.Context, account string, limit int32) ([]Detail, error) {
	if rows, ok := r.rowsOffline(ctx, account, int(limit)); ok {
		return r.describe(ctx, rows)
	}
	acc, err := r.View.Accounts.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	var rows []json.RawMessage
	var before ledger.HistoryID
	for int(limit) > len(rows) {
		ask := min(int(limit)-len(rows), pageRows)
		page, err := r.rowsBefore(ctx, acc.ID, before, ask)
		if err != nil {
			return nil, err
		}
		rows = append(rows, page...)
		if before, err = recordID(page); err != nil {
			return nil, err
		}
		if len(page) < ask || before == 0 {
			break
		}
	}
	return r.describe(ctx, rows)
}

// Relative returns one page by the account's own count of its
// operations: stop to start, both included, newest first; start 0 is the newest.
func (r *Reader) Relative(ctx context.Context, account string, stop uint32, limit int32, start uint32) ([]Detail, error) {
	acc, err := r.View.Accounts.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	if limit <= 0 {
		return []Detail{}, nil
	}
	rows, err := r.Daemon.RelativeAccountHistoryRaw(ctx, acc.ID, stop, uint32(limit), start)
	if err != nil {
		return nil, fault.Daemon("reading the history", err)
	}
	return r.describe(ctx, rows)
}

// describe adds memo and description to raw records.
func (r *Reader) describe(ctx context.Context, rows []json.RawMessage) ([]Detail, error) {
	records, d, err := r.readRecords(ctx, rows)
	if err != nil {
		return nil, err
	}
	out := make([]Detail, len(rows))
	onAllCores(len(rows), func(i int) {
		if m, ok := messageOf(records[i].Op.Body); ok {
			description, text := d.message(records[i].Op.Body.(*ledger.CustomOp), m)
			out[i] = Detail{Memo: text, Description: description, Op: rows[i]}
			return
		}
		memo, state := d.open(records[i].Op.Memo())
		out[i] = Detail{Description: d.describe(records[i], memo, state), Op: rows[i]}
		if state == vault.MemoOpen || state == vault.MemoPlain {
			out[i].Memo = memo
		}
	})
	return out, nil
}
