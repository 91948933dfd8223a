package history

import (
	"context"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/vault"
)

// MemoSearch is the result of a search in memos.
type MemoSearch struct {
	IDs         []ledger.HistoryID
	More        bool   // searching on may find more
	Read, Total uint64 // rows searched, and rows in the index
	Locked      bool   // at least one memo was not read because the wallet is locked
}

// SearchMemos finds the rows of the index whose memo, as far as this wallet can read it, contains a
// text, ignoring case. The memos of final rows stay in memory until the wallet locks. It stops reading
// after the time limit, but not before one batch, and returns what it has; without a limit, 0, it reads to the end.
func (r *Reader) SearchMemos(ctx context.Context, id ledger.AccountID, text string, limit time.Duration) (out MemoSearch, err error) {
	if !r.Indexed() || text == "" || strings.Contains(text, "\x00") {
		return out, nil
	}
	start := time.Now()
	memos := r.memos.of(id, r.Vault.OpenMemo)
	status, err := r.Index.Status(ctx, id)
	if err != nil || !status.Known() {
		return out, IndexFault(err)
	}
	text, out.Total = strings.ToLower(text), status.Rows()
	fresh, err := r.readNewer(ctx, id, memos)
	if err != nil {
		return out, err
	}
	for {
		if out.More, err = r.readOlder(ctx, id, memos); err != nil {
			return out, err
		}
		if !out.More || limit != 0 && time.Since(start) >= limit {
			break
		}
	}
	for _, one := range fresh {
		out.Locked = out.Locked || one.state == vault.MemoLocked
		if strings.Contains(one.text, text) {
			out.IDs = append(out.IDs, one.id)
		}
	}
	found, locked := memos.find(text)
	out.IDs, out.Locked = append(out.IDs, found...), out.Locked || locked
	if out.Read = out.Total; out.More {
		oldest, _ := memos.oldest()
		out.Read, err = r.Index.Position(ctx, id, historyindex.Filter{}, oldest)
	}
	return out, IndexFault(err)
}

// withText returns a filter of the rows that may have a text: a memo or a message.
func withText() historyindex.Filter {
	return historyindex.Filter{Any: []historyindex.Filter{
		{Memo: []historyindex.Memo{historyindex.PlainMemo, historyindex.EncryptedMemo}}, {Code: []ledger.OpCode{ledger.CodeCustom}}}}
}

// memoRows is how many memos are read at a time.
const memoRows = 500

// readNewer caches the memos of rows that became final since the last search, and returns the memos of rows that are
// not final.
func (r *Reader) readNewer(ctx context.Context, id ledger.AccountID, memos *accountMemos) (fresh []openedMemo, err error) {
	after, whole := memos.newest()
	for {
		f := withText()
		if after == 0 && !whole { // readOlder reads the final ones
			f.State = historyindex.Provisional
		}
		page, err := r.Index.Page(ctx, id, f, historyindex.Window{After: after, Oldest: true, Limit: memoRows})
		if err != nil {
			return nil, IndexFault(err)
		}
		opened := r.openAll(page.Rows)
		final := 0
		for final < len(page.Rows) && page.Rows[final].Final {
			final++
		}
		memos.add(opened[:final], after, true)
		fresh = append(fresh, opened[final:]...)
		if len(page.Rows) < memoRows {
			return fresh, nil
		}
		after = page.Rows[len(page.Rows)-1].ID
	}
}

// readOlder caches the memos of one more batch of final rows, going back in time; more reports whether there may be others.
func (r *Reader) readOlder(ctx context.Context, id ledger.AccountID, memos *accountMemos) (more bool, err error) {
	before, whole := memos.oldest()
	if whole {
		return false, nil
	}
	f := withText()
	f.State = historyindex.Final
	page, err := r.Index.Page(ctx, id, f, historyindex.Window{Before: before, Limit: memoRows})
	if err != nil {
		return false, IndexFault(err)
	}
	memos.add(r.openAll(page.Rows), before, false)
	if n := len(page.Rows); n > 0 {
		before = page.Rows[n-1].ID
	}
	if len(page.Rows) < memoRows && page.Whole {
		memos.markWhole(before)
	}
	return len(page.Rows) == memoRows, nil
}

// openAll reads the memos of rows, in lower case.
func (r *Reader) openAll(rows []historyindex.Row) []openedMemo {
	out := make([]openedMemo, len(rows))
	onAllCores(len(rows), func(i int) {
		out[i].id = rows[i].ID
		record, err := readRecord(rows[i].Raw)
		if err != nil || record.Op.Body == nil {
			return
		}
		if m, carries := messageOf(record.Op.Body); carries {
			out[i].text, _ = openMessage(r.Vault.OpenMemo, m)
		} else {
			out[i].memo = record.Op.Memo()
			out[i].text, out[i].state = r.Vault.OpenMemo(out[i].memo)
		}
		out[i].text = strings.ToLower(out[i].text)
	})
	return out
}
