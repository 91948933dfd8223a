package build

import (
	"cmp"
	"context"
	"math"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// maxProposalDepth is how many levels of proposals that approve one another are followed.
const maxProposalDepth = 3

// Follow adds the consequences of operations to a review: for whom its keys sign, who may act for accounts afterwards, and what the
// proposals that they make or approve would do, as if those were signed here. Approved proposals that cannot be read stay in Unread.
// Operations that approve and propose at once are judged by what they propose as well, because the approval may be for one of those
// proposals. Errors: the daemon's.
func Follow(ctx context.Context, by *Factory, r *Review, ops []ledger.Operation) error {
	f := follower{by}
	if err := f.placeKeys(ctx, r, ops); err != nil {
		return err
	}
	if err := f.weighControls(ctx, r); err != nil {
		return err
	}
	if err := f.addProposed(ctx, r, ops); err != nil {
		return err
	}
	return f.addApproved(ctx, r, ops, 0)
}

// addProposed adds to a review what the proposals that operations make would do.
func (f follower) addProposed(ctx context.Context, r *Review, ops []ledger.Operation) error {
	var all []ledger.Operation
	for _, op := range ops {
		if body, proposes := op.Body.(*ledger.ProposalCreateOp); proposes {
			all = append(all, body.Operations()...)
		}
	}
	if len(all) == 0 {
		r.checked |= checkedProposed
		return nil
	}
	certain, err := checkCertain(ctx, f.View, all)
	if err != nil {
		return err
	}
	does, err := f.Explain(ctx, all...)
	if err != nil {
		return err
	}
	does.checked |= certain
	if err := f.compareWithHistory(ctx, &does); err != nil {
		return err
	}
	if err := does.checkWhole(explainedChecks | checkedAssets | checkedHistory); err != nil {
		return err
	}
	r.Proposes = &does
	r.checked |= checkedProposed
	return nil
}

// placeKeys finds for whom the keys listed in a review sign, unless the review has that already.
func (f follower) placeKeys(ctx context.Context, r *Review, ops []ledger.Operation) error {
	if len(r.SignsWith) == 0 || r.SignsAs != nil {
		r.checked |= checkedKeys
		return nil
	}
	needs := ledger.NeedsOf(ops)
	lookup, depth, err := authorities(ctx, f.View, needs)
	if err != nil {
		return err
	}
	r.nameKeys(ledger.KeyPlaces(r.SignsWith, needs, lookup, depth), f.View)
	r.checked |= checkedKeys
	return nil
}

// addApproved adds to a review what the proposals that operations approve would do, and those that these approve in turn.
func (f follower) addApproved(ctx context.Context, r *Review, ops []ledger.Operation, depth int) error {
	r.Unread = approvedProposals(ops)
	if len(r.Unread) == 0 || depth == maxProposalDepth {
		r.checked |= checkedApproved
		return nil
	}
	state := newBefore(ctx, f.View, nil)
	by := state.executionOf(ops)
	if state.err != nil {
		return fault.Daemon("reading a proposal", state.err)
	}
	if r.Unread = by.unread; !by.hasProposed() {
		r.checked |= checkedApproved
		return nil
	}
	does, err := f.explainExecution(ctx, by)
	if err != nil {
		return err
	}
	if err := f.addApproved(ctx, &does, by.operations(), depth+1); err != nil {
		return err
	}
	if err := readBalances(ctx, f.View, &does); err != nil {
		return err
	}
	if err := f.compareWithHistory(ctx, &does); err != nil {
		return err
	}
	if err := f.addRecipientChanges(ctx, &does); err != nil {
		return err
	}
	if err := does.checkWhole(approvedChecks); err != nil {
		return err
	}
	does.SaidBy = f.View.Quorum.Size()
	r.Approves = &does
	r.checked |= checkedApproved
	return nil
}

// Readable refuses a review that approves a proposal which cannot be read. Error: fault.NoSuchProposal.
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

// addRecipientChanges adds what changed about the recipients since they were last accepted.
func (f follower) addRecipientChanges(ctx context.Context, r *Review) error {
	seen := map[ledger.AccountID]bool{}
	for _, m := range r.Moves {
		to := ledger.AccountID(m.To.Instance())
		if to.Object() != m.To || seen[to] {
			continue
		}
		seen[to] = true
		found, err := f.View.Quorum.Account(ctx, to.String())
		if fault.CodeOf(err) == fault.NoSuchAccount {
			continue // refusing it is up to the ledger
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
	r.checked |= checkedAccepted
	return nil
}

// Gravest returns the order in which to show operations that were explained one by one, as indices, the gravest first:
// changes of who may act for an account, approvals, large payments, operations that pay nothing, small payments.
func Gravest(each []Review) []int {
	order := make([]int, len(each))
	for i := range each {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(each[b].gravity(), each[a].gravity()) })
	return order
}

// dust is the amount, in smallest units, below which a payment is less grave than an operation that pays nothing.
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
