package chain

import (
	"sort"

	"billfold/ledger"
)

// History gives the records of an account with stop < id ≤ start, newest
// first, at most limit; start 0 means the newest. With stop 0 the record
// 1.7.0 is included (protocol/daemon-api.md 4).
func (s *State) History(account ledger.AccountID, stop ledger.HistoryID, limit int, start ledger.HistoryID) []*ledger.HistoryRecord {
	list := []*ledger.HistoryRecord{}
	ops := s.ops[account]
	first := len(ops)
	if start != 0 {
		first = sort.Search(len(ops), func(i int) bool { return s.operationOf(ops[i]) > start })
	}
	for i := first - 1; i >= 0 && len(list) < limit; i-- {
		id := s.operationOf(ops[i])
		if id <= stop && stop != 0 {
			break
		}
		list = append(list, s.history.get(uint64(id)))
	}
	return list
}

func (s *State) operationOf(n uint64) ledger.HistoryID { return s.perAccount.get(n).OperationID }

// RelativeHistory gives records by the account's own sequence, which begins at
// 1: stop ≤ sequence ≤ start, newest first; start 0 means the newest.
func (s *State) RelativeHistory(account ledger.AccountID, stop uint32, limit int, start uint32) []*ledger.HistoryRecord {
	list := []*ledger.HistoryRecord{}
	ops := s.ops[account]
	last := len(ops)
	if start != 0 {
		last = min(last, int(start))
	}
	for seq := last; seq >= max(1, int(stop)) && len(list) < limit; seq-- {
		list = append(list, s.history.get(uint64(s.operationOf(ops[seq-1]))))
	}
	return list
}

// record writes one operation into the history: one 1.7 object, and a 2.8
// object for every account it touches, by account id.
func (s *State) record(block uint32, trx, at int, op ledger.Operation, result ledger.OperationResult) {
	id := ledger.HistoryID(s.history.next())
	s.history.insert(&ledger.HistoryRecord{
		ID: id, Op: op, Result: result, BlockNum: block, TrxInBlock: uint32(trx), OpInTrx: uint32(at),
	})
	for _, account := range touched(op, result) {
		s.recordFor(account, id)
	}
}

func touched(op ledger.Operation, result ledger.OperationResult) []ledger.AccountID {
	need := requiredBy([]ledger.Operation{op})
	accounts := need.all()
	for i := range need.other {
		for _, m := range need.other[i].AccountAuths {
			accounts = append(accounts, m.Account)
		}
	}
	if ev, ok := evaluatorOf(op.Code); ok && ev.touches != nil {
		accounts = append(accounts, ev.touches(op.Body, result)...)
	}
	return ascending(accounts)
}

func (s *State) recordFor(account ledger.AccountID, id ledger.HistoryID) {
	if s.Account(account) == nil {
		return
	}
	n := s.perAccount.next()
	stats := s.statistics.get(uint64(account))
	s.perAccount.insert(&AccountHistory{
		ID: accountHistoryID(n), Account: account, OperationID: id,
		Sequence: stats.TotalOps + 1, Next: stats.MostRecentOp,
	})
	s.statistics.change(uint64(account), func(st *Statistics) {
		st.MostRecentOp, st.TotalOps = accountHistoryID(n), st.TotalOps+1
	})
	appendKey(&s.j, s.ops, account, n)
}
