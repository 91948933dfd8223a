package build

import (
	"slices"

	"billfold/ledger"
)

// holders judges who can come to act by an authority: this wallet, and others.
type holders struct {
	here   func(ledger.PublicKey) bool // the keys of this wallet
	lookup ledger.AccountLookup        // for an account that is not found somebody else acts
	depth  int                         // levels of accounts that the ledger follows
}

// ours reports whether the keys here suffice, and others cannot take from them what they count by: an account in the authority counts
// where others can neither act for it nor change who does.
func (h holders) ours(a ledger.Authority) bool {
	who := a.Actors(h.lookup)
	_, taken := who.Reached(h.away)
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

// away reports whether a key is not in this wallet.
func (h holders) away(key ledger.PublicKey) bool { return !h.here(key) }

// others reports whether keys that this wallet does not have suffice.
func (h holders) others(a ledger.Authority) bool {
	enough, _ := a.Actors(h.lookup).Reached(h.away)
	return enough
}

// anybody reports whether nobody's key is needed.
func (h holders) anybody(a ledger.Authority) bool { return a.Actors(h.lookup).Anybody() }

// foreign are the accounts in an authority for which others can act.
func (h holders) foreign(a ledger.Authority) (out []ledger.AccountID) {
	_, reached := a.Actors(h.lookup).Reached(h.away)
	for _, w := range a.AccountAuths {
		if w.Account == ledger.TempAccount || reached[w.Account] {
			out = append(out, w.Account)
		}
	}
	return out
}

// grows reports whether others are more, or weigh more, in the next authority than in the one that was.
func (h holders) grows(was, next ledger.Authority) bool {
	if next.WeightThreshold < was.WeightThreshold {
		return true
	}
	foreign := h.foreign(next)
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
