package ledger

// approver is a body that adds approvals to a proposal, or takes them back.
type approver interface {
	approves() (to ProposalID, add, remove Approvals)
}

// changes is how an operation changes who approves the proposal, and whether it does.
func (p *Proposal) changes(op Operation) (add, remove Approvals, changes bool) {
	is, approves := op.Body.(approver)
	if !approves {
		return add, remove, false
	}
	to, add, remove := is.approves()
	return add, remove, to == p.ID
}

// givenAfter are the approvals once all is done.
func (p *Proposal) givenAfter(before Before) Approvals {
	all, is := before.(together)
	if !is {
		return p.Given()
	}
	given := p.givenAfter(all.Before)
	for _, op := range all.ops {
		if add, remove, changes := p.changes(op); changes {
			given = given.with(add, remove)
		}
	}
	return given
}

// moments are those in which the ledger looks whether it has enough: after each operation that changes who approves.
func (p *Proposal) moments(before Before) (out []Before) {
	all, is := before.(together)
	if !is {
		return nil
	}
	out = p.moments(all.Before)
	for i, op := range all.ops {
		if _, _, changes := p.changes(op); changes {
			out = append(out, together{all.Before, all.ops[:i+1]})
		}
	}
	return out
}

// What is looked at to say whether approvals are enough: how many accounts, and how many operations that change who approves.
const (
	mostWeighed = 128
	mostMoments = 32
)

// weighed is what approvals come to, and the accounts for which it was not known who acts.
type weighed struct {
	Verdict
	unknown []AccountID
}

func (w weighed) enough() bool { return len(w.Open)+len(w.Spare) == 0 }

// weigh judges the approvals as they are once all is done.
func (p *Proposal) weigh(before Before) (out weighed) {
	read, then := map[AccountID]*Account{}, after(before)
	params := DefaultChainParameters()
	if own := before.Parameters(); own != nil {
		params = *own
	}
	j := Approving{MaxDepth: int(params.MaxAuthorityDepth), Given: p.givenAfter(before)}
	j.Lookup = func(id AccountID) *Account {
		is, was := read[id]
		if !was && len(read) < mostWeighed {
			is = then(id)
		}
		if read[id] = is; is == nil {
			out.unknown = append(out.unknown, id)
		}
		return is
	}
	out.Verdict = j.Judge(Needs{Active: p.RequiredActiveApprovals, Owner: p.RequiredOwnerApprovals})
	return out
}

// awaited returns who has to approve the proposal still once all is done, and what comes of it where nobody has. It is done as soon as it
// has enough, whatever operations behind that one change; in a review period it is done at the end.
func (p *Proposal) awaited(before Before, n Namer) Effect {
	is, moments := p.weigh(before), p.moments(before)
	if p.ReviewPeriodTime == nil {
		for _, at := range moments[:min(len(moments), mostMoments)] {
			if now := p.weigh(at); now.enough() {
				is = now
			}
		}
	}
	e := Effect{What: "still to approve it"}
	switch {
	case is.enough() && p.ReviewPeriodTime != nil:
		e.Now = "nobody: it is done on " + p.ExpirationTime.Words() + ", unless an approval is taken back"
	case is.enough():
		e.Now = "nobody: it is done at once"
	case len(moments) > mostMoments:
		e.Now = "not known here, so often is it approved: it may be done at once"
	case len(is.Open) == 0:
		e.Now = "nobody, and it is not done while a key approves that is not needed: " + is.Spare[0].String()
	default:
		e.Now = allWithIDs(is.Open, n)
		if len(is.unknown) > 0 {
			e.Note = "who acts for " + allWithIDs(distinct(is.unknown), n) + " is not known here: if that is enough, it is done at once"
		}
	}
	return e
}
