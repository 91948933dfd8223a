package keys

import (
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/paper"
)

// tree is accounts, the accounts that their authorities name, and which keys count as here.
type tree struct {
	accounts map[ledger.AccountID]*ledger.Account
	depth    int                       // levels of nested accounts that the ledger follows
	keysHere map[ledger.PublicKey]bool // keys of this wallet
	proven   map[ledger.AccountID]paper.Check
	flipped  map[string]bool // what-if: keys and accounts that are switched, as text
}

// party is a row of the tree: a key or an account of an authority.
type party struct {
	role      string // "owner" or "active", on the first row of each
	bars      []bool // for each level above: whether more rows follow there
	last      bool   // of its authority
	weight    uint16
	threshold uint32 // of the authority that names it
	key       ledger.PublicKey
	account   ledger.AccountID // 0 for a key
	nested    *ledger.Authority
	state     presence
	tooDeep   bool // nested deeper than the ledger follows
}

// presence is the extent to which a party counts as here.
type presence int

const (
	absent presence = iota
	partial
	present
)

func (t *tree) lookup(id ledger.AccountID) *ledger.Account { return t.accounts[id] }

// flipKey returns the party's key in tree.flipped; an account is switched as a whole.
func (p party) flipKey() string {
	if p.account != 0 {
		return p.account.String()
	}
	return p.key.String()
}

func (t *tree) holdsKey(key ledger.PublicKey) bool { return t.keysHere[key] != t.flipped[key.String()] }

// parties returns an authority as rows; those of a nested account follow it.
func (t *tree) parties(a ledger.Authority, level int, bars []bool) (out []party) {
	total := a.Members()
	for i, k := range a.KeyAuths {
		p := party{bars: bars, last: i == total-1, weight: k.Weight, threshold: a.WeightThreshold, key: k.Key}
		if t.holdsKey(k.Key) {
			p.state = present
		}
		out = append(out, p)
	}
	for i, n := range a.AccountAuths {
		p := party{bars: bars, last: len(a.KeyAuths)+i == total-1, weight: n.Weight, threshold: a.WeightThreshold, account: n.Account}
		p.tooDeep = level >= t.depth
		p.state = t.accountPresence(n.Account, level)
		inner := t.lookup(n.Account)
		if inner != nil && !p.tooDeep {
			p.nested = &inner.Active
		}
		out = append(out, p)
		if p.nested != nil {
			out = append(out, t.parties(inner.Active, level+1, append(append([]bool(nil), bars...), !p.last))...)
		}
	}
	return out
}

// accountPresence returns how far an account that an authority names counts.
func (t *tree) accountPresence(id ledger.AccountID, level int) presence {
	a := t.lookup(id)
	state := absent
	if id == ledger.TempAccount { // it counts as having signed
		state = present
	} else if a != nil && level < t.depth {
		switch weight := t.weightHere(a.Active, level+1); {
		case weight >= uint64(a.Active.WeightThreshold):
			state = present
		case weight > 0:
			state = partial
		}
	}
	if t.flipped[id.String()] {
		return map[presence]presence{absent: present, partial: present, present: absent}[state]
	}
	return state
}

// weightHere returns the sum of the weights of the parties that count.
func (t *tree) weightHere(a ledger.Authority, level int) (sum uint64) {
	for _, k := range a.KeyAuths {
		if t.holdsKey(k.Key) {
			sum += uint64(k.Weight)
		}
	}
	for _, n := range a.AccountAuths {
		if t.accountPresence(n.Account, level) == present {
			sum += uint64(n.Weight)
		}
	}
	return sum
}

// missingWeight returns how much weight an authority lacks; 0 if it is satisfied.
func (t *tree) missingWeight(a ledger.Authority) uint64 {
	have := t.weightHere(a, 0)
	return max(uint64(a.WeightThreshold), have) - have
}

// maxWeight returns the weight that an authority would have if every key were here.
func (t *tree) maxWeight(a ledger.Authority, level int) (sum uint64) {
	for _, k := range a.KeyAuths {
		sum += uint64(k.Weight)
	}
	for _, n := range a.AccountAuths {
		inner := t.lookup(n.Account)
		if n.Account == ledger.TempAccount || inner != nil && level < t.depth && t.maxWeight(inner.Active, level+1) >= uint64(inner.Active.WeightThreshold) {
			sum += uint64(n.Weight)
		}
	}
	return sum
}

// suffices returns whether the keys here suffice for the owner and for the active authority of an account. What-if does not count.
func (t *tree) suffices(id ledger.AccountID) [2]bool {
	held := *t
	held.flipped = nil
	a := held.lookup(id)
	owner := held.missingWeight(a.Owner) == 0
	return [2]bool{owner, owner || held.missingWeight(a.Active) == 0}
}

// ownerNote returns a note if the keys here can act as active only through the owner authority, else it is empty.
func (t *tree) ownerNote(id ledger.AccountID) string {
	held := *t
	held.flipped = nil
	a := held.lookup(id)
	if held.missingWeight(a.Active) == 0 || held.missingWeight(a.Owner) > 0 {
		return ""
	}
	return fmt.Sprintf("the owner keys here, %d of %d, can still do everything alone, and change this (role both binds them too)",
		held.weightHere(a.Owner, 0), a.Owner.WeightThreshold)
}

// partyRows returns all rows of an account's tree: its active authority, then its owner authority.
func (t *tree) partyRows(id ledger.AccountID) (out []party) {
	a := t.lookup(id)
	if a == nil {
		return nil
	}
	for _, role := range []struct {
		name string
		auth ledger.Authority
	}{{"active", a.Active}, {"owner", a.Owner}} {
		rows := t.parties(role.auth, 0, nil)
		if len(rows) > 0 {
			rows[0].role = role.name
		}
		out = append(out, rows...)
	}
	return out
}
