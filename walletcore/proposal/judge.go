package proposal

import (
	"slices"

	"billfold/ledger"
)

// judge weighs the approvals of a proposal.
type judge struct{ ledger.ApprovalJudge }

func judgeOf(p *ledger.Proposal, lookup ledger.AccountLookup, depth int) judge {
	return judge{ledger.ApprovalJudge{Lookup: lookup, MaxDepth: depth, Given: p.Given()}}
}

// with returns the judge of the approvals given so far and more.
func (j judge) with(more Approvals) judge {
	j.Given = ledger.Approvals{Active: slices.Concat(j.Given.Active, more.Active), Owner: slices.Concat(j.Given.Owner, more.Owner),
		Keys: slices.Concat(j.Given.Keys, more.Keys)}
	return j
}

// meets reports whether an account's authority for a role is satisfied.
func (j judge) meets(id ledger.AccountID, role string) bool {
	if role == owner {
		return j.Owner(id)
	}
	return j.Active(id)
}

// suffices reports whether all needs are met.
func (j judge) suffices(needs []Need) bool {
	for _, n := range needs {
		if !j.meets(n.Account.ID, n.Role) {
			return false
		}
	}
	return true
}

// walletKeys are the keys of this wallet, and what they can sign for.
type walletKeys struct {
	ledger.Signers
}

// approvalFinder collects the approvals that keys of this wallet can add.
type approvalFinder struct {
	judge
	can walletKeys
	out Approvals
}

// addNeed adds what is missing for a role of an account.
func (g *approvalFinder) addNeed(id ledger.AccountID, role string) {
	a := g.Lookup(id)
	switch {
	case a == nil || g.meets(id, role):
	case role == owner && g.can.Owner(id):
		g.out.Owner = append(g.out.Owner, id)
	case role == active && g.can.Active(id):
		g.out.Active = append(g.out.Active, id)
	case role == owner:
		g.addMembers(a.Owner, 0)
	default:
		g.addMembers(a.Active, 0)
	}
}

// addMembers adds the members that can approve for an authority that the wallet cannot satisfy alone.
func (g *approvalFinder) addMembers(a ledger.Authority, depth int) {
	for _, w := range a.KeyAuths {
		if g.can.Keys[w.Key] && !slices.Contains(g.Given.Keys, w.Key) && !slices.Contains(g.out.Keys, w.Key) {
			g.out.Keys = append(g.out.Keys, w.Key)
		}
	}
	for _, w := range a.AccountAuths {
		nested := g.Lookup(w.Account)
		switch {
		case nested == nil || g.Member(w.Account, depth) || slices.Contains(g.out.Active, w.Account):
		case g.can.Active(w.Account):
			g.out.Active = append(g.out.Active, w.Account)
		case depth < g.MaxDepth:
			g.addMembers(nested.Active, depth+1)
		}
	}
}

// toGive returns the approvals that keys of this wallet can add. If they are enough, none is superfluous: the ledger
// refuses a proposal that a key approved needlessly.
func (j judge) toGive(needs []Need, can walletKeys) Approvals {
	g := approvalFinder{judge: j, can: can}
	for _, n := range needs {
		g.addNeed(n.Account.ID, n.Role)
	}
	out := g.out
	if !j.with(out).suffices(needs) {
		return out
	}
	out.Keys = minimize(out.Keys, func(keys []ledger.PublicKey) bool {
		return j.with(Approvals{ledger.Approvals{Active: out.Active, Owner: out.Owner, Keys: keys}}).suffices(needs)
	})
	out.Active = minimize(out.Active, func(ids []ledger.AccountID) bool {
		return j.with(Approvals{ledger.Approvals{Active: ids, Owner: out.Owner, Keys: out.Keys}}).suffices(needs)
	})
	return out
}

// minimize drops what is not needed, one after the other.
func minimize[T any](all []T, enough func([]T) bool) []T {
	for i := len(all) - 1; i >= 0; i-- {
		if without := slices.Delete(slices.Clone(all), i, i+1); enough(without) {
			all = without
		}
	}
	return all
}

// toTake returns the approvals given so far that keys of this wallet can take back.
func (j judge) toTake(can walletKeys) (out Approvals) {
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
