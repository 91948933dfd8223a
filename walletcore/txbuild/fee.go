package txbuild

import (
	"context"
	"fmt"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// TransferFee returns the asset and the amount, in its smallest unit, that a transfer to an account costs now.
func (f *Factory) TransferFee(ctx context.Context) (ledgerview.AssetRef, int64, error) {
	op := ledger.NewOperation(&ledger.TransferObsoleteOp{})
	if _, err := f.setFees(ctx, []ledger.Operation{op}); err != nil {
		return ledgerview.AssetRef{}, 0, err
	}
	fee := op.Fee()
	return f.View.Assets.Known(fee.AssetID), fee.Amount, nil
}

// LeastFee returns the least fee, in smallest units of DCT, that the ledger accepts for an operation.
func (f *Factory) LeastFee(ctx context.Context, op ledger.Operation) (int64, error) {
	fees, err := f.View.Quorum.Fees(ctx)
	if err != nil {
		return 0, err
	}
	least, err := fees.Required(op)
	if err != nil {
		return 0, invalid(err)
	}
	return least, nil
}

// setFees sets the least fee in DCT in each operation. Proposed operations come first, because the fee of the
// operation that proposes them may depend on their size. It returns them all, with the schedule. Error: fault.FeeTooHigh.
func (f *Factory) setFees(ctx context.Context, ops []ledger.Operation) (priced pricedOps, err error) {
	if priced.by, err = f.View.Quorum.Fees(ctx); err != nil {
		return priced, err
	}
	for _, op := range ops {
		for _, each := range slices.Backward(op.WithProposed()) {
			if _, err := priced.by.SetFee(each); err != nil {
				return priced, invalid(err)
			}
			if err := f.checkFees([]ledger.Operation{each}, false); err != nil {
				return priced, err
			}
			priced.ops = append(priced.ops, each)
		}
	}
	return priced, f.checkFees(ops, false)
}

// completeFees sets the fees, or checks those that came with the operations: a transaction to be broadcast must
// offer enough.
func (f *Factory) completeFees(ctx context.Context, p *Prepared, broadcast bool) (err error) {
	if !p.words.asGiven {
		p.priced, err = f.setFees(ctx, p.ops)
		return err
	}
	p.priced = p.words.priced
	if err := f.checkFees(p.ops, true); err != nil || !broadcast {
		return err
	}
	return f.checkMinimumFees(ctx, p.ops)
}

// checkMinimumFees refuses fees that are too low for the ledger. Error: fault.InvalidOperation.
func (f *Factory) checkMinimumFees(ctx context.Context, ops []ledger.Operation) error {
	fees, err := f.View.Quorum.Fees(ctx)
	if err != nil {
		return err
	}
	return checkAgainstSchedule(fees, ops)
}

// checkAgainstSchedule refuses fees below those of a schedule. Error: fault.InvalidOperation.
func checkAgainstSchedule(fees *ledger.FeeSchedule, ops []ledger.Operation) error {
	for i, op := range ops {
		least, err := fees.Required(op)
		if err != nil {
			return invalid(err)
		}
		if dct := ledgerview.DCT(); op.Fee().Amount < least {
			return &fault.Error{Code: fault.InvalidOperation, Op: "sign",
				Message: fmt.Sprintf("operation %d offers a fee of %s, and the ledger takes no less than %s", i,
					dct.Format(op.Fee().Amount), dct.Format(least)),
				Hint: "nothing was sent; set_fees_on_builder_transaction sets the fees of a transaction under construction"}
		}
	}
	return nil
}

// SetFees sets the least fee in DCT in each operation and returns their sum. Whoever signs them takes the fees for the
// caller's, so they are compared with the accepted ones here. Errors: fault.InvalidOperation, fault.FeeTooHigh,
// fault.StateChanged, and the daemon's.
func (f *Factory) SetFees(ctx context.Context, ops []ledger.Operation) (ledger.AssetAmount, error) {
	total := ledger.AssetAmount{AssetID: ledger.CoreAsset}
	priced, err := f.setFees(ctx, ops)
	if err == nil {
		err = f.acceptFees(ctx, priced, f.stands(nil))
	}
	if err != nil {
		return total, err
	}
	for _, op := range ops {
		total.Amount = sum(total.Amount, op.Fee().Amount)
	}
	return total, nil
}

// The fee ceiling where none is set: 1 DCT, or this many times the built-in fees of
// the operations if that is more.
const (
	minCeiling    = 1_0000_0000
	ceilingFactor = 10
)

// fullScale is 100 % in a fee schedule.
const fullScale = 10_000

// feeCeiling returns the largest total fee that the wallet signs for the operations of one transaction, in
// smallest units of DCT.
func (f *Factory) feeCeiling(ops ...ledger.Operation) int64 {
	if f.MaxFee > 0 {
		return f.MaxFee
	}
	var builtIn ledger.FeeSchedule
	builtIn.Scale = fullScale
	all := int64(0)
	for _, op := range ops {
		fee, err := builtIn.Required(op)
		if err != nil || fee > ledger.MaxShareSupply/ceilingFactor {
			continue
		}
		all = sum(all, ceilingFactor*fee)
	}
	return max(minCeiling, all)
}

// checkFees refuses the fees of a transaction if their total is above its ceiling. given means that the
// caller wrote them rather than a daemon.
func (f *Factory) checkFees(ops []ledger.Operation, given bool) error {
	all := int64(0)
	for _, op := range ops {
		if err := f.checkFeeAsset(op.Fee()); err != nil {
			return err
		}
		all = sum(all, op.Fee().Amount)
	}
	dct, most := ledgerview.DCT(), f.feeCeiling(ops...)
	if all <= most {
		return nil
	}
	if given {
		return &fault.Error{Code: fault.FeeTooHigh, Op: "sign",
			Message: fmt.Sprintf("the transaction offers fees of %s, but the wallet pays at most %s (--max-fee)",
				dct.Format(all), dct.Format(most)),
			Hint: "nothing was signed; write lower fees, let the wallet set them, or raise --max-fee"}
	}
	return &fault.Error{Code: fault.FeeTooHigh, Op: "sign",
		Message: fmt.Sprintf("the daemon at %s asks for a fee of %s, but the wallet pays at most %s (--max-fee)",
			fault.Address(f.Daemon.Status().URL), dct.Format(all), dct.Format(most)),
		Hint: "nothing was signed; ask another daemon, or raise --max-fee if the ledger's fee really is that high"}
}

// checkFeeAsset refuses a negative fee, and a fee in any asset other than DCT, because its value would be whatever a
// daemon claims.
func (f *Factory) checkFeeAsset(fee *ledger.AssetAmount) error {
	switch {
	case fee == nil:
		return notAsked("it has no fee")
	case fee.AssetID != ledgerview.DCT().ID:
		return &fault.Error{Code: fault.FeeTooHigh, Op: "sign", Hint: "nothing was signed",
			Message: "the fee is in " + fee.AssetID.String() + "; fees are paid in DCT, whose value no daemon can change"}
	case fee.Amount < 0:
		return &fault.Error{Code: fault.FeeTooHigh, Op: "sign", Hint: "nothing was signed", Message: "the fee is negative"}
	}
	return nil
}
