package txbuild

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// maxProposalDepth is the maximum depth to which proposals that approve one another are followed.
const maxProposalDepth = 3

// AddConsequences adds the consequences of operations to a review: for whom its keys sign, who may act for accounts afterwards, and what the
// proposals that they make or approve would do, as if those were signed here. Approved proposals that cannot be read stay in Unread.
// Operations that approve and propose at once are judged by what they propose as well, because the approval may be for one of those
// proposals. Errors: the daemon's.
func (by *Factory) AddConsequences(ctx context.Context, r *Review, ops []ledger.Operation) error {
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
	if err := f.CompareWithHistory(ctx, &does); err != nil {
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
	r.nameKeys(ledger.AuthorityKeys(r.SignsWith, needs, lookup, depth), f.View)
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
	if err := f.CompareWithHistory(ctx, &does); err != nil {
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

// CheckApproved refuses to approve a proposal that cannot be read, or one that makes accounts this wallet signs for pay fees which it
// would not sign for itself. Proposals that the proposal approves in turn are checked too. Errors: fault.NoSuchProposal,
// fault.FeeTooHigh, the daemon's.
func (by *Factory) CheckApproved(ctx context.Context, ops []ledger.Operation) error {
	state := newBefore(ctx, by.View, nil)
	d := state.executionOf(ops)
	if state.err == nil {
		if err := (Review{Unread: d.unread}).Readable(); err != nil {
			return err
		}
	}
	for depth := 0; state.err == nil && depth <= maxProposalDepth && len(d.proposals) > 0; depth++ {
		for _, p := range d.proposals {
			if err := (follower{by}).checkProposedFees(ctx, p); err != nil {
				return err
			}
		}
		d = state.executionOf(d.operations())
	}
	if state.err != nil {
		return fault.Daemon("reading a proposal", state.err)
	}
	return nil
}

// checkProposedFees holds the fees that accounts this wallet signs for would pay in a proposal to the rules of a transaction: at most its
// ceiling, and in DCT.
func (f follower) checkProposedFees(ctx context.Context, p approvedProposal) error {
	paid, err := f.feesPaidHere(ctx, p.ops)
	if err != nil {
		return err
	}
	all, dct := int64(0), ledgerview.DCT()
	for _, op := range paid {
		fee := op.Fee()
		if fee.AssetID != dct.ID {
			return f.feeAssetFault(ctx, p.id, op)
		}
		all = sum(all, max(fee.Amount, 0))
	}
	if most := f.feeCeiling(paid...); all > most {
		return feeFault(p.id, fmt.Sprintf("has %s pay fees of %s, but the wallet pays at most %s (--max-fee)",
			f.nameOf(paid[0].Body.FeePayer()), dct.Format(all), dct.Format(most)),
			"have it proposed again with lower fees, or raise --max-fee if the ledger's fees really are that high")
	}
	return nil
}

// feeAssetFault returns the error for a proposal with a fee in an asset other than DCT.
func (f follower) feeAssetFault(ctx context.Context, id ledger.ProposalID, op ledger.Operation) error {
	fee := op.Fee()
	names, err := f.View.Assets.ByID(ctx, []ledger.AssetID{fee.AssetID})
	if err != nil {
		return err
	}
	return feeFault(id, fmt.Sprintf("has %s pay a fee of %s; fees are paid in DCT, whose value no daemon can change",
		f.nameOf(op.Body.FeePayer()), names[fee.AssetID].Format(fee.Amount)), "have it proposed again with its fees in DCT")
}

func (f follower) nameOf(id ledger.AccountID) string { return f.View.Accounts.Ref(id).Name }

func feeFault(id ledger.ProposalID, why, hint string) *fault.Error {
	return &fault.Error{Code: fault.FeeTooHigh, Op: "approve", Message: "the proposal " + id.String() + " " + why,
		Hint: "nothing was signed; " + hint}
}

// feesPaidHere returns the operations whose fee is paid by an account that this wallet signs for: one of its own, or one with a key
// of this wallet in its authorities.
func (f follower) feesPaidHere(ctx context.Context, ops []ledger.Operation) (out []ledger.Operation, err error) {
	var payers ledger.Needs
	for _, op := range ops {
		if op.Body != nil {
			payers.Active = append(payers.Active, op.Body.FeePayer())
		}
	}
	lookup, depth, err := authorities(ctx, f.View, payers)
	for _, op := range ops {
		if op.Body == nil {
			continue
		}
		by := op.Body.FeePayer()
		alone := ledger.Needs{Active: []ledger.AccountID{by}}
		if err == nil && (f.isOwn(by) || ledger.AnyCounts(alone, f.Vault.Holds, lookup, depth)) {
			out = append(out, op)
		}
	}
	return out, err
}
