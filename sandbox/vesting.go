package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/chain"
)

var vestingMethods = map[string]method{
	"get_vesting_balances": read1(func(st *chain.State, owner ledger.AccountID) (any, error) {
		return st.VestingBalances(owner), nil
	}),
	"list_publishing_managers": read2(func(st *chain.State, lower string, limit uint32) (any, error) {
		if err := within100(limit); err != nil {
			return nil, err
		}
		return st.PublishingManagers(lower, int(limit)), nil
	}),
}
