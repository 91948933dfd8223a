package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/chain"
)

var historySet = apiSet{name: "history", methods: map[string]method{
	"info": with0(func(*session) (any, error) { return "history_api", nil }),
	"get_account_history": read4(func(st *chain.State, account ledger.AccountID, stop ledger.HistoryID, limit uint32, start ledger.HistoryID) (any, error) {
		if err := historyAllowed(st, account, limit); err != nil {
			return nil, err
		}
		return st.History(account, stop, int(limit), start), nil
	}),
	"get_relative_account_history": read4(func(st *chain.State, account ledger.AccountID, stop, limit, start uint32) (any, error) {
		if err := historyAllowed(st, account, limit); err != nil {
			return nil, err
		}
		return st.RelativeHistory(account, stop, int(limit), start), nil
	}),
}}

func historyAllowed(st *chain.State, account ledger.AccountID, limit uint32) error {
	if err := within100(limit); err != nil {
		return err
	}
	if st.Account(account) == nil {
		return objectNotFound(account.Object())
	}
	return nil
}

func objectNotFound(id ledger.ObjectID) error {
	return chain.NewFault(chain.CodeObjectNotFound, "get", "Object ID: ${id}", chain.Data{"id": id})
}
