package proposal

import (
	"slices"

	"billfold/ledger"
)

// judge weighs approvals for the needs of a proposal.
type judge struct{ ledger.ApprovalJudge }

func judgeOf(p *ledger.Proposal, lookup ledger.AccountLookup, depth int) judge {
	return judge{ledger.ApprovalJudge{Lookup: lookup, MaxDepth: depth, Given: p.Given()}}
}

// with is the judge once more is added.
func (j judge) with(more Approvals) judge {
	j.Given = ledger.Approvals{Active: slices.Concat(j.Given.Active, more.Active), Owner: slices.Concat(j.Given.Owner, more.Owner),
		Keys: slices.Concat(j.Given.Keys, more.Keys)}
	return j
}

// meets reports whether what a role of an account needs is there.
func (j judge) meets(id ledger.AccountID, role string) bool {
	if role == owner {
		return j.Owner(id)
	}
	return j.Active(id)
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
	a := g.Lookup(id)
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
		if g.own.Keys[w.Key] && !slices.Contains(g.Given.Keys, w.Key) && !slices.Contains(g.out.Keys, w.Key) {
			g.out.Keys = append(g.out.Keys, w.Key)
		}
	}
	for _, w := range a.AccountAuths {
		nested := g.Lookup(w.Account)
		switch {
		case nested == nil || g.Member(w.Account, depth) || slices.Contains(g.out.Active, w.Account):
		case g.own.Active(w.Account):
			g.out.Active = append(g.out.Active, w.Account)
		case depth < g.MaxDepth:
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
		return j.with(Approvals{ledger.Approvals{Active: out.Active, Owner: out.Owner, Keys: keys}}).suffices(needs)
	})
	out.Active = spare(out.Active, func(ids []ledger.AccountID) bool {
		return j.with(Approvals{ledger.Approvals{Active: ids, Owner: out.Owner, Keys: out.Keys}}).suffices(needs)
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
	for _, id := range j.Given.Active {
		if can.Active(id) {
			out.Active = append(out.Active, id)
		}
	}
	for _, id := range j.Given.Owner {
		if can.Owner(id) {
			out.Owner = append(out.Owner, id)
		}
	}
	for _, key := range j.Given.Keys {
		if can.Keys[key] {
			out.Keys = append(out.Keys, key)
		}
	}
	return out
}
