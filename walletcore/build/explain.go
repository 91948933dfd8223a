package build

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Explain describes operations that others made and that are not being signed here: a review without
// balances, keys and earlier payments. Errors: the daemon's.
func (f *Factory) Explain(ctx context.Context, ops ...ledger.Operation) (Review, error) {
	r := f.FactsOf(ops)
	text, err := indentJSON(&ledger.Transaction{Operations: ops})
	if err != nil {
		return r, &fault.Error{Code: fault.Internal, Op: "explain", Message: err.Error(), Err: err}
	}
	r.JSON, r.Chain = text, f.View.Pins.Chain()
	if err := f.describe(ctx, &r, ops, nil); err != nil {
		return r, err
	}
	r.fillNames(f.View) // by now the names are known
	if err := (follower{f}).weighControls(ctx, &r); err != nil || len(ops) < 2 {
		return r, err
	}
	for _, op := range ops {
		one, err := f.Explain(ctx, op)
		if err != nil {
			return r, err
		}
		r.Each = append(r.Each, one)
	}
	return r, nil
}
