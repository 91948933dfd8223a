package ledger

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// mostCounted is of how many keys it is said how many have to sign.
const mostCounted = 10

// alone are those who suffice by themselves: accounts and keys in the authority, then keys that act for several of them. Self is the
// account that it is of.
func (g *Actors) alone(self AccountID, n Namer) (names []string) {
	_, live := g.Reached(func(PublicKey) bool { return true })
	var enough []AccountID
	for _, id := range g.named(self) {
		if live[id] && g.suffices(signing{accounts: map[AccountID]bool{id: true}}) {
			names, enough = append(names, withID(id, n)), append(enough, id)
		}
	}
	rest := g.without(enough)
	for _, key := range g.Keys() {
		if rest.suffices(signing{keys: map[PublicKey]bool{key: true}}) {
			names = append(names, key.String())
		}
	}
	return names
}

// fewest is how many have to act together at least; 0: all of them do not suffice.
func (g *Actors) fewest() int {
	if g.Nobody() {
		return 0
	}
	keys, accounts := g.Keys(), g.unknown()
	all := len(keys) + len(accounts)
	if all > mostCounted {
		return 2
	}
	least := all
	for set := range uint(1) << all {
		if size := bits.OnesCount(set); size < least && g.suffices(chosen(keys, accounts, set)) {
			least = size
		}
	}
	return least
}

// chosen are those of keys and accounts whose bit is set.
func chosen(keys []PublicKey, accounts []AccountID, set uint) signing {
	out := signing{map[PublicKey]bool{}, map[AccountID]bool{}}
	for i, key := range keys {
		out.keys[key] = set>>i&1 == 1
	}
	for i, id := range accounts {
		out.accounts[id] = set>>(len(keys)+i)&1 == 1
	}
	return out
}

// doubt returns the accounts of which it is not known who acts for them: it may be one and the same.
func (g *Actors) doubt(n Namer) string {
	if unknown := g.unknown(); len(unknown) > 0 {
		return "; but who acts for " + allWithIDs(unknown, n) + " is not known here, and may act for others of these too"
	}
	return ""
}

// anybody is what follows from an authority that needs nothing.
const anybody = "ANYBODY can act, without any signature"

// never returns since when nobody acts by authorities of which one would have to suffice.
func never(all ...*Actors) string {
	if slices.ContainsFunc(all, (*Actors).elected) {
		return "nobody can act before miners are elected, who could then"
	}
	return "nobody can ever act"
}

// unknownOwner says what is not known of an account whose owner authority is not.
const unknownOwner = "who holds the owner authority is not known here; they can still do everything, and change this"

// ruled is an account whose authorities are set, as it will be.
type ruled struct {
	id            AccountID // NullAccount, for which nobody acts, while it has none
	name          string
	owner, active *Authority // nil is one that is not known
	lookup        AccountLookup
}

// actors are those who act by an authority of the account. What is not known of its owner authority is said by itself: nobody counts
// by it.
func (r ruled) actors(a *Authority) *Actors {
	lookup := r.lookup
	if r.owner == nil && r.active != nil {
		lookup = func(id AccountID) *Account {
			if id == r.id {
				return &Account{ID: id, Owner: nobodyActs, Active: *r.active}
			}
			return r.lookup(id)
		}
	}
	return a.Actors(lookup)
}

// ownerWords returns who can act alone as owner, or how many have to act together.
func (r ruled) ownerWords(n Namer) string {
	g := r.actors(r.owner)
	if g.Anybody() {
		return anybody
	}
	if alone := g.alone(r.id, n); len(alone) > 0 {
		return "can act alone: " + strings.Join(alone, ", ")
	}
	if fewest := g.fewest(); fewest > 0 {
		return fmt.Sprintf("nobody can act alone, at least %d have to sign", fewest) + g.doubt(n)
	}
	return never(g)
}

