// Package authority decides whether keys satisfy the authorities that a
// transaction needs, and which keys would satisfy them.
package authority

import (
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// Verify checks that the keys that signed satisfy the authorities, and that none
// is superfluous. With exactly one key, superfluous signatures and the miner
// account are not checked, as in the reference.
func Verify(l Ledger, need Required, keys []ledger.PublicKey) *nodeerr.Error {
	if missing := need.Missing(l); missing != nil {
		return missing
	}
	strict := len(keys) != 1
	if strict && slices.Contains(need.Active, ledger.MinerAccount) {
		return nodeerr.New(nodeerr.CodeCommitteeApproval, "verify_authority",
			"required_active.find(GRAPHENE_MINER_ACCOUNT) == required_active.end(): the account 1.2.0 acts through proposals only", nil)
	}
	g := newSigners(l, keys)
	if fault := g.check(need); fault != nil {
		return fault
	}
	if strict && g.unused() {
		return nodeerr.New(nodeerr.CodeIrrelevantSig, "verify_authority",
			"!s.remove_unused_signatures(): Unnecessary signature(s) detected", nil)
	}
	return nil
}

// VerifyActive checks that the keys satisfy the active authority of the account.
func VerifyActive(l Ledger, id ledger.AccountID, keys []ledger.PublicKey) *nodeerr.Error {
	return newSigners(l, keys).check(Required{Active: []ledger.AccountID{id}})
}

// Approvals are the keys and accounts that have approved a proposal.
type Approvals struct {
	Keys          []ledger.PublicKey
	Active, Owner []ledger.AccountID
}

// Suffice reports whether the approvals satisfy the authorities and none of the
// keys is superfluous.
func (a Approvals) Suffice(l Ledger, need Required) bool {
	if need.Missing(l) != nil {
		return false
	}
	g := newSigners(l, a.Keys)
	for _, id := range a.Active {
		g.approved[id] = true
	}
	for _, id := range a.Owner {
		g.approved[id], g.owners[id] = true, true
	}
	return g.check(need) == nil && !g.unused()
}

// Smallest picks a minimal set of the available keys that, together with those
// that signed, satisfies the authorities as far as possible. The result is in the
// ledger's order of keys.
func Smallest(l Ledger, need Required, signed, available []ledger.PublicKey) []ledger.PublicKey {
	g := newSigners(l, slices.Concat(signed, available))
	_ = g.check(need) // an insufficient set is returned too, as far as it helps
	picked := []ledger.PublicKey{}
	for key, used := range g.keys {
		if used && !slices.Contains(signed, key) {
			picked = append(picked, key)
		}
	}
	slices.SortFunc(picked, ledger.ComparePublicKeys)
	for i := 0; i < len(picked); {
		without := slices.Delete(slices.Clone(picked), i, i+1)
		if newSigners(l, slices.Concat(signed, without)).check(need) != nil {
			i++
			continue
		}
		picked = without
	}
	return picked
}

// Potential returns all keys in the authorities that are checked if nobody has
// signed, in the ledger's order of keys.
func Potential(l Ledger, need Required) []ledger.PublicKey {
	keys := []ledger.PublicKey{}
	g := newSigners(l, nil)
	g.seen = func(a *ledger.Authority) {
		for _, k := range a.KeyAuths {
			keys = append(keys, k.Key)
		}
	}
	for _, id := range need.Accounts() {
		if a := l.Accounts.Get(id); a != nil {
			g.satisfies(&a.Active, 0)
			g.satisfies(&a.Owner, 0)
		}
	}
	slices.SortFunc(keys, ledger.ComparePublicKeys)
	return slices.Compact(keys)
}
