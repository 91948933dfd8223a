package keys

import (
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/paper"
)

// tree is accounts with those that their authorities name, and which keys count as here.
type tree struct {
	accounts map[ledger.AccountID]*ledger.Account
	depth    int                       // levels of nested accounts that the ledger follows
	here     map[ledger.PublicKey]bool // keys of this wallet
	proven   map[ledger.AccountID]paper.Check
	flipped  map[string]bool // what-if: keys and accounts that count the other way round, as text
}

// party is a row of the tree: a key or an account of an authority.
type party struct {
	role      string // "owner" or "active", on the first row of each
	bars      []bool // for each level above: whether more follows there
	last      bool   // of its authority
	weight    uint16
	threshold uint32 // of the authority that names it
	key       ledger.PublicKey
	account   ledger.AccountID // 0 for a key
	nested    *ledger.Authority
	state     counts
	tooDeep   bool // the ledger does not look into it
}

// counts says how far a party counts.
type counts int

const (
	not counts = iota
	partly
	fully
)

func (t *tree) lookup(id ledger.AccountID) *ledger.Account { return t.accounts[id] }

// flips is what t switches: a key, or an account as a whole.
func (p party) flips() string {
	if p.account != 0 {
		return p.account.String()
	}
	return p.key.String()
}

func (t *tree) holdsKey(key ledger.PublicKey) bool { return t.here[key] != t.flipped[key.String()] }

// parties lists an authority as rows, nested ones below the account that they are of.
func (t *tree) parties(a ledger.Authority, level int, bars []bool) (out []party) {
	total := a.Members()
	for i, k := range a.KeyAuths {
		p := party{bars: bars, last: i == total-1, weight: k.Weight, threshold: a.WeightThreshold, key: k.Key}
		if t.holdsKey(k.Key) {
			p.state = fully
		}
		out = append(out, p)
	}
	for i, n := range a.AccountAuths {
		p := party{bars: bars, last: len(a.KeyAuths)+i == total-1, weight: n.Weight, threshold: a.WeightThreshold, account: n.Account}
		p.tooDeep = level >= t.depth
		p.state = t.account(n.Account, level)
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

// account is how far an account that an authority names counts.
func (t *tree) account(id ledger.AccountID, level int) counts {
	a := t.lookup(id)
	state := not
	if a != nil && level < t.depth {
		switch weight := t.weight(a.Active, level+1); {
		case weight >= uint64(a.Active.WeightThreshold):
			state = fully
		case weight > 0:
			state = partly
		}
	}
	if t.flipped[id.String()] {
		return map[counts]counts{not: fully, partly: fully, fully: not}[state]
	}
	return state
}

// weight is what the parties that count sum up to.
func (t *tree) weight(a ledger.Authority, level int) (sum uint64) {
	for _, k := range a.KeyAuths {
		if t.holdsKey(k.Key) {
			sum += uint64(k.Weight)
		}
	}
	for _, n := range a.AccountAuths {
		if t.account(n.Account, level) == fully {
			sum += uint64(n.Weight)
		}
	}
	return sum
}

// lacks is how much weight is missing for an authority; 0: it holds.
func (t *tree) lacks(a ledger.Authority) uint64 {
	have := t.weight(a, 0)
	return max(uint64(a.WeightThreshold), have) - have
}

// most is the weight that an authority would have if every key were here.
func (t *tree) most(a ledger.Authority, level int) (sum uint64) {
	for _, k := range a.KeyAuths {
		sum += uint64(k.Weight)
	}
	for _, n := range a.AccountAuths {
		inner := t.lookup(n.Account)
		if inner != nil && level < t.depth && t.most(inner.Active, level+1) >= uint64(inner.Active.WeightThreshold) {
			sum += uint64(n.Weight)
		}
	}
	return sum
}

// can returns whether the keys here suffice for the owner and for the active authority of an account, whatever is switched.
func (t *tree) can(id ledger.AccountID) [2]bool {
	held := *t
	held.flipped = nil
	a := held.lookup(id)
	owner := held.lacks(a.Owner) == 0
	return [2]bool{owner, owner || held.lacks(a.Active) == 0}
}

// byOwner returns the note that the keys here suffice for active by the owner authority only; empty where it is not so.
func (t *tree) byOwner(id ledger.AccountID) string {
	held := *t
	held.flipped = nil
	a := held.lookup(id)
	if held.lacks(a.Active) == 0 || held.lacks(a.Owner) > 0 {
		return ""
	}
	return fmt.Sprintf("the owner keys here, %d of %d, can still do everything alone, and change this (role both binds them too)",
		held.weight(a.Owner, 0), a.Owner.WeightThreshold)
}

// rows are all rows of an account's tree: its active authority, then its owner authority.
func (t *tree) rows(id ledger.AccountID) (out []party) {
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
