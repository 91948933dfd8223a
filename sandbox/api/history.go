package api

import (
	"encoding/json"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

var historySet = Set{name: "history", methods: map[string]Method{
	"info": With0(func(*Session) (any, error) { return "history_api", nil }),
	"get_account_history": read4(
		func(st *state.State, account ledger.AccountID, stop ledger.HistoryID, limit uint32, start ledger.HistoryID) (any, error) {
			if err := historyAllowed(st, account, limit); err != nil {
				return nil, err
			}
			return st.History.Page(account, stop, int(limit), start), nil
		}),
	"get_relative_account_history": read4(func(st *state.State, account ledger.AccountID, stop, limit, start uint32) (any, error) {
		if err := historyAllowed(st, account, limit); err != nil {
			return nil, err
		}
		return st.History.Relative(account, stop, int(limit), start), nil
	}),
	"search_account_balance_history": searchBalanceHistory,
	"get_account_balance_for_transaction": read2(func(st *state.State, account ledger.AccountID, id ledger.HistoryID) (any, error) {
		if err := historyAllowed(st, account, 0); err != nil {
			return nil, err
		}
		return st.BalanceChangeAt(account, id), nil
	}),
}}

// detailMethods belong to the database set, although they read the history.
var detailMethods = map[string]Method{
	"search_account_history": read4(
		func(st *state.State, account ledger.AccountID, order string, start ledger.ObjectID, limit int32) (any, error) {
			return st.Details.Search(account, order, start, int(limit)), nil
		}),
}

// searchBalanceHistory takes account, assets, partner or null, first and last
// block, how many to skip, and how many to return at most, which has no limit.
func searchBalanceHistory(s *Session, args []json.RawMessage) (out any, err error) {
	r := &reader{args: args}
	account := next[ledger.AccountID](r)
	filter := state.BalanceFilter{Assets: next[[]ledger.AssetID](r), Partner: next[*ledger.AccountID](r)}
	filter.FromBlock, filter.ToBlock = next[uint32](r), next[uint32](r)
	skip, limit := next[uint32](r), next[uint32](r)
	if r.err != nil {
		return nil, r.err
	}
	s.Chain.View(func(st *state.State) {
		if err = historyAllowed(st, account, 0); err == nil || limit == 0 {
			out, err = st.BalanceChanges(account, filter, skip, limit), nil
		}
	})
	return out, err
}

func historyAllowed(st *state.State, account ledger.AccountID, limit uint32) error {
	if err := within100(limit); err != nil {
		return err
	}
	if st.Accounts.Get(account) == nil {
		return objectNotFound(account.Object())
	}
	return nil
}
