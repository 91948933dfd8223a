package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/chain"
)

var vestingMethods = map[string]method{
	"get_vesting_balances": read1(func(st *chain.State, owner ledger.AccountID) (any, error) {
		return st.VestingBalances(owner), nil
	}),
}
