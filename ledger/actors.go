package ledger

import (
	"maps"
	"slices"
)

// mostActing is how many accounts are read to say who can act.
const mostActing = 24

// Actors judges who can come to act by an authority: by keys, each once however often it counts by the accounts that it acts for.
// Whoever can change an account can act for it. An account of which nothing is known acts as somebody of its own; one whose
// authorities nobody can satisfy, because they name too few, or only one another, acts never.
type Actors struct {
	of       Authority
	accounts map[AccountID]*Account // nil where it is not known who may act for it
	order    []AccountID
}

// Actors finds them with the accounts as lookup has them.
func (a Authority) Actors(lookup AccountLookup) *Actors {
	out := &Actors{of: a, accounts: map[AccountID]*Account{}}
	next := membersOf(&a)
	for len(next) > 0 {
		id := next[0]
		next = next[1:]
		if _, read := out.accounts[id]; read || id == TempAccount {
			continue
		}
		var is *Account
		if len(out.order) < mostActing {
			is = acted(id, lookup)
		}
		out.accounts[id], out.order = is, append(out.order, id)
		if is != nil {
			next = append(next, membersOf(&is.Active, &is.Owner)...)
		}
	}
	return out
}

// nobodyActs is the authority that nobody satisfies.
var nobodyActs = Authority{WeightThreshold: 1}

// acted is an account as others act for it. For two of the ledger's own nobody does, whatever is said of them, and nobody changes the
// one of the miners.
func acted(id AccountID, lookup AccountLookup) *Account {
	if id == NullAccount || id == ProxyToSelf {
		return &Account{ID: id, Owner: nobodyActs, Active: nobodyActs}
	}
	is := lookup(id)
	if is != nil && id == MinerAccount {
		return &Account{ID: id, Owner: nobodyActs, Active: is.Active}
	}
	return is
}

// signing is who acts: keys, and accounts as if all of theirs did.
type signing struct {
	keys     map[PublicKey]bool
	accounts map[AccountID]bool
}

// reached adds to by all accounts that it acts for.
func (g *Actors) reached(by signing) signing {
	by.accounts = maps.Clone(by.accounts)
	if by.accounts == nil {
		by.accounts = map[AccountID]bool{}
	}
	for grown := true; grown; {
		grown = false
		for id, is := range g.accounts {
			if is != nil && !by.accounts[id] && (by.satisfies(is.Active) || by.satisfies(is.Owner)) {
				by.accounts[id], grown = true, true
			}
		}
	}
	return by
}

// suffices reports whether by is enough, with all accounts that it acts for.
func (g *Actors) suffices(by signing) bool { return g.reached(by).satisfies(g.of) }

func (s signing) satisfies(a Authority) bool {
	var weight uint64
	for _, w := range a.KeyAuths {
		if s.keys[w.Key] {
			weight += uint64(w.Weight)
		}
	}
	for _, w := range a.AccountAuths {
		if w.Account == TempAccount || s.accounts[w.Account] {
			weight += uint64(w.Weight)
		}
	}
	return weight >= uint64(a.WeightThreshold)
}

// by are those that could act: the keys that has reports, and all accounts that are not known.
func (g *Actors) by(has func(PublicKey) bool) signing {
	out := signing{map[PublicKey]bool{}, map[AccountID]bool{}}
	for _, key := range g.Keys() {
		out.keys[key] = has(key)
	}
	for _, id := range g.unknown() {
		out.accounts[id] = true
	}
	return out
}

// Reached reports whether those suffice who have the keys that has reports, or act for accounts that are not known, and for which
// accounts they can come to act.
func (g *Actors) Reached(has func(PublicKey) bool) (enough bool, accounts map[AccountID]bool) {
	by := g.reached(g.by(has))
	return by.satisfies(g.of), by.accounts
}

// Anybody reports whether nothing is needed.
func (g *Actors) Anybody() bool { return g.suffices(signing{}) }

// Nobody reports whether all together do not suffice, so that nobody ever will.
func (g *Actors) Nobody() bool {
	enough, _ := g.Reached(func(PublicKey) bool { return true })
	return !enough
}

// elected reports whether nobody suffices now, and the miners would who are elected to act for their account.
func (g *Actors) elected() bool {
	by := g.by(func(PublicKey) bool { return true })
	by.accounts[MinerAccount] = true
	return g.Nobody() && g.suffices(by)
}

// unknown are the accounts for which nobody knows who may act.
func (g *Actors) unknown() (out []AccountID) {
	for _, id := range g.order {
		if g.accounts[id] == nil {
			out = append(out, id)
		}
	}
	return out
}

// Keys are all that could act, the direct ones first.
func (g *Actors) Keys() (out []PublicKey) {
	seen := map[PublicKey]bool{}
	add := func(a Authority) {
		for _, w := range a.KeyAuths {
			if !seen[w.Key] {
				seen[w.Key], out = true, append(out, w.Key)
			}
		}
	}
	add(g.of)
	for _, id := range g.order {
		if is := g.accounts[id]; is != nil {
			add(is.Active)
			add(is.Owner)
		}
	}
	return out
}

// named are the accounts that stand in it, and, where self does, which is the account that it is of, those that stand in that one's own
// authorities: to say that an account can act for itself says nothing.
func (g *Actors) named(self AccountID) (out []AccountID) {
	is := g.accounts[self]
	for _, id := range membersOf(&g.of) {
		switch {
		case id != self || is == nil:
			out = append(out, id)
		default:
			out = append(out, slices.DeleteFunc(membersOf(&is.Active, &is.Owner), func(id AccountID) bool { return id == self })...)
		}
	}
	return distinct(out)
}

// without is who can act besides accounts.
func (g *Actors) without(accounts []AccountID) *Actors {
	out := &Actors{of: g.of, accounts: maps.Clone(g.accounts), order: g.order}
	for _, id := range accounts {
		out.accounts[id] = &Account{ID: id, Owner: nobodyActs, Active: nobodyActs}
	}
	return out
}
