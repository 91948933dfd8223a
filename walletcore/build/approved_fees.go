package build

import (
	"context"
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// CheckApproved refuses to approve what cannot be read, and a proposal, or one that it approves in turn, that has accounts this wallet
// signs for pay fees which it would not sign for itself. Errors: fault.NoSuchProposal, fault.FeeTooHigh, the daemon's.
func CheckApproved(ctx context.Context, by *Factory, ops []ledger.Operation) error {
	is := newBefore(ctx, by.View, nil)
	d := is.done(ops)
	if is.err == nil {
		if err := (Review{Unread: d.unread}).Readable(); err != nil {
			return err
		}
	}
	for depth := 0; is.err == nil && depth <= deepest && len(d.plans) > 0; depth++ {
		for _, p := range d.plans {
			if err := (follower{by}).checkPlan(ctx, p); err != nil {
				return err
			}
		}
		d = is.done(d.all())
	}
	if is.err != nil {
		return fault.Daemon("reading a proposal", is.err)
	}
	return nil
}

// checkPlan refuses a proposal for the fees that accounts pay for which this wallet signs: no more than of a transaction, and in DCT.
func (f follower) checkPlan(ctx context.Context, p plan) error {
	paid, err := f.paidHere(ctx, p.ops)
	if err != nil {
		return err
	}
	all, dct := int64(0), ledgerview.DCT()
	for _, op := range paid {
		fee := op.Fee()
		if fee.AssetID != dct.ID {
			return f.strangeFee(ctx, p.id, op)
		}
		all = sum(all, max(fee.Amount, 0))
	}
	if most := f.ceiling(paid...); all > most {
		return refusedFee(p.id, fmt.Sprintf("has %s pay fees of %s, but the wallet pays at most %s (--max-fee)",
			f.nameOf(paid[0].Body.FeePayer()), dct.Format(all), dct.Format(most)),
			"have it proposed again with lower fees, or raise --max-fee if the ledger's fees really are that high")
	}
	return nil
}

// strangeFee refuses a proposal for a fee in another asset than DCT.
func (f follower) strangeFee(ctx context.Context, id ledger.ProposalID, op ledger.Operation) error {
	fee := op.Fee()
	names, err := f.View.Assets.ByID(ctx, []ledger.AssetID{fee.AssetID})
	if err != nil {
		return err
	}
	return refusedFee(id, fmt.Sprintf("has %s pay a fee of %s; fees are paid in DCT, whose value no daemon can change",
		f.nameOf(op.Body.FeePayer()), names[fee.AssetID].Format(fee.Amount)), "have it proposed again with its fees in DCT")
}

func (f follower) nameOf(id ledger.AccountID) string { return f.View.Accounts.Ref(id).Name }

func refusedFee(id ledger.ProposalID, why, hint string) *fault.Error {
	return &fault.Error{Code: fault.FeeTooHigh, Op: "approve", Message: "the proposal " + id.String() + " " + why,
		Hint: "nothing was signed; " + hint}
}

// paidHere are the operations whose fee is paid by an account that this wallet signs for: an own one, or one in whose authorities a
// key of it stands.
func (f follower) paidHere(ctx context.Context, ops []ledger.Operation) (out []ledger.Operation, err error) {
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
