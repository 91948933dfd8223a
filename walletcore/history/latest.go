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

// Latest returns the latest limit operations of an account, newest first. For the wallet's own
// accounts they come from the index as far as it has what the daemon would return: up to the
// head block if it is up to date, otherwise up to the last irreversible block, with one query
// for what is newer. All others are read from the daemon in pages of 100, without gaps or
// repetitions. Without a daemon, own accounts have what is in the index.
func (r *Reader) Latest(ctx context.Context, account string, limit int32) ([]Detail, error) {
	if rows, ok, err := r.latestIndexed(ctx, account, limit); ok || err != nil {
		return rows, err
	}
	acc, err := r.View.Accounts.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	rows, err := r.latestFromDaemon(ctx, acc.ID, int(limit))
	if err != nil {
		return nil, err
	}
	return r.describe(ctx, rows)
}

// latestIndexed returns the latest rows of an own account with the help of the index; ok is false if all of
// them must be read from the daemon.
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

// latestFromDaemon reads the latest rows from the daemon.
func (r *Reader) latestFromDaemon(ctx context.Context, id ledger.AccountID, limit int) (rows []json.RawMessage, err error) {
	var before ledger.HistoryID
	for limit > len(rows) {
		ask := min(limit-len(rows), pageRows)
		page, err := r.rowsBefore(ctx, id, before, ask)
		if err != nil {
			return nil, err
		}
		rows = append(rows, page...)
		if before, err = lastID(page); err != nil {
			return nil, err
		}
		if len(page) < ask || before == 0 {
			break
		}
	}
	return rows, nil
}

// Relative returns one page of rows by the account's own count of its operations, from
// stop to start, both included, newest first; start 0 is the newest. A page that starts at
// the newest row and is bounded only by limit is that of Latest, and comes from the index too.
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

// latestOwn returns the latest rows of an own account: those of the index, and newer ones
// from the daemon. ok is false if the index lacks some of them.
func (r *Reader) latestOwn(ctx context.Context, id ledger.AccountID, limit int) (rows []json.RawMessage, ok bool, err error) {
	page, err := r.newest.read(ctx, id, limit)
	if err != nil || !page.Known() {
		return nil, false, nil // the daemon is asked instead, and its error is returned if it fails
	}
	switch now := r.Daemon.Status(); {
	case now.State == daemonclient.Connecting: // it may be reachable in a moment, and have more
		return nil, false, nil
	case now.State != daemonclient.Online:
		return rawsOf(page.Rows), true, nil // nothing more can be had
	case len(page.Rows) < limit && !page.Whole:
		return nil, false, nil
	case page.Head != 0 && page.HeadID == now.Head:
		return rawsOf(page.Rows), true, nil
	}
	return r.latestAbove(ctx, page, limit)
}

// latestAbove reads from the daemon what is newer than the final rows. ok is false if that is
// more than one page, if no row is final, or if a fork dropped rows so that the page is too short.
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
