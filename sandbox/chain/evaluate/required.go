package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/authority"
)

// required returns the authorities that operations need: those that package ledger
// determines, and that of the fee payer.
func required(ops ...ledger.Operation) authority.Required {
	n := ledger.NeedsOf(ops)
	need := authority.Required{Active: n.Active, Owner: n.Owner, Other: n.Other}
	for _, op := range ops {
		need.Active = append(need.Active, payerOf(op))
	}
	need.Active, need.Owner = authority.Ascending(need.Active), authority.Ascending(need.Owner)
	return need
}

// members returns the accounts that authorities name.
func members(auths ...*ledger.Authority) []ledger.AccountID {
	var list []ledger.AccountID
	for _, auth := range auths {
		for _, m := range auth.AccountAuths {
			list = append(list, m.Account)
		}
	}
	return list
}
