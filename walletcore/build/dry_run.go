package build

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/store"
)

// DryRun is what a request would do.
type DryRun struct {
	Operations []ledger.Operation
	Review     Review // including fees, who has to sign, and the balances left

	made *Prepared
}

// DryRun builds and reviews a request without signing or storing anything. Errors: those of the
// spend, and of Review.
func (f *Factory) DryRun(ctx context.Context, r Request) (DryRun, error) {
	made, err := f.Build(ctx, r, false)
	if err == nil {
		err = f.Complete(ctx, made, false)
	}
	if err != nil {
		return DryRun{}, err
	}
	review, err := f.Review(ctx, made)
	return DryRun{Operations: made.ops, Review: review, made: made}, err
}

// HandOut refuses what others would be given to sign although it is not as it was last accepted; seen means that a person saw the review.
// Errors: fault.KeysChanged, fault.StateChanged, fault.FeeTooHigh.
func (f *Factory) HandOut(ctx context.Context, d DryRun, seen bool) error {
	d.made.seen = seen
	return f.checkAccepted(ctx, d.made)
}

// StatesOf is NextStates for a transaction that others are given to sign.
func (f *Factory) StatesOf(d DryRun, tx *ledger.Transaction) ([]ObjectRows, error) {
	id, err := tx.ID()
	if err != nil {
		return nil, unpackable("build", err)
	}
	return d.made.NextStates(store.ObjectSigned, &Signed{TransactionID: id, SignedTransaction: ledger.SignedTransaction{Transaction: *tx}}, f.Now()), nil
}
