package state

import "billfold/ledger"

// Record adds one operation to the history: a 1.7 object, and a 2.8 object for
// each of the accounts that exists.
func (s *State) Record(r ledger.HistoryRecord, accounts []ledger.AccountID) {
	r.ID = s.History.Next()
	s.History.insert(&r)
	for _, account := range accounts {
		if s.Accounts.Get(account) != nil {
			s.recordFor(account, r.ID)
		}
	}
}

func (s *State) recordFor(account ledger.AccountID, id ledger.HistoryID) {
	n := s.History.entries.Next()
	stats := s.Accounts.Statistics(ledger.AccountStatisticsID(account))
	s.History.entries.insert(&AccountHistory{
		ID: accountHistoryID(n), Account: account, OperationID: id, Sequence: stats.TotalOps + 1, Next: stats.MostRecentOp,
	})
	s.Accounts.ChangeStatistics(stats.ID, func(st *Statistics) {
		st.MostRecentOp, st.TotalOps = accountHistoryID(n), st.TotalOps+1
	})
	s.History.byAccount.add(account, n)
}
