package ledger

import "sort"

// AccountLookup finds an account; nil when there is none.
type AccountLookup func(AccountID) *Account

// Signers judges signatures against authorities, nested accounts included.
type Signers struct {
	Keys     map[PublicKey]bool // the keys that signed, or could
	Lookup   AccountLookup
	MaxDepth int                // levels of nested accounts, max_authority_depth
	Used     map[PublicKey]bool // filled with the keys that counted; may be nil
}

// Active reports whether the account's active authority, or its owner authority, holds.
func (s *Signers) Active(id AccountID) bool {
	if id == TempAccount {
		return true
	}
	a := s.Lookup(id)
	return a != nil && (s.Holds(a.Active) || s.Holds(a.Owner))
}

// Owner reports whether the account's owner authority holds.
func (s *Signers) Owner(id AccountID) bool {
	if id == TempAccount {
		return true
	}
	a := s.Lookup(id)
	return a != nil && s.Holds(a.Owner)
}

// Holds reports whether the keys satisfy the authority.
func (s *Signers) Holds(a Authority) bool { return s.holds(a, 0) }

func (s *Signers) holds(a Authority, depth int) bool {
	var weight uint64
	for _, w := range a.KeyAuths {
		if s.Keys[w.Key] {
			weight += uint64(w.Weight)
			if s.Used != nil {
				s.Used[w.Key] = true
			}
		}
		if weight >= uint64(a.WeightThreshold) {
			return true
		}
	}
	for _, w := range a.AccountAuths {
		if w.Account == TempAccount || depth < s.MaxDepth && s.nested(w.Account, depth) {
			weight += uint64(w.Weight)
		}
		if weight >= uint64(a.WeightThreshold) {
			return true
		}
	}
	return weight >= uint64(a.WeightThreshold)
}

func (s *Signers) nested(id AccountID, depth int) bool {
	a := s.Lookup(id)
	return a != nil && s.holds(a.Active, depth+1)
}

// Missing lists what of n the keys do not satisfy.
func (s *Signers) Missing(n Needs) Needs {
	var out Needs
	for _, id := range n.Active {
		if !s.Active(id) {
			out.Active = append(out.Active, id)
		}
	}
	for _, id := range n.Owner {
		if !s.Owner(id) {
			out.Owner = append(out.Owner, id)
		}
	}
	for _, a := range n.Other {
		if !s.Holds(a) {
			out.Other = append(out.Other, a)
		}
	}
	return out
}

// mostKeysTried bounds the search for the smallest set: beyond it keys are
// dropped one by one, which gives a set without a superfluous key.
const mostKeysTried = 14

// SmallestKeys returns the smallest set of the available keys that satisfies n, in
// the ledger's order, and what stays missing when none does. When something is
// missing, the set holds all keys that could count.
func SmallestKeys(n Needs, have func(PublicKey) bool, lookup AccountLookup, maxDepth int) ([]PublicKey, Needs) {
	candidates := candidateKeys(n, have, lookup, maxDepth)
	judge := func(keys []PublicKey) Needs {
		s := Signers{Keys: make(map[PublicKey]bool, len(keys)), Lookup: lookup, MaxDepth: maxDepth}
		for _, k := range keys {
			s.Keys[k] = true
		}
		return s.Missing(n)
	}
	if missing := judge(candidates); !missing.Empty() {
		return candidates, missing
	}
	if len(candidates) > mostKeysTried {
		return dropOneByOne(candidates, judge), Needs{}
	}
	for size := range candidates {
		if keys := firstOfSize(candidates, nil, size, judge); keys != nil {
			return keys, Needs{}
		}
	}
	return candidates, Needs{}
}

// firstOfSize returns the first choice of size keys that is enough, or nil.
func firstOfSize(from, chosen []PublicKey, size int, judge func([]PublicKey) Needs) []PublicKey {
	if size == 0 {
		if judge(chosen).Empty() {
			return append([]PublicKey{}, chosen...)
		}
		return nil
	}
	for i := 0; i+size <= len(from); i++ {
		next := append(chosen[:len(chosen):len(chosen)], from[i])
		if keys := firstOfSize(from[i+1:], next, size-1, judge); keys != nil {
			return keys
		}
	}
	return nil
}

func dropOneByOne(keys []PublicKey, judge func([]PublicKey) Needs) []PublicKey {
	for i := len(keys) - 1; i >= 0; i-- {
		without := append(append([]PublicKey{}, keys[:i]...), keys[i+1:]...)
		if judge(without).Empty() {
			keys = without
		}
	}
	return keys
}

// AnyCounts reports whether any of the available keys appears anywhere in what n needs.
func AnyCounts(n Needs, have func(PublicKey) bool, lookup AccountLookup, maxDepth int) bool {
	return len(candidateKeys(n, have, lookup, maxDepth)) > 0
}

// candidateKeys returns the available keys that appear anywhere in what n needs.
func candidateKeys(n Needs, have func(PublicKey) bool, lookup AccountLookup, maxDepth int) []PublicKey {
	found := map[PublicKey]bool{}
	var visit func(a Authority, depth int)
	visit = func(a Authority, depth int) {
		for _, w := range a.KeyAuths {
			if !found[w.Key] && have(w.Key) {
				found[w.Key] = true
			}
		}
		for _, w := range a.AccountAuths {
			if acc := lookup(w.Account); acc != nil && depth < maxDepth {
				visit(acc.Active, depth+1)
			}
		}
	}
	for _, id := range append(append([]AccountID{}, n.Active...), n.Owner...) {
		if acc := lookup(id); acc != nil {
			visit(acc.Active, 0)
			visit(acc.Owner, 0)
		}
	}
	for _, a := range n.Other {
		visit(a, 0)
	}
	keys := make([]PublicKey, 0, len(found))
	for k := range found {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return ComparePublicKeys(keys[i], keys[j]) < 0 })
	return keys
}
