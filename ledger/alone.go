package ledger

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
)

const (
	mostActing  = 24 // how many accounts are read to say who can act
	mostCounted = 10 // of how many keys it is said how many have to sign
)

// acting judges who can act by an authority: by keys, each once however often it counts by the accounts that it acts for. Whoever
// can change an account can act for it.
type acting struct {
	of       Authority
	accounts map[AccountID]*Account // nil where it is not known who may act for it
	order    []AccountID
}

func (a Authority) acting(before Before) *acting {
	out := &acting{of: a, accounts: map[AccountID]*Account{}}
	next := membersOf(&a)
	for len(next) > 0 {
		id := next[0]
		next = next[1:]
		if _, read := out.accounts[id]; read || id == TempAccount {
			continue
		}
		var is *Account
		if len(out.order) < mostActing {
			is = before.Account(id)
		}
		out.accounts[id], out.order = is, append(out.order, id)
		if is != nil {
			next = append(next, membersOf(&is.Active, &is.Owner)...)
		}
	}
	return out
}

// signing is who acts: keys, and accounts as if all of theirs did.
type signing struct {
	keys     map[PublicKey]bool
	accounts map[AccountID]bool
}

// suffices reports whether by is enough for a, which is g.of or a part of it, with all accounts that it acts for.
func (g *acting) suffices(a Authority, by signing) bool {
	for by.accounts = maps.Clone(by.accounts); ; {
		grown := false
		for id, is := range g.accounts {
			if is != nil && !by.accounts[id] && (by.reaches(is.Active) || by.reaches(is.Owner)) {
				if by.accounts == nil {
					by.accounts = map[AccountID]bool{}
				}
				by.accounts[id], grown = true, true
			}
		}
		if !grown {
			return by.reaches(a)
		}
	}
}

func (s signing) reaches(a Authority) bool {
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

// unknown are the accounts for which nobody knows who may act.
func (g *acting) unknown() (out []AccountID) {
	for _, id := range g.order {
		if g.accounts[id] == nil {
			out = append(out, id)
		}
	}
	return out
}

// keys are all that could act, the direct ones first.
func (g *acting) keys() (out []PublicKey) {
	add := func(a Authority) {
		for _, w := range a.KeyAuths {
			if !slices.Contains(out, w.Key) {
				out = append(out, w.Key)
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

// alone are those who suffice by themselves: accounts and keys in the authority, then keys that act for several of them.
func (g *acting) alone(n Namer) (names []string) {
	rest := Authority{WeightThreshold: g.of.WeightThreshold, KeyAuths: g.of.KeyAuths}
	for _, w := range g.of.AccountAuths {
		if g.suffices(g.of, signing{accounts: map[AccountID]bool{w.Account: true}}) {
			names = append(names, withID(w.Account, n))
			continue
		}
		rest.AccountAuths = append(rest.AccountAuths, w)
	}
	for _, key := range g.keys() {
		if g.suffices(rest, signing{keys: map[PublicKey]bool{key: true}}) {
			names = append(names, key.String())
		}
	}
	return names
}

// fewest is how many have to act together at least; 0: all of them do not suffice.
func (g *acting) fewest() int {
	keys, accounts := g.keys(), g.unknown()
	by := func(chosen func(i int) bool) signing {
		out := signing{map[PublicKey]bool{}, map[AccountID]bool{}}
		for i, key := range keys {
			out.keys[key] = chosen(i)
		}
		for i, id := range accounts {
			out.accounts[id] = chosen(len(keys) + i)
		}
		return out
	}
	if !g.suffices(g.of, by(func(int) bool { return true })) {
		return 0
	}
	all := len(keys) + len(accounts)
	if all > mostCounted {
		return 2
	}
	least := all
	for set := range uint(1) << all {
		if size := bits.OnesCount(set); size < least && g.suffices(g.of, by(func(i int) bool { return set>>i&1 == 1 })) {
			least = size
		}
	}
	return least
}

// doubt says for whom it is not known who acts: they may be one and the same.
func (g *acting) doubt(n Namer) string {
	if unknown := g.unknown(); len(unknown) > 0 {
		return "; but who acts for " + allWithIDs(unknown, n) + " is not known here, and may act for others of these too"
	}
	return ""
}

// anybody is what follows from an authority that needs nothing.
const anybody = "ANYBODY can act, without any signature"

// unknownOwner says what is not known of an account whose owner authority is not.
const unknownOwner = "who holds the owner authority is not known here; they can still do everything, and change this"

// aloneWords says who can act alone, or how many have to act together.
func (a Authority) aloneWords(before Before, n Namer) string {
	g := a.acting(before)
	if g.suffices(a, signing{}) {
		return anybody
	}
	if alone := g.alone(n); len(alone) > 0 {
		return "can act alone: " + strings.Join(alone, ", ")
	}
	if fewest := g.fewest(); fewest > 0 {
		return fmt.Sprintf("nobody can act alone, at least %d have to sign", fewest) + g.doubt(n)
	}
	return "nobody can ever act"
}

// besideOwner is aloneWords of an active authority, which whoever holds the owner authority can act for as well; nil is an owner
// authority that is not known.
func (a Authority) besideOwner(owner *Authority, before Before, n Namer) string {
	g := a.acting(before)
	if g.suffices(a, signing{}) {
		return anybody
	}
	if len(g.alone(n)) > 0 {
		said := a.aloneWords(before, n)
		if owner == nil {
			said += "; " + unknownOwner
		}
		return said
	}
	said := "of these nobody can act alone"
	if fewest := g.fewest(); fewest > 0 {
		said += fmt.Sprintf(", at least %d have to sign", fewest)
	}
	said += g.doubt(n)
	if owner == nil {
		return said + "; " + unknownOwner
	}
	o := owner.acting(before)
	if alone := o.alone(n); len(alone) > 0 {
		return said + "; as owner can still do everything alone, and change this: " + strings.Join(alone, ", ")
	}
	if doubt := o.doubt(n); doubt != "" {
		return said + "; as owner" + strings.TrimPrefix(doubt, "; but")
	}
	return a.aloneWords(before, n)
}

// activeEffect is authorityEffect of the active authority, beside the owner authority of then.
func activeEffect(of, was string, now Authority, owner *Authority, before Before, n Namer) Effect {
	return authorityEffect("active authority"+of, was, now, now.besideOwner(owner, before, n), n)
}

// authorityEffect says who may act from then on, whatever was before: a new authority is never left out. The note is what follows.
func authorityEffect(what, was string, now Authority, note string, n Namer) Effect {
	e := Effect{What: what, Was: was, Now: now.words(n), Note: note}
	if e.Was == e.Now {
		e.Was, e.Note = "the same", "it stays as it is; "+note
	}
	return e
}
