package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/chain"
)

var proposalMethods = map[string]method{
	"get_proposed_transactions": read1(func(st *chain.State, id ledger.AccountID) (any, error) {
		return st.ProposalsOf(id), nil
	}),
}
