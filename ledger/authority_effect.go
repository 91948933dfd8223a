package ledger

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// maxCountedActors is the most actors for which the least number of signers is computed.
const maxCountedActors = 10

// soleActors names those who can act alone: accounts in the authority, then keys that suffice without these accounts.
// self is the account the authority belongs to.
func (g *Actors) soleActors(self AccountID, n Namer) (names []string) {
	_, live := g.Reached(func(PublicKey) bool { return true })
	var enough []AccountID
	for _, id := range g.namedAccounts(self) {
		if live[id] && g.suffices(actorSet{accounts: map[AccountID]bool{id: true}}) {
			names, enough = append(names, withID(id, n)), append(enough, id)
		}
	}
	rest := g.without(enough)
	for _, key := range g.Keys() {
		if rest.suffices(actorSet{keys: map[PublicKey]bool{key: true}}) {
			names = append(names, key.String())
		}
	}
	return names
}

// fewestSigners returns how many actors must act together at least, or 0 if not even all of them suffice. With more than
// maxCountedActors it returns 2.
func (g *Actors) fewestSigners() int {
	if g.Nobody() {
		return 0
	}
	keys, accounts := g.Keys(), g.unknownAccounts()
	all := len(keys) + len(accounts)
	if all > maxCountedActors {
		return 2
	}
	least := all
	for set := range uint(1) << all {
		if size := bits.OnesCount(set); size < least && g.suffices(subset(keys, accounts, set)) {
			least = size
		}
	}
	return least
}

// subset returns the keys and accounts whose bit is set, the keys' bits lowest.
func subset(keys []PublicKey, accounts []AccountID, set uint) actorSet {
	out := actorSet{map[PublicKey]bool{}, map[AccountID]bool{}}
	for i, key := range keys {
		out.keys[key] = set>>i&1 == 1
	}
	for i, id := range accounts {
		out.accounts[id] = set>>(len(keys)+i)&1 == 1
	}
	return out
}

// unknownNote names the accounts for which it is not known who acts: the same person may act for several of them.
func (g *Actors) unknownNote(n Namer) string {
	if unknown := g.unknownAccounts(); len(unknown) > 0 {
		return "; but who acts for " + allWithIDs(unknown, n) + " is not known here, and may act for others of these too"
	}
	return ""
}

// anybodyCanAct describes an authority that needs no signature.
const anybodyCanAct = "ANYBODY can act, without any signature"

// nobodyCanAct returns that nobody satisfies any of the authorities, and whether elected miners could.
func nobodyCanAct(all ...*Actors) string {
	if slices.ContainsFunc(all, (*Actors).needsMiners) {
		return "nobody can act until miners are elected, who then could"
	}
	return "nobody can ever act"
}

// unknownOwner describes an account whose owner authority is not known.
const unknownOwner = "who holds the owner authority is not known here; they can still do everything, and change this"

// changedAccount is an account as it will be once its authorities are set.
type changedAccount struct {
	id            AccountID // NullAccount, for which nobody acts, if the account has no id yet
	name          string
	owner, active *Authority // nil if not known
	lookup        AccountLookup
}

