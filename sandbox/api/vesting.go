package api

import (
	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

var vestingMethods = map[string]Method{
	"get_vesting_balances": read1(func(st *state.State, owner ledger.AccountID) (any, error) {
		return st.Vesting.OfAccount(owner), nil
	}),
}
