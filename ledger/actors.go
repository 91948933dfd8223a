package ledger

import (
	"maps"
	"slices"
)

// maxActingAccounts is the maximum number of accounts read to find out who can act.
const maxActingAccounts = 24

// Actors determines who can satisfy an authority, directly or through the accounts it names. Whoever can change an
// account can act for it, so owner authorities count too. Each key is one actor, however many accounts it acts for. An
// account that could not be read counts as an actor of its own. An account whose authorities nobody can satisfy,
// because they name too few parties or only one another, never acts.
type Actors struct {
	of       Authority
	accounts map[AccountID]*Account // nil if it is not known who may act for the account
	order    []AccountID
}

// Actors returns who can satisfy the authority, given the accounts that lookup finds.
func (a Authority) Actors(lookup AccountLookup) *Actors {
	out := &Actors{of: a, accounts: map[AccountID]*Account{}}
	next := membersOf(&a)
	for len(next) > 0 {
		id := next[0]
		next = next[1:]
		if _, read := out.accounts[id]; read || id == TempAccount {
			continue
		}
		var account *Account
		if len(out.order) < maxActingAccounts {
			account = actingAccount(id, lookup)
		}
		out.accounts[id], out.order = account, append(out.order, id)
		if account != nil {
			next = append(next, membersOf(&account.Active, &account.Owner)...)
		}
	}
	return out
}

// nobodyActs is an authority that nobody can satisfy.
var nobodyActs = Authority{WeightThreshold: 1}

// actingAccount returns an account with the authorities that count, or nil if it is not known. Nobody can act for 1.2.1
// and 1.2.3, whatever authorities they have, and nobody can change the miners' account 1.2.0.
func actingAccount(id AccountID, lookup AccountLookup) *Account {
	if id == NullAccount || id == ProxyToSelf {
		return &Account{ID: id, Owner: nobodyActs, Active: nobodyActs}
	}
	account := lookup(id)
	if account != nil && id == MinerAccount {
		return &Account{ID: id, Owner: nobodyActs, Active: account.Active}
	}
	return account
}

// actorSet is a set of keys that sign, and of accounts that act as a whole.
type actorSet struct {
	keys     map[PublicKey]bool
	accounts map[AccountID]bool
}

// expand adds to by all accounts that it can act for.
func (g *Actors) expand(by actorSet) actorSet {
	by.accounts = maps.Clone(by.accounts)
	if by.accounts == nil {
		by.accounts = map[AccountID]bool{}
	}
	for grown := true; grown; {
		grown = false
		for id, account := range g.accounts {
			if account != nil && !by.accounts[id] && (by.satisfies(account.Active) || by.satisfies(account.Owner)) {
				by.accounts[id], grown = true, true
			}
		}
	}
	return by
}

// suffices reports whether by, with all accounts that it can act for, satisfies the authority.
func (g *Actors) suffices(by actorSet) bool { return g.expand(by).satisfies(g.of) }

func (s actorSet) satisfies(a Authority) bool {
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

// holding returns the keys for which has is true, and all accounts that are not known.
func (g *Actors) holding(has func(PublicKey) bool) actorSet {
	out := actorSet{map[PublicKey]bool{}, map[AccountID]bool{}}
	for _, key := range g.Keys() {
		out.keys[key] = has(key)
	}
	for _, id := range g.unknownAccounts() {
		out.accounts[id] = true
	}
	return out
}

// Reached reports whether the keys for which has is true, together with all accounts that are not known, satisfy the
// authority. accounts are those for which they can act, the unknown ones among them.
func (g *Actors) Reached(has func(PublicKey) bool) (enough bool, accounts map[AccountID]bool) {
	by := g.expand(g.holding(has))
	return by.satisfies(g.of), by.accounts
}

// Anybody reports whether the authority is satisfied without any signature.
func (g *Actors) Anybody() bool { return g.suffices(actorSet{}) }

// Nobody reports whether not even all actors together satisfy the authority, so that nobody ever can.
func (g *Actors) Nobody() bool {
	enough, _ := g.Reached(func(PublicKey) bool { return true })
	return !enough
}

// needsMiners reports whether nobody can satisfy the authority now, but elected miners, who act for 1.2.0, could.
func (g *Actors) needsMiners() bool {
	by := g.holding(func(PublicKey) bool { return true })
	by.accounts[MinerAccount] = true
	return g.Nobody() && g.suffices(by)
}

// unknownAccounts returns the accounts for which it is not known who may act.
func (g *Actors) unknownAccounts() (out []AccountID) {
	for _, id := range g.order {
		if g.accounts[id] == nil {
			out = append(out, id)
		}
	}
	return out
}

// Keys returns all keys that could act, those named directly first.
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
		if account := g.accounts[id]; account != nil {
			add(account.Active)
			add(account.Owner)
		}
	}
	return out
}

// namedAccounts returns the accounts that the authority names. self is the account the authority belongs to: if the
// authority names it, the accounts named in self's own authorities take its place, because "self can act for itself"
// would be no information.
func (g *Actors) namedAccounts(self AccountID) (out []AccountID) {
	own := g.accounts[self]
	for _, id := range membersOf(&g.of) {
		switch {
		case id != self || own == nil:
			out = append(out, id)
		default:
			out = append(out, slices.DeleteFunc(membersOf(&own.Active, &own.Owner), func(id AccountID) bool { return id == self })...)
		}
	}
	return distinct(out)
}

// without returns the actors that remain if nobody can act for accounts.
func (g *Actors) without(accounts []AccountID) *Actors {
	out := &Actors{of: g.of, accounts: maps.Clone(g.accounts), order: g.order}
	for _, id := range accounts {
		out.accounts[id] = &Account{ID: id, Owner: nobodyActs, Active: nobodyActs}
	}
	return out
}
