package state

import (
	"iter"
	"sort"

	"billfold/ledger"
)

// AccountHistory is the object 2.8.N: one operation in the history of one account.
// Next is the account's previous one.
type AccountHistory struct {
	ID          ledger.ObjectID  `json:"id"`
	Account     ledger.AccountID `json:"account"`
	OperationID ledger.HistoryID `json:"operation_id"`
	Sequence    uint32           `json:"sequence"`
	Next        ledger.ObjectID  `json:"next"`
}

// History is the applied operations: the objects 1.7.N, and 2.8.N for each account.
type History struct {
	table[ledger.HistoryID, ledger.HistoryRecord]
	entries   table[uint64, AccountHistory]
	byAccount lists[ledger.AccountID, uint64] // instances of 2.8, by sequence
}

func newHistory(j *journal) History {
	h := History{byAccount: newLists[ledger.AccountID, uint64](j)}
	h.table.j, h.entries.j = j, j
	return h
}

// Page returns the records of an account with stop < id ≤ start, newest
// first, at most limit; start 0 means the newest. With stop 0 the record
// 1.7.0 is included (docs/protocol/daemon-api.md 4).
func (h *History) Page(account ledger.AccountID, stop ledger.HistoryID, limit int, start ledger.HistoryID) []*ledger.HistoryRecord {
	list := []*ledger.HistoryRecord{}
	entries := h.byAccount.of(account)
	first := len(entries)
	if start != 0 {
		first = sort.Search(len(entries), func(i int) bool { return h.operation(entries[i]) > start })
	}
	for i := first - 1; i >= 0 && len(list) < limit; i-- {
		id := h.operation(entries[i])
		if id <= stop && stop != 0 {
			break
		}
		list = append(list, h.Get(id))
	}
	return list
}

func (h *History) operation(n uint64) ledger.HistoryID { return h.entries.Get(n).OperationID }

// Relative returns records by the account's own sequence, which starts at
// 1: stop ≤ sequence ≤ start, newest first; start 0 means the newest.
func (h *History) Relative(account ledger.AccountID, stop uint32, limit int, start uint32) []*ledger.HistoryRecord {
	list := []*ledger.HistoryRecord{}
	entries := h.byAccount.of(account)
	last := len(entries)
	if start != 0 {
		last = min(last, int(start))
	}
	for seq := last; seq >= max(1, int(stop)) && len(list) < limit; seq-- {
		list = append(list, h.Get(h.operation(entries[seq-1])))
	}
	return list
}

// OfAccount yields all records of an account, newest first.
func (h *History) OfAccount(account ledger.AccountID) iter.Seq[*ledger.HistoryRecord] {
	return func(yield func(*ledger.HistoryRecord) bool) {
		entries := h.byAccount.of(account)
		for i := len(entries) - 1; i >= 0; i-- {
			if !yield(h.Get(h.operation(entries[i]))) {
				return
			}
		}
	}
}
