package ledger

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
