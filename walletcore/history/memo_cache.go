package history

import (
	"bytes"
	"sort"
	"sync"

	"billfold/ledger"
	"billfold/walletcore/vault"
)

// memoOpener reads a memo with the keys of the wallet.
type memoOpener func(m *ledger.Memo) (text string, state vault.MemoState)

// openedMemo is the memo of a row, as far as it could be read.
type openedMemo struct {
	id    ledger.HistoryID
	memo  *ledger.Memo
	text  string
	state vault.MemoState
}

// memoCache keeps the memos that were read, in clear text. It must be wiped whenever the wallet locks.
type memoCache struct {
	mu sync.Mutex
	by map[ledger.AccountID]*accountMemos
}

// of returns the cached memos of an account. If a memo could not be read because the wallet was locked, and now can be,
// it starts an empty cache for the account.
func (m *memoCache) of(id ledger.AccountID, open memoOpener) *accountMemos {
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

func (m *memoCache) wipe() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, kept := range m.by {
		kept.wipe()
	}
	m.by = nil
}

// accountMemos holds the memos of an account's final rows that were read, in lower case. The rows form one run.
type accountMemos struct {
	mu     sync.Mutex
	first  ledger.HistoryID // the oldest row with a memo in the run; 0: nothing was read
	last   ledger.HistoryID // the newest
	whole  bool             // nothing older can be had
	wiped  bool
	locked *ledger.Memo // one that could not be read while the wallet was locked
	ids    []ledger.HistoryID
	ends   []int  // where each memo ends in text, its zero byte included
	text   []byte // the memos, each followed by a zero byte
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

// add extends the run by memos that were read from edge on. It drops them if edge is no longer the end of the run,
// because another search extended it first.
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
	if need := len(a.text) + len(one.text) + 1; need > cap(a.text) { // append would leave the old text in memory
		grown := make([]byte, len(a.text), 2*need)
		copy(grown, a.text)
		clear(a.text)
		a.text = grown
	}
	a.text = append(append(a.text, one.text...), 0)
	a.ids, a.ends = append(a.ids, one.id), append(a.ends, len(a.text))
}

// markWhole records that nothing is older than the oldest row of the run, if that row is still oldest.
func (a *accountMemos) markWhole(oldest ledger.HistoryID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.whole = a.whole || a.first == oldest
}

// find returns the rows whose memo contains the text. locked reports whether a memo could not be read.
func (a *accountMemos) find(text string) (found []ledger.HistoryID, locked bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for at := 0; ; {
		i := bytes.Index(a.text[at:], []byte(text))
		if i < 0 {
			return found, a.locked != nil
		}
		row := sort.SearchInts(a.ends, at+i+1)
		found, at = append(found, a.ids[row]), a.ends[row]
	}
}

func (a *accountMemos) wipe() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.text)
	a.text, a.ids, a.ends, a.locked, a.wiped = nil, nil, nil, nil, true
}
