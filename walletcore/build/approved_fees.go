package build

import (
	"context"
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// CheckApproved refuses to approve a proposal that cannot be read, or one that makes accounts this wallet signs for pay fees which it
// would not sign for itself. Proposals that the proposal approves in turn are checked too. Errors: fault.NoSuchProposal,
// fault.FeeTooHigh, the daemon's.
func CheckApproved(ctx context.Context, by *Factory, ops []ledger.Operation) error {
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
