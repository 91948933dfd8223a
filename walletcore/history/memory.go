package history

import (
	"bytes"
	"context"
	"sort"
	"strings"
	"sync"
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
	memos.find(text, &out)
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

// openedMemo is what was read of a row.
type openedMemo struct {
	id    ledger.HistoryID
	memo  *ledger.Memo
	text  string
	state vault.MemoState
}

// memory keeps the memos that were read, in the clear, so it is emptied whenever the wallet locks.
type memory struct {
	mu sync.Mutex
	by map[ledger.AccountID]*accountMemos
}

// of are the memos of an account; those that were kept while the wallet was locked are read anew once it is open.
func (m *memory) of(id ledger.AccountID, open memoOpener) *accountMemos {
	m.mu.Lock()
	defer m.mu.Unlock()
	kept := m.by[id]
	if kept == nil || kept.opens(open) {
		kept = &accountMemos{}
		if m.by == nil {
			m.by = map[ledger.AccountID]*accountMemos{}
		}
		m.by[id] = kept
	}
	return kept
}

func (m *memory) wipe() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, kept := range m.by {
		kept.wipe()
	}
	m.by = nil
}

// accountMemos are the memos of the final rows of an account that were read: one run of rows, in lower case.
type accountMemos struct {
	mu     sync.Mutex
	first  ledger.HistoryID // the oldest row of the run that has one; 0: nothing was read
	last   ledger.HistoryID // the newest
	whole  bool             // nothing older can be had
	wiped  bool
	locked *ledger.Memo // one that could not be read
	ids    []ledger.HistoryID
	ends   []int  // of the text of each, in text
	text   []byte // each memo, and a zero behind it
}

func (a *accountMemos) newest() (after ledger.HistoryID, whole bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.last, a.whole
}

func (a *accountMemos) oldest() (before ledger.HistoryID, whole bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.first, a.whole || a.wiped
}

// opens reports whether a memo that could not be read can be read now.
func (a *accountMemos) opens(open memoOpener) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.locked == nil {
		return false
	}
	_, state := open(a.locked)
	return state != vault.MemoLocked
}

// add keeps memos that come next to the edge of the run that was seen; another search may have been there first.
func (a *accountMemos) add(list []openedMemo, edge ledger.HistoryID, newer bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := a.first
	if newer {
		at = a.last
	}
	if a.wiped || len(list) == 0 || at != edge || newer && a.first == 0 && !a.whole {
		return
	}
	if head, tail := list[0].id, list[len(list)-1].id; newer {
		a.last = tail
		if a.first == 0 {
			a.first = head
		}
	} else {
		a.first, a.last = tail, max(a.last, head)
	}
	for _, one := range list {
		if one.state == vault.MemoLocked {
			a.locked = one.memo
		}
		if one.text != "" {
			a.keep(one)
		}
	}
}

func (a *accountMemos) keep(one openedMemo) {
	if need := len(a.text) + len(one.text) + 1; need > cap(a.text) { // append would leave the old text behind
		grown := make([]byte, len(a.text), 2*need)
		copy(grown, a.text)
		clear(a.text)
		a.text = grown
	}
	a.text = append(append(a.text, one.text...), 0)
	a.ids, a.ends = append(a.ids, one.id), append(a.ends, len(a.text))
}

// end notes that there is nothing older than the oldest row of the run, if that is still this one.
func (a *accountMemos) end(oldest ledger.HistoryID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.whole = a.whole || a.first == oldest
}

// find adds the rows whose memo contains the text.
func (a *accountMemos) find(text string, out *MemoSearch) {
	a.mu.Lock()
	defer a.mu.Unlock()
	out.Locked = out.Locked || a.locked != nil
	for at := 0; ; {
		i := bytes.Index(a.text[at:], []byte(text))
		if i < 0 {
			return
		}
		row := sort.SearchInts(a.ends, at+i+1)
		out.IDs, at = append(out.IDs, a.ids[row]), a.ends[row]
	}
}

func (a *accountMemos) wipe() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.text)
	a.text, a.ids, a.ends, a.locked, a.wiped = nil, nil, nil, nil, true
}
