package txbuild

import (
	"bytes"
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// OperationsParams are operations that somebody else made, with their fees.
type OperationsParams struct {
	Operations []ledger.Operation `json:"operations" help:"each a pair of a code or name and the operation's fields"`
}

// Operations signs operations as they are, with the fees that they have. Who pays and who is
// paid is looked up, so that these accounts are compared with what is known of them. Errors:
// fault.InvalidOperation, fault.UnsupportedOperation, those of Payer and Receiver.
func Operations(ctx context.Context, b *Builder, p OperationsParams) ([]ledger.Operation, error) {
	ops, err := b.exactlyAsGiven(p.Operations)
	if err != nil {
		return nil, err
	}
	for _, op := range ops {
		if err := b.resolveParties(ctx, op); err != nil {
			return nil, err
		}
	}
	return ops, nil
}

// exactlyAsGiven returns a copy of operations, and requires that what is signed equals them byte for byte.
func (b *Builder) exactlyAsGiven(given []ledger.Operation) ([]ledger.Operation, error) {
	if len(given) == 0 {
		return nil, &fault.Error{Code: fault.InvalidOperation, Op: b.op, Message: "the transaction has no operations",
			Hint: "add one first; nothing was signed"}
	}
	wanted, err := packOperations(given)
	if err != nil {
		return nil, unpackable(b.op, err)
	}
	b.words.asGiven = true
	b.Require(func(ops []ledger.Operation) error {
		if packed, err := packOperations(ops); err != nil || !bytes.Equal(packed, wanted) {
			return notAsked("it is not what was given")
		}
		return nil
	})
	copied, err := readBack(b.op, &ledger.Transaction{Operations: given})
	return copied.Operations, err
}

// resolveParties finds who pays in an operation, which accounts are paid, and in which assets.
func (b *Builder) resolveParties(ctx context.Context, op ledger.Operation) error {
	if op.Body == nil {
		return unpackable(b.op, ledger.ErrUnknownOperation)
	}
	if _, err := b.Payer(ctx, op.Body.FeePayer().String()); err != nil {
		return err
	}
	for _, m := range op.Moves() {
		if to := ledger.AccountID(m.To.Instance()); m.To != 0 && to.Object() == m.To && to != op.Body.FeePayer() {
			if _, err := b.Receiver(ctx, to.String()); err != nil {
				return err
			}
		}
		if _, err := b.Asset(ctx, m.Amount.AssetID.String()); err != nil {
			return err
		}
	}
	return nil
}

// FeeAsset refuses any fee asset, given by symbol or id, other than DCT. Error: fault.FeesInDCT.
func FeeAsset(op, symbol string) error {
	if symbol == ledgerview.DCT().Symbol || symbol == ledger.CoreAsset.String() {
		return nil
	}
	return &fault.Error{Code: fault.FeesInDCT, Op: op, Message: "fees are paid in DCT, not in " + fault.Quote(symbol),
		Hint: "write DCT"}
}

// ProposeOperationsParams are operations to propose.
type ProposeOperationsParams struct {
	Payer      string             `json:"account_name_or_id" help:"proposes, and pays the fee; empty = the miners' account"`
	Expiration ledger.Time        `json:"expiration" help:"when the proposal expires, UTC"`
	Review     uint32             `json:"review_period_seconds" help:"seconds before it expires in which nobody can approve, 0 = none"`
	Operations []ledger.Operation `json:"operations" help:"each a pair of a code or name and the operation's fields"`
}

// ProposeOperations proposes operations as they are, with the fees that they have. Errors: those of
// Operations except for Receiver's, fault.InvalidOperation also for an operation whose own fee is too low.
func ProposeOperations(ctx context.Context, b *Builder, p ProposeOperationsParams) ([]ledger.Operation, error) {
	if p.Payer == "" {
		p.Payer = ledger.MinerAccount.String()
	}
	payer, err := b.Payer(ctx, p.Payer)
	if err != nil {
		return nil, err
	}
	proposed, err := b.exactlyAsGiven(p.Operations)
	if err != nil {
		return nil, err
	}
	op := &ledger.ProposalCreateOp{FeePayingAccount: payer.ID, ExpirationTime: p.Expiration}
	if p.Review > 0 {
		op.ReviewPeriodSeconds = &p.Review
	}
	for _, each := range proposed {
		op.ProposedOps = append(op.ProposedOps, ledger.ProposedOperation{Op: each})
	}
	fees, err := b.view.Quorum.Fees(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkAgainstSchedule(fees, proposed); err != nil { // it could be approved and would never be executed
		return nil, err
	}
	proposal := ledger.NewOperation(op)
	if _, err := fees.SetFee(proposal); err != nil {
		return nil, invalid(err)
	}
	b.words.priced = pricedOps{fees, []ledger.Operation{proposal}}
	b.words.checks = nil // it is the proposal that is signed
	return b.exactlyAsGiven([]ledger.Operation{proposal})
}
