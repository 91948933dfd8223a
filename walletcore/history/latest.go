package history

import (
	"context"
	"encoding/json"
	"slices"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
)

// Latest returns the latest limit operations of an account, newest first. Those of own
// accounts come from the index, as far as it has what the daemon would answer: up to the head
// block when it stands there, else up to the last irreversible block, with one question for
// what is above. All others are asked for in pages of 100, without gap or repetition. Without
// a daemon the index has those of own accounts, as far as it goes.
func (r *Reader) Latest(ctx context.Context, account string, limit int32) ([]Detail, error) {
	if rows, ok, err := r.latestIndexed(ctx, account, limit); ok || err != nil {
		return rows, err
	}
	acc, err := r.View.Accounts.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	rows, err := r.latestAsked(ctx, acc.ID, int(limit))
	if err != nil {
		return nil, err
	}
	return r.describe(ctx, rows)
}

// latestIndexed returns the latest rows of an own account from the index; ok is false when the daemon
// has to be asked for all of them.
func (r *Reader) latestIndexed(ctx context.Context, account string, limit int32) (out []Detail, ok bool, err error) {
	own, listed := r.Vault.AccountOf(account)
	if !listed || limit <= 0 || !r.Indexed() {
		return nil, false, nil
	}
	rows, ok, err := r.latestOwn(ctx, own.ID, int(limit))
	if err != nil || !ok {
		return nil, false, err
	}
	out, err = r.describe(ctx, rows)
	return out, true, err
}

// latestAsked reads the latest rows from the daemon.
func (r *Reader) latestAsked(ctx context.Context, id ledger.AccountID, limit int) (rows []json.RawMessage, err error) {
	var before ledger.HistoryID
	for limit > len(rows) {
		ask := min(limit-len(rows), pageRows)
		page, err := r.rowsBefore(ctx, id, before, ask)
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
	return rows, nil
}

// Relative returns one page by the account's own count of its
// operations: stop to start, both included, newest first; start 0 is the newest. What
// begins with the newest and goes as far as the limit is what Latest returns, and comes from the index as well.
func (r *Reader) Relative(ctx context.Context, account string, stop uint32, limit int32, start uint32) ([]Detail, error) {
	if start == 0 && stop <= 1 && limit <= pageRows {
		if rows, ok, err := r.latestIndexed(ctx, account, limit); ok || err != nil {
			return rows, err
		}
	}
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

// latestOwn returns the latest rows of an own account: from the index, and what the daemon
// has above them. ok is false when the index lacks some of them, so that all have to be asked for.
func (r *Reader) latestOwn(ctx context.Context, id ledger.AccountID, limit int) (rows []json.RawMessage, ok bool, err error) {
	page, err := r.newest.read(ctx, id, limit)
	if err != nil || !page.Known() {
		return nil, false, nil // the daemon can be asked, and says what is wrong if it cannot
	}
	switch now := r.Daemon.Status(); {
	case now.State == daemonclient.Connecting: // it may answer in a moment, and have more
		return nil, false, nil
	case now.State != daemonclient.Online:
		return rawsOf(page.Rows), true, nil // all there is
	case len(page.Rows) < limit && !page.Whole:
		return nil, false, nil
	case page.Head != 0 && page.HeadID == now.Head:
		return rawsOf(page.Rows), true, nil
	}
	return r.latestAbove(ctx, page, limit)
}

// latestAbove asks the daemon for what stands above the rows that never change. ok is false when
// that is more than it answers at once, when no row is final, or when rows were taken back, so that
// the page is too short.
func (r *Reader) latestAbove(ctx context.Context, page historyindex.Page, limit int) (rows []json.RawMessage, ok bool, err error) {
	final := slices.IndexFunc(page.Rows, func(row historyindex.Row) bool { return row.Final })
	if final < 0 {
		return nil, false, nil
	}
	ask := min(limit, pageRows)
	rows, err = r.Daemon.AccountHistoryRaw(ctx, page.Account, page.Rows[final].ID, uint32(ask), 0)
	if err != nil {
		return nil, false, fault.Daemon("reading the history", err)
	}
	if len(rows) == ask && ask < limit {
		return nil, false, nil
	}
	rows = append(rows, rawsOf(page.Rows[final:])...)
	if whole := page.Whole && len(page.Rows) == int(page.Status.Rows()); len(rows) < limit && !whole {
		return nil, false, nil
	}
	return rows[:min(limit, len(rows))], true, nil
}
