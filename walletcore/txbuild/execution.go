package txbuild

import (
	"context"
	"slices"

	"billfold/ledger"
)

// execution holds the steps of a transaction and of the proposals that it approves, in the ledger's order if these are executed at
// once.
type execution struct {
	proposals []approvedProposal
	steps     []step
	fees      []ledger.Operation // those that approve or propose, which themselves only cost a fee
	unread    []ledger.ProposalID
}

// approvedProposal is a proposal that the transaction approves.
type approvedProposal struct {
	id  ledger.ProposalID
	ops []ledger.Operation
}

// step is one operation of an execution.
type step struct {
	op       ledger.Operation
	proposed bool // false: it is in the transaction itself
}

// executionOf reads what operations do, including those of the proposals that they approve. What they propose themselves comes last:
// they may approve one of those proposals.
func (b *before) executionOf(ops []ledger.Operation) (d execution) {
	var made []ledger.Operation
	for _, op := range ops {
		switch body := op.Body.(type) {
		case *ledger.ProposalUpdateOp:
			d.fees = append(d.fees, op)
			b.addProposal(&d, body)
		case *ledger.ProposalCreateOp:
			d.fees = append(d.fees, op)
			made = append(made, op.WithProposed()[1:]...)
		default:
			d.steps = append(d.steps, step{op: op})
		}
	}
	d.addProposed(made)
	return d
}

// addProposal adds what the proposal that an operation approves would do. The ledger executes it once, however often it is approved.
func (b *before) addProposal(d *execution, update *ledger.ProposalUpdateOp) {
	known := slices.ContainsFunc(d.proposals, func(p approvedProposal) bool { return p.id == update.Proposal })
	if !addsApprovals(update) || known {
		return
	}
	p := b.Proposal(update.Proposal)
	if p == nil || len(p.ProposedTransaction.Operations) == 0 {
		d.unread = append(d.unread, update.Proposal)
		return
	}
	d.proposals = append(d.proposals, approvedProposal{update.Proposal, p.ProposedTransaction.Operations})
	d.addProposed(p.ProposedTransaction.Operations)
}

func (d *execution) addProposed(ops []ledger.Operation) {
	for _, op := range ops {
		d.steps = append(d.steps, step{op, true})
	}
}

func (d execution) operations() (ops []ledger.Operation) {
	for _, s := range d.steps {
		ops = append(ops, s.op)
	}
	return ops
}

// hasProposed reports whether there is an operation that is proposed.
func (d execution) hasProposed() bool {
	return slices.ContainsFunc(d.steps, func(s step) bool { return s.proposed })
}

// hasDirect reports whether the transaction also does something itself.
func (d execution) hasDirect() bool {
	return slices.ContainsFunc(d.steps, func(s step) bool { return !s.proposed })
}

// proposedLast returns the execution with the proposals after everything else, as when others still have to approve them.
func (d execution) proposedLast() execution {
	d.steps = slices.Clone(d.steps)
	slices.SortStableFunc(d.steps, func(a, b step) int {
		switch {
		case a.proposed == b.proposed:
			return 0
		case b.proposed:
			return -1
		}
		return 1
	})
	return d
}

// explainExecution explains an execution as a whole: an operation next to an approval is judged together with what is approved,
// whichever of them is executed first. Errors: the daemon's.
func (f follower) explainExecution(ctx context.Context, d execution) (Review, error) {
	certain, err := checkCertain(ctx, f.View, d.operations())
	if err != nil {
		return Review{}, err
	}
	does, err := f.Explain(ctx, d.operations()...)
	does.checked |= certain
	if err != nil || !d.hasDirect() {
		return does, err
	}
	does.Together = true
	var proposed []Review
	for i, one := range does.Each {
		if d.steps[i].proposed {
			proposed = append(proposed, one)
		}
	}
	does.Each = proposed
	for _, op := range d.fees {
		does.addOutgoing(op.Body.FeePayer(), *op.Fee(), op.Fee().Amount)
	}
	does.fillNames(f.View)
	later := f.FactsOf(d.proposedLast().operations())
	if err := f.weighControls(ctx, &later); err != nil {
		return does, err
	}
	if err := later.checkWhole(checkedDependents | checkedControls); err != nil {
		return does, err
	}
	does.takeWorse(later.Control)
	return does, nil
}

// takeWorse takes over each change of control that turns out worse when the same operations are executed in another order.
func (r *Review) takeWorse(by []Control) {
	for _, c := range by {
		i := slices.IndexFunc(r.Control, func(have Control) bool {
			return have.Account.ID == c.Account.ID && have.Role == c.Role && equalAuthorities(have.next, c.next)
		})
		switch {
		case i < 0:
			r.Control = append(r.Control, c)
		case r.Control[i].Here && !c.Here || r.Control[i].Here == c.Here && c.Others && !r.Control[i].Others,
			r.Control[i].Here && c.Anybody:
			r.Control[i] = c
		}
	}
}
