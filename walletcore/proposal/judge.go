package proposal

import (
	"slices"

	"billfold/ledger"
)

// judge weighs approvals as the ledger does: an account that approved stands for its whole
// authority, wherever it is named.
type judge struct {
	lookup ledger.AccountLookup
	depth  int // levels of accounts that act for others
	given  Approvals
}

func judgeOf(p *ledger.Proposal, lookup ledger.AccountLookup, depth int) judge {
	return judge{lookup, depth, Approvals{Active: p.AvailableActiveApprovals, Owner: p.AvailableOwnerApprovals,
		Keys: p.AvailableKeyApprovals}}
}

// with is the judge once more is added.
func (j judge) with(more Approvals) judge {
	j.given = Approvals{slices.Concat(j.given.Active, more.Active), slices.Concat(j.given.Owner, more.Owner),
		slices.Concat(j.given.Keys, more.Keys)}
	return j
}

// approved reports whether an account approved by itself.
func (j judge) approved(id ledger.AccountID) bool {
	return slices.Contains(j.given.Active, id) || slices.Contains(j.given.Owner, id)
}

// meets reports whether what a role of an account needs is there.
func (j judge) meets(id ledger.AccountID, role string) bool {
	if role == owner && slices.Contains(j.given.Owner, id) || role == active && j.approved(id) {
		return true
	}
	a := j.lookup(id)
	return a != nil && (role == active && j.holds(a.Active, 0) || j.holds(a.Owner, 0))
}

func (j judge) holds(a ledger.Authority, depth int) bool {
	return j.weight(a, depth) >= uint64(a.WeightThreshold)
}

// weight is what the approvals weigh in an authority.
func (j judge) weight(a ledger.Authority, depth int) (sum uint64) {
	for _, w := range a.KeyAuths {
		if slices.Contains(j.given.Keys, w.Key) {
			sum += uint64(w.Weight)
		}
	}
	for _, w := range a.AccountAuths {
		if j.member(w.Account, depth) {
			sum += uint64(w.Weight)
		}
	}
	return sum
}

// member reports whether an account counts that stands in an authority at a depth.
func (j judge) member(id ledger.AccountID, depth int) bool {
	if j.approved(id) {
		return true
	}
	a := j.lookup(id)
	return a != nil && depth < j.depth && j.holds(a.Active, depth+1)
}

// suffices reports whether all that is needed is there.
func (j judge) suffices(needs []Need) bool {
	for _, n := range needs {
		if !j.meets(n.Account.ID, n.Role) {
			return false
		}
	}
	return true
}

// own is what keys of this wallet can do.
type own struct {
	ledger.Signers
}

// giver collects the approvals that keys of this wallet can add.
type giver struct {
	judge
	own own
	out Approvals
}

// need collects what is missing for a role of an account.
func (g *giver) need(id ledger.AccountID, role string) {
	a := g.lookup(id)
	switch {
	case a == nil || g.meets(id, role):
	case role == owner && g.own.Owner(id):
		g.out.Owner = append(g.out.Owner, id)
	case role == active && g.own.Active(id):
		g.out.Active = append(g.out.Active, id)
	case role == owner:
		g.members(a.Owner, 0)
	default:
		g.members(a.Active, 0)
	}
}

// members collects who can approve for an authority that the wallet cannot satisfy alone.
func (g *giver) members(a ledger.Authority, depth int) {
	for _, w := range a.KeyAuths {
		if g.own.Keys[w.Key] && !slices.Contains(g.given.Keys, w.Key) && !slices.Contains(g.out.Keys, w.Key) {
			g.out.Keys = append(g.out.Keys, w.Key)
		}
	}
	for _, w := range a.AccountAuths {
		nested := g.lookup(w.Account)
		switch {
		case nested == nil || g.member(w.Account, depth) || slices.Contains(g.out.Active, w.Account):
		case g.own.Active(w.Account):
			g.out.Active = append(g.out.Active, w.Account)
		case depth < g.depth:
			g.members(nested.Active, depth+1)
		}
	}
}

// give returns what keys of this wallet can add. Of what is enough nothing is superfluous: the ledger
// does not take a proposal that a key approved without need.
func (j judge) give(needs []Need, can own) Approvals {
	g := giver{judge: j, own: can}
	for _, n := range needs {
		g.need(n.Account.ID, n.Role)
	}
	out := g.out
	if !j.with(out).suffices(needs) {
		return out
	}
	out.Keys = spare(out.Keys, func(keys []ledger.PublicKey) bool {
		return j.with(Approvals{out.Active, out.Owner, keys}).suffices(needs)
	})
	out.Active = spare(out.Active, func(ids []ledger.AccountID) bool {
		return j.with(Approvals{ids, out.Owner, out.Keys}).suffices(needs)
	})
	return out
}

// spare drops one after the other what is not needed.
func spare[T any](all []T, enough func([]T) bool) []T {
	for i := len(all) - 1; i >= 0; i-- {
		if without := slices.Delete(slices.Clone(all), i, i+1); enough(without) {
			all = without
		}
	}
	return all
}

// take returns the approvals that were given and that keys of this wallet can take back.
func (j judge) take(can own) (out Approvals) {
	for _, id := range j.given.Active {
		if can.Active(id) {
			out.Active = append(out.Active, id)
		}
	}
	for _, id := range j.given.Owner {
		if can.Owner(id) {
			out.Owner = append(out.Owner, id)
		}
	}
	for _, key := range j.given.Keys {
		if can.Keys[key] {
			out.Keys = append(out.Keys, key)
		}
	}
	return out
}
