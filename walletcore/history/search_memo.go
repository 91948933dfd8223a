package history

import (
	"context"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/vault"
)

// MemoSearch is which rows of an account have a text in their memo.
type MemoSearch struct {
	IDs         []ledger.HistoryID
	More        bool   // others may be found by searching on
	Read, Total uint64 // rows looked through, of those that there are
	Locked      bool   // the memo of at least one was not read, since the wallet is locked
}

// SearchMemos finds the rows of the index whose memo, as far as this wallet can read it, contains a
// text, whatever the case of its letters. Memos that were read stay in memory until the wallet locks, those of final rows alone.
// It reads on for so long, at least one part, and returns what it has by then; 0 is to the end.
func (r *Reader) SearchMemos(ctx context.Context, id ledger.AccountID, text string, soon time.Duration) (out MemoSearch, err error) {
	if !r.Indexed() || text == "" || strings.Contains(text, "\x00") {
		return out, nil
	}
	begun := time.Now()
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
		if !out.More || soon != 0 && time.Since(begun) >= soon {
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

// withText are the rows that may have something to read.
func withText() historyindex.Filter {
	return historyindex.Filter{Any: []historyindex.Filter{
		{Memo: []historyindex.Memo{historyindex.PlainMemo, historyindex.EncryptedMemo}}, {Code: []ledger.OpCode{ledger.CodeCustom}}}}
}

// memoRows is how many memos are read at a time.
const memoRows = 500

// readNewer keeps what became final since the last time, and returns the memos of the rows that are not final.
func (r *Reader) readNewer(ctx context.Context, id ledger.AccountID, memos *accountMemos) (fresh []openedMemo, err error) {
	after, whole := memos.newest()
	for {
		f := withText()
		if after == 0 && !whole { // the others are read as older ones
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

// readOlder keeps the memos of one more part of the final rows; more reports whether there may be others.
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
		memos.end(before)
	}
	return len(page.Rows) == memoRows, nil
}

// openAll reads the memos of rows.
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
