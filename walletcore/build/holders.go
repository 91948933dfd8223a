package build

import (
	"slices"

	"billfold/ledger"
)

// holders judges who can come to act by an authority. An account in it is as good as everybody who can change that account:
// it is this wallet's only where the keys here suffice for its active and for its owner authority, and others can act by it where theirs
// suffice for one of the two.
type holders struct {
	here   func(ledger.PublicKey) bool // the keys of this wallet
	lookup ledger.AccountLookup        // an account that is not found is nobody's of this wallet
	depth  int                         // levels of accounts that are looked into; deeper ones are nobody's of this wallet
}

// ours reports whether the keys here suffice, and nobody can take from them what they count by.
func (h holders) ours(a ledger.Authority) bool {
	var weight uint64
	for _, w := range a.KeyAuths {
		if h.here(w.Key) {
			weight += uint64(w.Weight)
		}
	}
	for _, w := range a.AccountAuths {
		if h.oursIs(w.Account) {
			weight += uint64(w.Weight)
		}
	}
	return weight >= uint64(a.WeightThreshold)
}

func (h holders) oursIs(id ledger.AccountID) bool {
	is, inside := h.inside(id)
	return is != nil && inside.ours(is.Active) && inside.ours(is.Owner)
}

// others reports whether keys that this wallet does not have suffice.
func (h holders) others(a ledger.Authority) bool {
	var weight uint64
	for _, w := range a.KeyAuths {
		if !h.here(w.Key) {
			weight += uint64(w.Weight)
		}
	}
	for _, w := range a.AccountAuths {
		if h.othersAre(w.Account) {
			weight += uint64(w.Weight)
		}
	}
	return weight >= uint64(a.WeightThreshold)
}

func (h holders) othersAre(id ledger.AccountID) bool {
	is, inside := h.inside(id)
	return is == nil || inside.others(is.Active) || inside.others(is.Owner)
}

// inside is an account that stands in an authority, and what judges its own; nil is one that is not looked into. For the temp
// account anybody may act.
func (h holders) inside(id ledger.AccountID) (*ledger.Account, holders) {
	if h.depth == 0 || id == ledger.TempAccount {
		return nil, h
	}
	return h.lookup(id), holders{h.here, h.lookup, h.depth - 1}
}

// foreign are the accounts in an authority for which others can act.
func (h holders) foreign(a ledger.Authority) (out []ledger.AccountID) {
	for _, w := range a.AccountAuths {
		if h.othersAre(w.Account) {
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
	return slices.ContainsFunc(next.KeyAuths, func(w ledger.KeyWeight) bool {
		return !h.here(w.Key) && !slices.ContainsFunc(was.KeyAuths, func(b ledger.KeyWeight) bool {
			return b.Key == w.Key && b.Weight >= w.Weight
		})
	}) || slices.ContainsFunc(next.AccountAuths, func(w ledger.AccountWeight) bool {
		return h.othersAre(w.Account) && !slices.ContainsFunc(was.AccountAuths, func(b ledger.AccountWeight) bool {
			return b.Account == w.Account && b.Weight >= w.Weight
		})
	})
}