// actors returns who can satisfy an authority of the account. If its owner authority is not known, nobody counts as
// owner; unknownOwner is reported separately.
func (r changedAccount) actors(a *Authority) *Actors {
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

// ownerWords returns who can act alone as owner, or how many must act together.
func (r changedAccount) ownerWords(n Namer) string {
	g := r.actors(r.owner)
	if g.Anybody() {
		return anybodyCanAct
	}
	if alone := g.soleActors(r.id, n); len(alone) > 0 {
		return "can act alone: " + strings.Join(alone, ", ")
	}
	if fewest := g.fewestSigners(); fewest > 0 {
		return fmt.Sprintf("nobody can act alone; at least %d have to sign", fewest) + g.unknownNote(n)
	}
	return nobodyCanAct(g)
}

// activeWords returns the same for the active authority. Whoever holds the owner authority can act in its place.
func (r changedAccount) activeWords(n Namer) string {
	if r.anybodyActs() {
		return anybodyCanAct
	}
	g := r.actors(r.active)
	unknown := ""
	if r.owner == nil {
		unknown = "; " + unknownOwner
	}
	if alone := g.soleActors(r.id, n); len(alone) > 0 {
		return "can act alone: " + strings.Join(alone, ", ") + unknown
	}
	fewest := g.fewestSigners()
	text := "of these " + nobodyCanAct(g)
	if fewest > 0 {
		text = fmt.Sprintf("none of these can act alone; at least %d have to sign", fewest)
	}
	text += g.unknownNote(n)
	if r.owner == nil {
		return text + unknown
	}
	return r.withOwner(text, fewest, g, n)
}

// withOwner adds who can act as owner to text, which describes an active authority g that nobody satisfies alone. fewest
// is g's fewestSigners.
func (r changedAccount) withOwner(text string, fewest int, g *Actors, n Namer) string {
	owner := r.actors(r.owner)
	fewestOwners := owner.fewestSigners()
	switch alone, note := owner.soleActors(r.id, n), owner.unknownNote(n); {
	case len(alone) > 0:
		return text + "; as owner, these can still do everything alone, and change this: " + strings.Join(alone, ", ")
	case fewest == 0 && fewestOwners == 0:
		return nobodyCanAct(g, owner)
	case fewest == 0:
		return text + fmt.Sprintf("; as owner, at least %d together can still do everything, and change this", fewestOwners) + note
	case note != "":
		return text + "; as owner" + strings.TrimPrefix(note, "; but")
	case fewestOwners > 0:
		fewest = min(fewest, fewestOwners)
	}
	return fmt.Sprintf("nobody can act alone; at least %d have to sign", fewest) + g.unknownNote(n)
}

// ownerEffect returns who may act as owner afterwards. alone is true if the active authority is not set as well; then
// it warns if nobody can act for the account at all.
func (r changedAccount) ownerEffect(was string, alone bool, n Namer) Effect {
	e := authorityEffect("owner authority of "+r.name, was, *r.owner, r.ownerWords(n), n)
	g := r.actors(r.owner)
	switch {
	case g.Anybody():
		e.Careful = "ANYBODY can act as owner of " + r.name + ", without any signature"
	case !g.Nobody():
	case alone && r.active != nil && r.actors(r.active).Nobody():
		e.Careful = r.lostWarning()
	default:
		e.Careful = r.ownerLostWarning(g)
	}
	return e
}

// activeEffect returns who may act for the account afterwards, the holders of its owner authority included.
func (r changedAccount) activeEffect(was string, n Namer) Effect {
	e := authorityEffect("active authority of "+r.name, was, *r.active, r.activeWords(n), n)
	switch {
	case r.anybodyActs():
		e.Careful = "ANYBODY can act for " + r.name + ", without any signature"
	case r.owner != nil && r.actors(r.active).Nobody() && r.actors(r.owner).Nobody():
		e.Careful = r.lostWarning()
	}
	return e
}

func (r changedAccount) ownerLostWarning(g *Actors) string {
	if g.needsMiners() {
		return nobodyCanAct(g) + ", as owner of " + r.name + ": until then its owner authority cannot be changed back"
	}
	return nobodyCanAct() + " as owner of " + r.name + " again: its owner authority can never be changed back"
}

// anybodyActs reports whether one of the account's authorities is satisfied without any signature.
func (r changedAccount) anybodyActs() bool {
	return r.actors(r.active).Anybody() || r.owner != nil && r.actors(r.owner).Anybody()
}

func (r changedAccount) lostWarning() string {
	active, owner := r.actors(r.active), r.actors(r.owner)
	if active.needsMiners() || owner.needsMiners() {
		return nobodyCanAct(active, owner) + ", for " + r.name + ": until then everything it has is lost"
	}
	return nobodyCanAct() + " for " + r.name + " again: everything it has is lost for ever"
}

// authorityEffect returns the effect of setting an authority, even if it stays the same. note is what follows from it.
func authorityEffect(what, was string, now Authority, note string, n Namer) Effect {
	e := Effect{What: what, Was: was, Now: now.words(n), Note: note}
	if e.Was == e.Now {
		e.Was, e.Note = "the same", "it stays as it is; "+note
	}
	return e
}
