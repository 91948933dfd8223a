package authority

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// signers decides whether a set of keys satisfies authorities, and remembers
// which of the keys were needed.
type signers struct {
	in       Ledger
	keys     map[ledger.PublicKey]bool // true if needed so far
	approved map[ledger.AccountID]bool // accounts that count as having signed
	owners   map[ledger.AccountID]bool // accounts that approved with their owner authority
	seen     func(*ledger.Authority)   // called with each authority looked at; may be nil
}

func newSigners(l Ledger, keys []ledger.PublicKey) *signers {
	have := make(map[ledger.PublicKey]bool, len(keys))
	for _, k := range keys {
		have[k] = false
	}
	return &signers{
		in: l, keys: have,
		approved: map[ledger.AccountID]bool{ledger.TempAccount: true}, owners: map[ledger.AccountID]bool{},
	}
}

func (g *signers) signed(key ledger.PublicKey) bool {
	if _, ok := g.keys[key]; !ok {
		return false
	}
	g.keys[key] = true
	return true
}

// satisfies reports whether the keys reach the threshold. Accounts in the
// authority count with their active authority, down to the chain's depth.
func (g *signers) satisfies(auth *ledger.Authority, level int) bool {
	if g.seen != nil {
		g.seen(auth)
	}
	var weight uint64
	need := uint64(auth.WeightThreshold)
	for _, k := range auth.KeyAuths {
		if g.signed(k.Key) {
			if weight += uint64(k.Weight); weight >= need {
				return true
			}
		}
	}
	for _, m := range auth.AccountAuths {
		if level >= g.in.Depth && !g.approved[m.Account] {
			return false // nested too deep; the node looks no further
		}
		if g.member(m.Account, level) {
			if weight += uint64(m.Weight); weight >= need {
				return true
			}
		}
	}
	return weight >= need
}

func (g *signers) member(id ledger.AccountID, level int) bool {
	if g.approved[id] {
		return true
	}
	account := g.in.Accounts.Get(id)
	if account == nil || !g.satisfies(&account.Active, level+1) {
		return false
	}
	g.approved[id] = true
	return true
}

// active reports whether the account's active or owner authority is satisfied.
func (g *signers) active(a *ledger.Account) bool {
	return g.approved[a.ID] || g.satisfies(&a.Active, 0) || g.satisfies(&a.Owner, 0)
}

func (g *signers) unused() bool {
	for _, used := range g.keys {
		if !used {
			return true
		}
	}
	return false
}

// check returns the fault for an authority that is not satisfied, or nil.
func (g *signers) check(need Required) *nodeerr.Error {
	for i := range need.Other {
		if !g.satisfies(&need.Other[i], 0) {
			return nodeerr.New(nodeerr.CodeMissingOther, "verify_authority", "s.check_authority(auth): Missing Authority",
				nodeerr.Data{"auth": need.Other[i]})
		}
	}
	for _, id := range need.Active {
		if a := g.in.Accounts.Get(id); a == nil || !g.active(a) {
			return nodeerr.New(nodeerr.CodeMissingActive, "verify_authority",
				"s.check_authority(id) || s.check_authority(get_owner(id)): Missing Active Authority ${id}",
				nodeerr.Data{"id": id})
		}
	}
	for _, id := range need.Owner {
		if a := g.in.Accounts.Get(id); a == nil || !(g.owners[id] || g.satisfies(&a.Owner, 0)) {
			return nodeerr.New(nodeerr.CodeMissingOwner, "verify_authority",
				"s.check_authority(get_owner(id)): Missing Owner Authority ${id}",
				nodeerr.Data{"id": id})
		}
	}
	return nil
}
