package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/authority"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func authorities(s *state.State) authority.Ledger {
	return authority.Ledger{Accounts: &s.Accounts, Depth: int(s.Parameters().MaxAuthorityDepth)}
}

// VerifyAuthority checks only the signatures of a prepared transaction.
func VerifyAuthority(s *state.State, p *Prepared) *nodeerr.Error {
	if p.keyFault != nil {
		return p.keyFault
	}
	return authority.Verify(authorities(s), p.need, p.Keys)
}

// VerifyAccount checks that the keys satisfy the active authority of the account.
func VerifyAccount(s *state.State, id ledger.AccountID, keys []ledger.PublicKey) *nodeerr.Error {
	return authority.VerifyActive(authorities(s), id, keys)
}

// RequiredSignatures picks a minimal set of the available keys that, together with
// the existing signatures, satisfies the transaction as far as possible. The result
// is in the ledger's order of keys.
func RequiredSignatures(s *state.State, p *Prepared, available []ledger.PublicKey) []ledger.PublicKey {
	return authority.Smallest(authorities(s), p.need, p.Keys, available)
}

// PotentialSignatures returns all keys in the authorities that are checked if
// nobody has signed, in the ledger's order of keys.
func PotentialSignatures(s *state.State, p *Prepared) []ledger.PublicKey {
	return authority.Potential(authorities(s), p.need)
}

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
