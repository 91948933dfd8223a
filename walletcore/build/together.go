package build

import (
	"context"
	"slices"

	"billfold/ledger"
)

// deed is what a transaction does with the proposals that it approves, in the order of the ledger where they are done at once.
type deed struct {
	plans  []plan
	steps  []step
	fees   []ledger.Operation // those that approve or propose, which do nothing else by themselves
	unread []ledger.ProposalID
}

// plan is a proposal that is approved.
type plan struct {
	id  ledger.ProposalID
	ops []ledger.Operation
}

// step is an operation of a deed.
type step struct {
	op       ledger.Operation
	proposed bool // else it stands in the transaction itself
}

// done reads what operations do, those of the proposals that they approve included. What they propose themselves comes last: the
// approval may be one of it.
func (b *before) done(ops []ledger.Operation) (d deed) {
	var made []ledger.Operation
	for _, op := range ops {
		switch is := op.Body.(type) {
		case *ledger.ProposalUpdateOp:
			d.fees = append(d.fees, op)
			b.approve(&d, is)
		case *ledger.ProposalCreateOp:
			d.fees = append(d.fees, op)
			made = append(made, op.WithProposed()[1:]...)
		default:
			d.steps = append(d.steps, step{op: op})
		}
	}
	d.propose(made)
	return d
}

// approve adds what a proposal would do to which an operation adds approvals: the ledger does it once, however often it is approved.
func (b *before) approve(d *deed, is *ledger.ProposalUpdateOp) {
	known := slices.ContainsFunc(d.plans, func(p plan) bool { return p.id == is.Proposal })
	if !approves(is) || known {
		return
	}
	p := b.Proposal(is.Proposal)
	if p == nil || len(p.ProposedTransaction.Operations) == 0 {
		d.unread = append(d.unread, is.Proposal)
		return
	}
	d.plans = append(d.plans, plan{is.Proposal, p.ProposedTransaction.Operations})
	d.propose(p.ProposedTransaction.Operations)
}

func (d *deed) propose(ops []ledger.Operation) {
	for _, op := range ops {
		d.steps = append(d.steps, step{op, true})
	}
}

func (d deed) all() (ops []ledger.Operation) {
	for _, s := range d.steps {
		ops = append(ops, s.op)
	}
	return ops
}

// proposes reports whether a proposal is in it that can be read.
func (d deed) proposes() bool {
	return slices.ContainsFunc(d.steps, func(s step) bool { return s.proposed })
}

// mixed reports whether the transaction does something by itself as well.
func (d deed) mixed() bool {
	return slices.ContainsFunc(d.steps, func(s step) bool { return !s.proposed })
}

// later is the deed where the proposals are done after all else: others have to approve them still.
func (d deed) later() deed {
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

// together explains a deed as one: an operation beside an approval is judged by what is approved as well, whichever of them is done
// first. Errors: the daemon's.
func (f follower) together(ctx context.Context, d deed) (Review, error) {
	if err := certain(ctx, f.View, d.all()); err != nil {
		return Review{}, err
	}
	does, err := f.Explain(ctx, d.all()...)
	if err != nil || !d.mixed() {
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
		does.spend(op.Body.FeePayer(), *op.Fee(), op.Fee().Amount)
	}
	does.name(f.View)
	later := f.FactsOf(d.later().all())
	if err := f.weighControls(ctx, &later); err != nil {
		return does, err
	}
	does.worsen(later.Control)
	return does, nil
}

// worsen takes over what is worse of who may act for accounts once the same operations are done in another order.
func (r *Review) worsen(by []Control) {
	for _, c := range by {
		i := slices.IndexFunc(r.Control, func(is Control) bool {
			return is.Account.ID == c.Account.ID && is.Role == c.Role && equal(is.next, c.next)
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
