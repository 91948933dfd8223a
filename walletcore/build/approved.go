package build

import (
	"cmp"
	"context"
	"math"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// deepest is how many proposals that approve one another are looked into.
const deepest = 3

// Follow adds to a review in whose name its keys sign, who may act for accounts once operations are done, and what the proposals would
// do that they make, and those that they approve, as if it were signed for here. What of these cannot be read stays in Unread.
// Operations that approve and propose at once are judged by what they propose as well: the approval may be one of it. Errors:
// the daemon's.
func Follow(ctx context.Context, by *Factory, r *Review, ops []ledger.Operation) error {
	f := follower{by}
	if err := f.placeKeys(ctx, r, ops); err != nil {
		return err
	}
	if err := f.weighControls(ctx, r); err != nil {
		return err
	}
	if err := f.proposed(ctx, r, ops); err != nil {
		return err
	}
	return f.approved(ctx, r, ops, 0)
}

// proposed adds to a review what the proposals would do that are made.
func (f follower) proposed(ctx context.Context, r *Review, ops []ledger.Operation) error {
	var all []ledger.Operation
	for _, op := range ops {
		if is, proposes := op.Body.(*ledger.ProposalCreateOp); proposes {
			all = append(all, is.Operations()...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	if err := certain(ctx, f.View, all); err != nil {
		return err
	}
	does, err := f.Explain(ctx, all...)
	r.Proposes = &does
	return err
}

// placeKeys finds in whose name the keys sign that a review lists, where that is not noted yet.
func (f follower) placeKeys(ctx context.Context, r *Review, ops []ledger.Operation) error {
	if len(r.SignsWith) == 0 || r.SignsAs != nil {
		return nil
	}
	needs := ledger.NeedsOf(ops)
	lookup, depth, err := authorities(ctx, f.View, needs)
	if err != nil {
		return err
	}
	r.nameKeys(ledger.KeyPlaces(r.SignsWith, needs, lookup, depth), f.View)
	return nil
}

func (f follower) approved(ctx context.Context, r *Review, ops []ledger.Operation, depth int) error {
	r.Unread = approvedBy(ops)
	if len(r.Unread) == 0 || depth == deepest {
		return nil
	}
	is := newBefore(ctx, f.View, nil)
	by := is.done(ops)
	if is.err != nil {
		return fault.Daemon("reading a proposal", is.err)
	}
	if r.Unread = by.unread; !by.proposes() {
		return nil
	}
	does, err := f.together(ctx, by)
	if err != nil {
		return err
	}
	if err := f.approved(ctx, &does, by.all(), depth+1); err != nil {
		return err
	}
	if err := readBalances(ctx, f.View, &does); err != nil {
		return err
	}
	if err := f.compareWithHistory(ctx, &does); err != nil {
		return err
	}
	if err := f.recipientChanges(ctx, &does); err != nil {
		return err
	}
	does.SaidBy = f.View.Quorum.Size()
	r.Approves = &does
	return nil
}

// Readable refuses what approves a proposal of which nobody can read what it would do. Error: fault.NoSuchProposal.
func (r Review) Readable() error {
	for at := &r; at != nil; at = at.Approves {
		if len(at.Unread) > 0 {
			return &fault.Error{Code: fault.NoSuchProposal, Op: "approve",
				Message: "what the proposal " + at.Unread[0].String() + " would do cannot be read, so it is not approved",
				Hint:    "nothing was signed; approve it where a daemon answers, once it is on the ledger"}
		}
	}
	return nil
}

// recipientChanges finds what is not as it was when those who are paid were last accepted.
func (f follower) recipientChanges(ctx context.Context, r *Review) error {
	seen := map[ledger.AccountID]bool{}
	for _, m := range r.Moves {
		to := ledger.AccountID(m.To.Instance())
		if to.Object() != m.To || seen[to] {
			continue
		}
		seen[to] = true
		found, err := f.View.Quorum.Account(ctx, to.String())
		if fault.CodeOf(err) == fault.NoSuchAccount {
			continue // it is the ledger's to refuse it
		}
		if err != nil {
			return err
		}
		changed, err := f.View.Pins.Changes(ctx, found)
		if err != nil {
			return err
		}
		r.Changed = append(r.Changed, changed...)
	}
	return nil
}

// Gravest orders operations that were explained one by one, the gravest first: who may act for an account, what is
// approved with it, large payments, what is no payment, small payments.
func Gravest(each []Review) []int {
	order := make([]int, len(each))
	for i := range each {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(each[b].gravity(), each[a].gravity()) })
	return order
}

// dust is the amount, in smallest units of DCT, below which any other operation is graver than a payment.
const dust = 1_00000000

func (r Review) gravity() float64 {
	switch {
	case r.Loses():
		return math.Inf(1)
	case len(r.Control) > 0:
		return math.MaxFloat64
	case len(r.Unread) > 0 || r.Approves != nil:
		return math.MaxFloat64 / 2
	case r.Amount == 0:
		return dust
	}
	return float64(r.Amount)
}
