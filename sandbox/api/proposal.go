package api

import (
	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

var proposalMethods = map[string]Method{
	"get_proposed_transactions": read1(func(st *state.State, id ledger.AccountID) (any, error) {
		return st.Proposals.Of(id), nil
	}),
}
