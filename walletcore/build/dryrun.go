package build

import (
	"context"

	"billfold/ledger"
)

// DryRun is what a request would do.
type DryRun struct {
	Operations []ledger.Operation
	Signers    []ledger.PublicKey // the keys of this wallet that would sign
	Missing    []ledger.AccountID // whose authority they do not satisfy
	Review     Review             // with the fee; Available less Spent is what would be left
}

// DryRun builds a request and reviews it; nothing is signed or kept. Errors: those of the
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
	missing := append(append([]ledger.AccountID{}, made.missing.Active...), made.missing.Owner...)
	return DryRun{Operations: made.ops, Signers: made.signers, Missing: missing, Review: review}, err
}
