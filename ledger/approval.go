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

// approver is a body that adds approvals to a proposal, or withdraws them.
type approver interface {
	approvalChanges() (to ProposalID, add, remove Approvals)
}

// changesBy returns the approvals of the proposal that an operation adds and removes, and whether there are any.
func (p *Proposal) changesBy(op Operation) (add, remove Approvals, changes bool) {
	body, ok := op.Body.(approver)
	if !ok {
		return add, remove, false
	}
	to, add, remove := body.approvalChanges()
	return add, remove, to == p.ID
}

// givenAfter returns the approvals after all operations of before.
func (p *Proposal) givenAfter(before Before) Approvals {
	all, ok := before.(together)
	if !ok {
		return p.Given()
	}
	given := p.givenAfter(all.Before)
	for _, op := range all.ops {
		if add, remove, changes := p.changesBy(op); changes {
			given = given.with(add, remove)
		}
	}
	return given
}

// checkpoints returns the states in which the ledger checks the approvals: after each operation that changes them.
func (p *Proposal) checkpoints(before Before) (out []Before) {
	all, ok := before.(together)
	if !ok {
		return nil
	}
	out = p.checkpoints(all.Before)
	for i, op := range all.ops {
		if _, _, changes := p.changesBy(op); changes {
			out = append(out, together{all.Before, all.ops[:i+1]})
		}
	}
	return out
}

// Limits on the work of judging approvals.
const (
	maxAccountsJudged = 128 // accounts that are read
	maxCheckpoints    = 32  // operations that change approvals
)

// judgement is the verdict on approvals, and the accounts for which it is not known who acts.
type judgement struct {
	Verdict
	unknown []AccountID
}

func (w judgement) enough() bool { return len(w.Open)+len(w.Spare) == 0 }

// judgeAfter judges the approvals after all operations of before.
func (p *Proposal) judgeAfter(before Before) (out judgement) {
	read, then := map[AccountID]*Account{}, accountsAfter(before)
	params := DefaultChainParameters()
	if current := before.Parameters(); current != nil {
		params = *current
	}
	j := ApprovalJudge{MaxDepth: int(params.MaxAuthorityDepth), Given: p.givenAfter(before)}
	j.Lookup = func(id AccountID) *Account {
		account, seen := read[id]
		if !seen && len(read) < maxAccountsJudged {
			account = then(id)
		}
		if read[id] = account; account == nil {
			out.unknown = append(out.unknown, id)
		}
		return account
	}
	out.Verdict = j.Judge(Needs{Active: p.RequiredActiveApprovals, Owner: p.RequiredOwnerApprovals})
	return out
}

// awaited returns who still has to approve the proposal after all operations of before, or what happens if nobody has
// to. The ledger executes a proposal as soon as it has enough approvals, whatever later operations change. One with a
// review period is executed when it expires.
func (p *Proposal) awaited(before Before, n Namer) Effect {
	verdict, checkpoints := p.judgeAfter(before), p.checkpoints(before)
	if p.ReviewPeriodTime == nil {
		for _, at := range checkpoints[:min(len(checkpoints), maxCheckpoints)] {
			if now := p.judgeAfter(at); now.enough() {
				verdict = now
			}
		}
	}
	e := Effect{What: "still to approve it"}
	switch {
	case verdict.enough() && p.ReviewPeriodTime != nil:
		e.Now = "nobody: it is executed on " + p.ExpirationTime.Words() + ", unless an approval is withdrawn"
	case verdict.enough():
		e.Now = "nobody: it is executed at once"
	case len(checkpoints) > maxCheckpoints:
		e.Now = "not known here, because it is approved so often: it may be executed at once"
	case len(verdict.Open) == 0:
		e.Now = "nobody, but it is not executed while a key approves that is not needed: " + verdict.Spare[0].String()
	default:
		e.Now = allWithIDs(verdict.Open, n)
		if len(verdict.unknown) > 0 {
			e.Note = "who acts for " + allWithIDs(distinct(verdict.unknown), n) +
				" is not known here: if that is enough, it is executed at once"
		}
	}
	return e
}
