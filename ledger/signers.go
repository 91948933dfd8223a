package ledger

import (
	"maps"
	"slices"
)

// AccountLookup finds an account, or returns nil if there is none.
type AccountLookup func(AccountID) *Account

// Signers judges signatures against authorities, nested accounts included.
type Signers struct {
	Keys     map[PublicKey]bool // the keys that signed, or could sign
	Lookup   AccountLookup
	MaxDepth int                // levels of nested accounts, max_authority_depth
	Used     map[PublicKey]bool // collects the keys that counted; may be nil
}

// Active reports whether the keys satisfy the account's active or owner authority.
func (s *Signers) Active(id AccountID) bool {
	if id == TempAccount {
		return true
	}
	a := s.Lookup(id)
	return a != nil && (s.Holds(a.Active) || s.Holds(a.Owner))
}

// Owner reports whether the keys satisfy the account's owner authority.
func (s *Signers) Owner(id AccountID) bool {
	if id == TempAccount {
		return true
	}
	a := s.Lookup(id)
	return a != nil && s.Holds(a.Owner)
}

// Holds reports whether the keys satisfy the authority.
func (s *Signers) Holds(a Authority) bool {
	known := map[level]bool{}
	return s.holds(a, 0, known)
}

// level is an account that acts for others, at a depth. The verdict on it is the same wherever it appears at that depth,
// so that a web of accounts that name each other takes work in proportion to its size.
type level struct {
	account AccountID
	depth   int
}

func (s *Signers) holds(a Authority, depth int, known map[level]bool) bool {
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
		if w.Account == TempAccount || depth < s.MaxDepth && s.nested(level{w.Account, depth + 1}, known) {
			weight += uint64(w.Weight)
		}
		if weight >= uint64(a.WeightThreshold) {
			return true
		}
	}
	return weight >= uint64(a.WeightThreshold)
}

func (s *Signers) nested(at level, known map[level]bool) bool {
	if holds, ok := known[at]; ok {
		return holds
	}
	a := s.Lookup(at.account)
	known[at] = a != nil && s.holds(a.Active, at.depth, known)
	return known[at]
}

// Missing returns the part of n that the keys do not satisfy.
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

// Limits of the search for the smallest set. Beyond them keys are dropped one by one, which yields a set without a superfluous key.
const (
	maxKeysTried = 14
	maxSteps     = 1 << 20 // members of authorities that are looked at
)

// SmallestKeys returns the smallest set of the available keys that satisfies n, in
// the ledger's order, and what is still missing if none does. If something is
// missing, the set holds all keys that could count.
func SmallestKeys(n Needs, have func(PublicKey) bool, lookup AccountLookup, maxDepth int) ([]PublicKey, Needs) {
	candidates, members := candidateKeys(n, have, lookup, maxDepth)
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
	if len(candidates) > maxKeysTried || members<<len(candidates) > maxSteps {
		return dropOneByOne(candidates, judge), Needs{}
	}
	for size := range candidates {
		if keys := firstOfSize(candidates, nil, size, judge); keys != nil {
			return keys, Needs{}
		}
	}
	return candidates, Needs{}
}

// firstOfSize returns the first combination of size keys that is enough, or nil.
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

// AnyCounts reports whether any of the available keys appears in the authorities of n, nested ones included.
func AnyCounts(n Needs, have func(PublicKey) bool, lookup AccountLookup, maxDepth int) bool {
	keys, _ := candidateKeys(n, have, lookup, maxDepth)
	return len(keys) > 0
}

// candidateKeys returns the available keys that appear in the authorities of n, nested ones included, and how many
// members those authorities have. It goes level by level, so that each account is visited once, at its least depth.
func candidateKeys(n Needs, have func(PublicKey) bool, lookup AccountLookup, maxDepth int) (keys []PublicKey, members int) {
	found, seen := map[PublicKey]bool{}, map[AccountID]bool{}
	next := slices.Clone(n.Other)
	for _, id := range slices.Concat(n.Active, n.Owner) {
		if acc := lookup(id); acc != nil {
			next = append(next, acc.Active, acc.Owner)
		}
	}
	for depth := 0; len(next) > 0; depth++ {
		all := next
		next = nil
		for _, a := range all {
			members += a.Members()
			for _, w := range a.KeyAuths {
				if !found[w.Key] && have(w.Key) {
					found[w.Key] = true
				}
			}
			for _, w := range a.AccountAuths {
				if acc := lookup(w.Account); acc != nil && depth < maxDepth && !seen[w.Account] {
					seen[w.Account] = true
					next = append(next, acc.Active)
				}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), ComparePublicKeys), members
}

// AuthorityKey is an authority in which a key counts.
type AuthorityKey struct {
	Key     PublicKey
	Account AccountID // whose authority it is
	Role    string    // "active" or "owner"; empty if the key itself is required
	For     AccountID // the account that is acted for; not Account if Account acts for another one
}

// AuthorityKeys returns, for each key that signs, the first authority in which it counts. An authority that the keys satisfy
// comes before one that they do not, and an active authority before the owner's. A key that counts nowhere is left out.
func AuthorityKeys(keys []PublicKey, n Needs, lookup AccountLookup, maxDepth int) (out []AuthorityKey) {
	s := Signers{Keys: make(map[PublicKey]bool, len(keys)), Lookup: lookup, MaxDepth: maxDepth}
	for _, key := range keys {
		s.Keys[key] = true
	}
	places := map[PublicKey]AuthorityKey{}
	for _, id := range n.Active {
		if a := lookup(id); a != nil {
			active, owner := AuthorityKey{Account: id, Role: "active", For: id}, AuthorityKey{Account: id, Role: "owner", For: id}
			if s.Holds(a.Owner) && !s.Holds(a.Active) {
				s.place(places, owner, a.Owner)
				continue
			}
			s.place(places, active, a.Active)
			s.place(places, owner, a.Owner)
		}
	}
	for _, id := range n.Owner {
		if a := lookup(id); a != nil {
			s.place(places, AuthorityKey{Account: id, Role: "owner", For: id}, a.Owner)
		}
	}
	for _, a := range n.Other {
		s.place(places, AuthorityKey{}, a)
	}
	for _, key := range keys {
		if p, counts := places[key]; counts {
			p.Key = key
			out = append(out, p)
		}
	}
	return out
}

// place records at for the keys of an authority that have no place yet, and places those of the accounts it names.
func (s *Signers) place(into map[PublicKey]AuthorityKey, at AuthorityKey, a Authority) {
	s.placeOnce(into, at, a, 0, map[level]bool{})
}

func (s *Signers) placeOnce(into map[PublicKey]AuthorityKey, at AuthorityKey, a Authority, depth int, seen map[level]bool) {
	for _, w := range a.KeyAuths {
		if _, placed := into[w.Key]; s.Keys[w.Key] && !placed {
			into[w.Key] = at
		}
	}
	for _, w := range a.AccountAuths {
		here := level{w.Account, depth + 1}
		if account := s.Lookup(w.Account); account != nil && depth < s.MaxDepth && !seen[here] {
			seen[here] = true
			s.placeOnce(into, AuthorityKey{Account: w.Account, Role: "active", For: at.For}, account.Active, depth+1, seen)
		}
	}
}
