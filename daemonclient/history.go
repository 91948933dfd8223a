package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// HistoryQueries are the queries about the history of accounts; see Queries.
type HistoryQueries struct{ ask asker }

// AccountHistory returns the operations an account had a part in, newest first, at most limit (100): those with stop <
// id ≤ start. A start of 1.7.0 means the newest; a stop of 1.7.0 includes the record 1.7.0 itself.
func (q HistoryQueries) AccountHistory(ctx context.Context, account ledger.AccountID, stop ledger.HistoryID, limit uint32,
	start ledger.HistoryID) ([]ledger.HistoryRecord, error) {
	return query[[]ledger.HistoryRecord](ctx, q.ask, History, "get_account_history", account, stop, limit, start)
}

// AccountHistoryRaw is AccountHistory as the daemon wrote it.
func (q HistoryQueries) AccountHistoryRaw(ctx context.Context, account ledger.AccountID, stop ledger.HistoryID, limit uint32,
	start ledger.HistoryID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, History, "get_account_history", account, stop, limit, start)
}

// RelativeAccountHistory is AccountHistory by the account's own count of its operations: numbers stop to start, both
// included, newest first, at most limit (100); a start of 0 means the newest.
func (q HistoryQueries) RelativeAccountHistory(ctx context.Context, account ledger.AccountID,
	stop, limit, start uint32) ([]ledger.HistoryRecord, error) {
	return query[[]ledger.HistoryRecord](ctx, q.ask, History, "get_relative_account_history", account, stop, limit, start)
}

// RelativeAccountHistoryRaw is RelativeAccountHistory as the daemon wrote it.
func (q HistoryQueries) RelativeAccountHistoryRaw(ctx context.Context, account ledger.AccountID,
	stop, limit, start uint32) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, History, "get_relative_account_history", account, stop, limit, start)
}

// SearchAccountHistory returns at most limit rows 2.17.N of an account in an order such as "-time" or "+price",
// starting at the row from (0.0.0 = the first).
func (q HistoryQueries) SearchAccountHistory(ctx context.Context, account ledger.AccountID, order string, from ledger.ObjectID,
	limit uint32) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "search_account_history", account, order, from, limit)
}

// BalanceSearch are the parameters of SearchAccountBalanceHistory.
type BalanceSearch struct {
	Assets             []ledger.AssetID  // one of them changed; empty = any
	Partner            *ledger.AccountID // in transfers; nil = any
	FromBlock, ToBlock uint32            // both 0 = all
	Skip, Limit        uint32
}

// SearchAccountBalanceHistory returns the operations that changed an account's balances, newest first.
func (q HistoryQueries) SearchAccountBalanceHistory(ctx context.Context, account ledger.AccountID,
	s BalanceSearch) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, History, "search_account_balance_history",
		account, emptyForNil(s.Assets), s.Partner, s.FromBlock, s.ToBlock, s.Skip, s.Limit)
}

// AccountBalanceForTransaction returns what the record changed or, if it changed nothing of the account, the next older
// record that did; nil if there is none. Its time and transaction id are empty.
func (q HistoryQueries) AccountBalanceForTransaction(ctx context.Context, account ledger.AccountID,
	id ledger.HistoryID) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, History, "get_account_balance_for_transaction", account, id)
}