// activeWords returns the same for the active authority, which whoever holds the owner authority can act for as well.
func (r ruled) activeWords(n Namer) string {
	if r.anybody() {
		return anybody
	}
	g := r.actors(r.active)
	unknown := ""
	if r.owner == nil {
		unknown = "; " + unknownOwner
	}
	if alone := g.alone(r.id, n); len(alone) > 0 {
		return "can act alone: " + strings.Join(alone, ", ") + unknown
	}
	fewest := g.fewest()
	said := "of these " + never(g)
	if fewest > 0 {
		said = fmt.Sprintf("of these nobody can act alone, at least %d have to sign", fewest)
	}
	said += g.doubt(n)
	if r.owner == nil {
		return said + unknown
	}
	return r.besideOwner(said, fewest, g, n)
}

// besideOwner adds to what is said of the active authority, by which nobody acts alone, who acts as owner.
func (r ruled) besideOwner(said string, fewest int, g *Actors, n Namer) string {
	o := r.actors(r.owner)
	asOwner := o.fewest()
	switch alone, doubt := o.alone(r.id, n), o.doubt(n); {
	case len(alone) > 0:
		return said + "; as owner can still do everything alone, and change this: " + strings.Join(alone, ", ")
	case fewest == 0 && asOwner == 0:
		return never(g, o)
	case fewest == 0:
		return said + fmt.Sprintf("; as owner at least %d together can still do everything, and change this", asOwner) + doubt
	case doubt != "":
		return said + "; as owner" + strings.TrimPrefix(doubt, "; but")
	case asOwner > 0:
		fewest = min(fewest, asOwner)
	}
	return fmt.Sprintf("nobody can act alone, at least %d have to sign", fewest) + g.doubt(n)
}

// ownerEffect returns who may act as owner from then on. It warns of what is lost where the active authority is not set as well.
func (r ruled) ownerEffect(was string, alone bool, n Namer) Effect {
	e := authorityEffect("owner authority of "+r.name, was, *r.owner, r.ownerWords(n), n)
	g := r.actors(r.owner)
	switch {
	case g.Anybody():
		e.Careful = "ANYBODY can act as owner of " + r.name + ", without any signature"
	case !g.Nobody():
	case alone && r.active != nil && r.actors(r.active).Nobody():
		e.Careful = r.lost()
	default:
		e.Careful = r.ownerLost(g)
	}
	return e
}

// activeEffect returns who may act from then on, beside whoever holds the owner authority of then.
func (r ruled) activeEffect(was string, n Namer) Effect {
	e := authorityEffect("active authority of "+r.name, was, *r.active, r.activeWords(n), n)
	switch {
	case r.anybody():
		e.Careful = "ANYBODY can act for " + r.name + ", without any signature"
	case r.owner != nil && r.actors(r.active).Nobody() && r.actors(r.owner).Nobody():
		e.Careful = r.lost()
	}
	return e
}

func (r ruled) ownerLost(g *Actors) string {
	if g.elected() {
		return never(g) + ", as owner of " + r.name + ": till then its owner authority cannot be changed back"
	}
	return never() + " as owner of " + r.name + " again: its owner authority can never be changed back"
}

// anybody reports whether one of its authorities needs nothing.
func (r ruled) anybody() bool {
	return r.actors(r.active).Anybody() || r.owner != nil && r.actors(r.owner).Anybody()
}

func (r ruled) lost() string {
	active, owner := r.actors(r.active), r.actors(r.owner)
	if active.elected() || owner.elected() {
		return never(active, owner) + ", for " + r.name + ": till then all that it has is lost"
	}
	return never() + " for " + r.name + " again: all that it has is lost for ever"
}

// authorityEffect returns who may act from then on, whatever was before: a new authority is never left out. The note is what follows.
func authorityEffect(what, was string, now Authority, note string, n Namer) Effect {
	e := Effect{What: what, Was: was, Now: now.words(n), Note: note}
	if e.Was == e.Now {
		e.Was, e.Note = "the same", "it stays as it is; "+note
	}
	return e
}
