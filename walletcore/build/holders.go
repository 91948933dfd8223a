package build

import (
	"slices"

	"billfold/ledger"
)

// holders judges who is able to act by an authority: this wallet, or others.
type holders struct {
	here   func(ledger.PublicKey) bool // whether a key is in this wallet
	lookup ledger.AccountLookup        // an account that is not found counts as controlled by others
	depth  int                         // levels of accounts that the ledger follows
}

// oursSuffice reports whether the keys here suffice in a way that others cannot take away: an account in the authority counts only if
// others can neither act for it nor change who does.
func (h holders) oursSuffice(a ledger.Authority) bool {
	who := a.Actors(h.lookup)
	_, taken := who.Reached(h.notHere)
	s := ledger.Signers{Keys: map[ledger.PublicKey]bool{}, MaxDepth: h.depth}
	s.Lookup = func(id ledger.AccountID) *ledger.Account {
		if taken[id] {
			return nil
		}
		return h.lookup(id)
	}
	for _, key := range who.Keys() {
		s.Keys[key] = h.here(key)
	}
	return s.Holds(a)
}

// notHere reports whether a key is not in this wallet.
func (h holders) notHere(key ledger.PublicKey) bool { return !h.here(key) }

// othersSuffice reports whether keys that are not in this wallet suffice.
func (h holders) othersSuffice(a ledger.Authority) bool {
	enough, _ := a.Actors(h.lookup).Reached(h.notHere)
	return enough
}

// anybody reports whether nobody's key is needed.
func (h holders) anybody(a ledger.Authority) bool { return a.Actors(h.lookup).Anybody() }

// foreignAccounts returns the accounts in an authority for which others can act.
func (h holders) foreignAccounts(a ledger.Authority) (out []ledger.AccountID) {
	_, reached := a.Actors(h.lookup).Reached(h.notHere)
	for _, w := range a.AccountAuths {
		if w.Account == ledger.TempAccount || reached[w.Account] {
			out = append(out, w.Account)
		}
	}
	return out
}

// othersGain reports whether others have more members or more weight in the next authority than in the previous one.
func (h holders) othersGain(was, next ledger.Authority) bool {
	if next.WeightThreshold < was.WeightThreshold {
		return true
	}
	foreign := h.foreignAccounts(next)
	return slices.ContainsFunc(next.KeyAuths, func(w ledger.KeyWeight) bool {
		return !h.here(w.Key) && !slices.ContainsFunc(was.KeyAuths, func(b ledger.KeyWeight) bool {
			return b.Key == w.Key && b.Weight >= w.Weight
		})
	}) || slices.ContainsFunc(next.AccountAuths, func(w ledger.AccountWeight) bool {
		return slices.Contains(foreign, w.Account) && !slices.ContainsFunc(was.AccountAuths, func(b ledger.AccountWeight) bool {
			return b.Account == w.Account && b.Weight >= w.Weight
		})
	})
}
