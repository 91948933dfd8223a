package chain

import (
	"cmp"
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// required are the authorities that a transaction needs (protocol/serialization.md 5).
type required struct {
	active, owner []ledger.AccountID // ascending, each once
	other         []ledger.Authority
}

func requiredBy(ops []ledger.Operation) required {
	n := ledger.NeedsOf(ops)
	need := required{active: n.Active, owner: n.Owner, other: n.Other}
	for _, op := range ops {
		need.active = append(need.active, payerOf(op))
		if ev, ok := evaluatorOf(op.Code); ok && ev.needs != nil {
			ev.needs(op.Body, &need)
		}
	}
	need.active, need.owner = ascending(need.active), ascending(need.owner)
	return need
}

func ascending[T cmp.Ordered](list []T) []T {
	slices.Sort(list)
	return slices.Compact(list)
}

// signers decides whether a set of keys satisfies authorities, and remembers
// which of the keys were needed.
type signers struct {
	s        *State
	keys     map[ledger.PublicKey]bool // true: needed so far
	approved map[ledger.AccountID]bool
	owners   map[ledger.AccountID]bool // of which the owner has approved
	depth    int
	seen     func(*ledger.Authority) // told each authority looked at, may be nil
}

func (s *State) signersWith(keys []ledger.PublicKey) *signers {
	have := make(map[ledger.PublicKey]bool, len(keys))
	for _, k := range keys {
		have[k] = false
	}
	return &signers{
		s: s, keys: have, depth: int(s.global.Parameters.MaxAuthorityDepth),
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

// satisfies tells whether the keys reach the threshold. Accounts in the
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
		if level >= g.depth && !g.approved[m.Account] {
			return false // too deep to look at, and the node looks no further
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
	account := g.s.Account(id)
	if account == nil || !g.satisfies(&account.Active, level+1) {
		return false
	}
	g.approved[id] = true
	return true
}

// active tells whether the account's active authority, or else its owner
// authority, is satisfied.
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

// check says which authority is missing, or nil.
func (g *signers) check(need required) *nodeerr.Fault {
	for i := range need.other {
		if !g.satisfies(&need.other[i], 0) {
			return nodeerr.New(nodeerr.CodeMissingOther, "verify_authority", "s.check_authority(auth): Missing Authority", nodeerr.Data{"auth": need.other[i]})
		}
	}
	for _, id := range need.active {
		if a := g.s.Account(id); a == nil || !g.active(a) {
			return nodeerr.New(nodeerr.CodeMissingActive, "verify_authority", "s.check_authority(id) || s.check_authority(get_owner(id)): Missing Active Authority ${id}", nodeerr.Data{"id": id})
		}
	}
	for _, id := range need.owner {
		if a := g.s.Account(id); a == nil || !(g.owners[id] || g.satisfies(&a.Owner, 0)) {
			return nodeerr.New(nodeerr.CodeMissingOwner, "verify_authority", "s.check_authority(get_owner(id)): Missing Owner Authority ${id}", nodeerr.Data{"id": id})
		}
	}
	return nil
}

// verify checks the authorities of the operations against the keys that
// signed. With exactly one key unneeded signatures and the miner account are
// not looked at, as in the reference.
func (s *State) verify(ops []ledger.Operation, keys []ledger.PublicKey) *nodeerr.Fault {
	need := requiredBy(ops)
	if missing := s.missingPayer(need); missing != nil {
		return missing
	}
	strict := len(keys) != 1
	if strict && slices.Contains(need.active, ledger.MinerAccount) {
		return nodeerr.New(nodeerr.CodeCommitteeApproval, "verify_authority", "required_active.find(GRAPHENE_MINER_ACCOUNT) == required_active.end(): the account 1.2.0 acts through proposals only", nil)
	}
	g := s.signersWith(keys)
	if fault := g.check(need); fault != nil {
		return fault
	}
	if strict && g.unused() {
		return nodeerr.New(nodeerr.CodeIrrelevantSig, "verify_authority", "!s.remove_unused_signatures(): Unnecessary signature(s) detected", nil)
	}
	return nil
}

// missingPayer finds an account that is to act but does not exist.
func (s *State) missingPayer(need required) *nodeerr.Fault {
	for _, id := range slices.Concat(need.active, need.owner) {
		if s.Account(id) == nil {
			return nodeerr.NotFound(id.Object())
		}
	}
	return nil
}

// VerifyAuthority checks the signatures of a prepared transaction alone.
func (s *State) VerifyAuthority(p *Prepared) *nodeerr.Fault {
	if p.keyFault != nil {
		return p.keyFault
	}
	return s.verify(p.Tx.Operations, p.keys)
}

// VerifyAccount tells whether the keys satisfy the active authority of the account.
func (s *State) VerifyAccount(id ledger.AccountID, keys []ledger.PublicKey) *nodeerr.Fault {
	return s.signersWith(keys).check(required{active: []ledger.AccountID{id}})
}

// RequiredSignatures picks from the available keys a smallest set that,
// with the signatures already there, satisfies the transaction as far as
// they can. The answer is in the ledger's order of keys.
func (s *State) RequiredSignatures(p *Prepared, available []ledger.PublicKey) []ledger.PublicKey {
	need := requiredBy(p.Tx.Operations)
	g := s.signersWith(slices.Concat(p.keys, available))
	_ = g.check(need) // also an insufficient set is answered, as far as it helps
	picked := []ledger.PublicKey{}
	for key, used := range g.keys {
		if used && !slices.Contains(p.keys, key) {
			picked = append(picked, key)
		}
	}
	slices.SortFunc(picked, ledger.ComparePublicKeys)
	for i := 0; i < len(picked); {
		without := slices.Delete(slices.Clone(picked), i, i+1)
		if s.signersWith(slices.Concat(p.keys, without)).check(need) != nil {
			i++
			continue
		}
		picked = without
	}
	return picked
}

// PotentialSignatures gives all keys in the authorities that are looked at
// when nobody has signed, in the ledger's order of keys.
func (s *State) PotentialSignatures(p *Prepared) []ledger.PublicKey {
	keys := []ledger.PublicKey{}
	g := s.signersWith(nil)
	g.seen = func(a *ledger.Authority) {
		for _, k := range a.KeyAuths {
			keys = append(keys, k.Key)
		}
	}
	for _, id := range requiredBy(p.Tx.Operations).all() {
		if a := s.Account(id); a != nil {
			g.satisfies(&a.Active, 0)
			g.satisfies(&a.Owner, 0)
		}
	}
	slices.SortFunc(keys, ledger.ComparePublicKeys)
	return slices.Compact(keys)
}

func (r required) all() []ledger.AccountID { return slices.Concat(r.active, r.owner) }
