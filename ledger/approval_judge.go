package ledger

import "slices"

// Approvals are the accounts and keys that approve a proposal.
type Approvals struct {
	Active, Owner []AccountID
	Keys          []PublicKey
}

// Empty reports whether nobody approves.
func (a Approvals) Empty() bool { return len(a.Active)+len(a.Owner)+len(a.Keys) == 0 }

// with returns the approvals after some are added and others removed.
func (a Approvals) with(add, remove Approvals) Approvals {
	return Approvals{replaced(a.Active, add.Active, remove.Active), replaced(a.Owner, add.Owner, remove.Owner),
		replaced(a.Keys, add.Keys, remove.Keys)}
}

func replaced[T comparable](all, add, remove []T) []T {
	return slices.DeleteFunc(slices.Concat(all, add), func(v T) bool { return slices.Contains(remove, v) })
}

// Given returns the approvals that a proposal has.
func (p *Proposal) Given() Approvals {
	return Approvals{p.AvailableActiveApprovals, p.AvailableOwnerApprovals, p.AvailableKeyApprovals}
}

// ApprovalJudge judges approvals as the ledger does: an account that approved counts with its full weight wherever it is
// named, and the temp account always counts.
type ApprovalJudge struct {
	Lookup   AccountLookup
	MaxDepth int // levels of nested accounts, max_authority_depth
	Given    Approvals
}

// Approved reports whether the account itself approved.
func (j ApprovalJudge) Approved(id AccountID) bool {
	return id == TempAccount || slices.Contains(j.Given.Active, id) || slices.Contains(j.Given.Owner, id)
}

// Active reports whether the approvals satisfy an account's active or owner authority.
func (j ApprovalJudge) Active(id AccountID) bool { return j.newState().active(id) }

// Owner reports whether the approvals satisfy an account's owner authority.
func (j ApprovalJudge) Owner(id AccountID) bool { return j.newState().owner(id) }

// Member reports whether an account counts that an authority at a depth names.
func (j ApprovalJudge) Member(id AccountID, depth int) bool { return j.newState().member(id, depth) }

// Weight returns the weight of the approvals in an authority.
func (j ApprovalJudge) Weight(a Authority) (sum uint64) {
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

// Verdict is the result of judging approvals.
type Verdict struct {
	Open  []AccountID // accounts whose authority is missing
	Spare []PublicKey // keys that approve but are not needed: as long as they do, the ledger does not execute the proposal
}

// Judge judges the approvals against the active and owner authorities in n.
func (j ApprovalJudge) Judge(n Needs) (out Verdict) {
	w := j.newState()
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

// judgeState is the state of one judgement. As on the ledger, an account that was found to approve counts from then on
// wherever it is named, and a key counts as needed once it was looked at.
type judgeState struct {
	ApprovalJudge
	used   map[PublicKey]bool
	found  map[AccountID]bool
	failed map[failure]bool
}

// failure is an account that does not count at a depth while so many others were found to approve. Remembering it makes a
// web of accounts that name each other take work in proportion to its size.
type failure struct {
	level
	found int
}

func (j ApprovalJudge) newState() *judgeState {
	return &judgeState{j, map[PublicKey]bool{}, map[AccountID]bool{}, map[failure]bool{}}
}

func (w *judgeState) active(id AccountID) bool {
	if w.counts(id) {
		return true
	}
	a := w.Lookup(id)
	return a != nil && (w.holds(a.Active, 0) || w.holds(a.Owner, 0))
}

func (w *judgeState) owner(id AccountID) bool {
	if slices.Contains(w.Given.Owner, id) {
		return true
	}
	a := w.Lookup(id)
	return a != nil && w.holds(a.Owner, 0)
}

func (w *judgeState) counts(id AccountID) bool { return w.Approved(id) || w.found[id] }

// holds reports whether the approvals satisfy an authority. If an account in it is nested too deep to be judged, the
// ledger does not look at those after it either.
func (w *judgeState) holds(a Authority, depth int) bool {
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

func (w *judgeState) member(id AccountID, depth int) bool {
	at := failure{level{id, depth}, len(w.found)}
	if w.counts(id) || w.failed[at] {
		return w.counts(id)
	}
	if a := w.Lookup(id); a == nil || depth >= w.MaxDepth || !w.holds(a.Active, depth+1) {
		w.failed[at] = true
		return false
	}
	w.found[id] = true
	return true
}
