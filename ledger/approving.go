package ledger

import "slices"

// Approvals are accounts and keys that approve.
type Approvals struct {
	Active, Owner []AccountID
	Keys          []PublicKey
}

// Empty reports whether nobody approves.
func (a Approvals) Empty() bool { return len(a.Active)+len(a.Owner)+len(a.Keys) == 0 }

// with are the approvals once some are added and others are taken back.
func (a Approvals) with(add, remove Approvals) Approvals {
	return Approvals{replaced(a.Active, add.Active, remove.Active), replaced(a.Owner, add.Owner, remove.Owner),
		replaced(a.Keys, add.Keys, remove.Keys)}
}

func replaced[T comparable](all, add, remove []T) []T {
	return slices.DeleteFunc(slices.Concat(all, add), func(v T) bool { return slices.Contains(remove, v) })
}

// Given are the approvals that a proposal has.
func (p *Proposal) Given() Approvals {
	return Approvals{p.AvailableActiveApprovals, p.AvailableOwnerApprovals, p.AvailableKeyApprovals}
}

// Approving weighs approvals as the ledger does: an account that approved stands for its whole authority, wherever it is named, and the
// temp account always does.
type Approving struct {
	Lookup   AccountLookup
	MaxDepth int // levels of accounts that act for others, max_authority_depth
	Given    Approvals
}

// Approved reports whether an account approved by itself.
func (j Approving) Approved(id AccountID) bool {
	return id == TempAccount || slices.Contains(j.Given.Active, id) || slices.Contains(j.Given.Owner, id)
}

// Active reports whether the active authority of an account is there; its owner authority is as good.
func (j Approving) Active(id AccountID) bool { return j.weighing().active(id) }

// Owner reports whether the owner authority of an account is there.
func (j Approving) Owner(id AccountID) bool { return j.weighing().owner(id) }

// Member reports whether an account counts that stands in an authority at a depth.
func (j Approving) Member(id AccountID, depth int) bool { return j.weighing().member(id, depth) }

// Weight is what the approvals weigh in an authority.
func (j Approving) Weight(a Authority) (sum uint64) {
	for _, w := range a.KeyAuths {
		if slices.Contains(j.Given.Keys, w.Key) {
			sum += uint64(w.Weight)
		}
	}
	for _, w := range a.AccountAuths {
		if j.Member(w.Account, 0) {
			sum += uint64(w.Weight)
		}
	}
	return sum
}

// Verdict is what approvals come to.
type Verdict struct {
	Open  []AccountID // whose authority is missing
	Spare []PublicKey // approved without need: while they do, the ledger does nothing
}

// Judge weighs the approvals for what is needed of accounts.
func (j Approving) Judge(n Needs) (out Verdict) {
	w := j.weighing()
	for _, id := range n.Active {
		if !w.active(id) {
			out.Open = append(out.Open, id)
		}
	}
	for _, id := range n.Owner {
		if !w.owner(id) {
			out.Open = append(out.Open, id)
		}
	}
	for _, key := range j.Given.Keys {
		if !w.used[key] {
			out.Spare = append(out.Spare, key)
		}
	}
	out.Open = distinct(out.Open)
	return out
}

// weighing is approvals while they are weighed: as on the ledger an account that was found to approve counts from then on wherever it
// stands, and a key counts as needed once it was looked at.
type weighing struct {
	Approving
	used  map[PublicKey]bool
	found map[AccountID]bool
	short map[failing]bool
}

// failing is an account that does not count at a depth while so many others do. That is found once, so that a web of accounts which
// name each other is no more work than its size.
type failing struct {
	level
	found int
}

func (j Approving) weighing() *weighing {
	return &weighing{j, map[PublicKey]bool{}, map[AccountID]bool{}, map[failing]bool{}}
}

func (w *weighing) active(id AccountID) bool {
	if w.counts(id) {
		return true
	}
	a := w.Lookup(id)
	return a != nil && (w.holds(a.Active, 0) || w.holds(a.Owner, 0))
}

func (w *weighing) owner(id AccountID) bool {
	if slices.Contains(w.Given.Owner, id) {
		return true
	}
	a := w.Lookup(id)
	return a != nil && w.holds(a.Owner, 0)
}

func (w *weighing) counts(id AccountID) bool { return w.Approved(id) || w.found[id] }

// holds reports whether the approvals satisfy an authority. Where an account in it stands too deep to be looked at, the ledger does not
// look at those behind it either.
func (w *weighing) holds(a Authority, depth int) bool {
	var sum uint64
	need := uint64(a.WeightThreshold)
	for _, k := range a.KeyAuths {
		if slices.Contains(w.Given.Keys, k.Key) {
			w.used[k.Key] = true
			if sum += uint64(k.Weight); sum >= need {
				return true
			}
		}
	}
	for _, m := range a.AccountAuths {
		if depth >= w.MaxDepth && !w.counts(m.Account) {
			return false
		}
		if w.member(m.Account, depth) {
			if sum += uint64(m.Weight); sum >= need {
				return true
			}
		}
	}
	return sum >= need
}

func (w *weighing) member(id AccountID, depth int) bool {
	at := failing{level{id, depth}, len(w.found)}
	if w.counts(id) || w.short[at] {
		return w.counts(id)
	}
	if a := w.Lookup(id); a == nil || depth >= w.MaxDepth || !w.holds(a.Active, depth+1) {
		w.short[at] = true
		return false
	}
	w.found[id] = true
	return true
}
