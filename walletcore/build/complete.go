package build

import (
	"context"
	"fmt"

	"billfold/walletcore/fault"
)

// Complete adds fees and signers, as the reference does. A transaction that is
// broadcast needs all its signatures; one that is not may lack some.
func (f *Factory) Complete(ctx context.Context, p *Prepared, broadcast bool) error {
	if err := f.completeFees(ctx, p, broadcast); err != nil {
		return err
	}
	for _, op := range p.ops {
		if err := op.Validate(); err != nil { // the stateless checks
			return invalid(err)
		}
	}
	if err := CheckApproved(ctx, f, p.ops); err != nil {
		return err
	}
	if err := f.chooseSigners(ctx, p); err != nil {
		return err
	}
	if broadcast && !p.missing.Empty() {
		return f.missingFault(p.missing)
	}
	var err error
	if p.packed, err = packOperations(p.ops); err != nil {
		return unpackable("build", err)
	}
	return f.checkSize(ctx, p)
}

// What a transaction is made of besides its operations, in bytes, at least: reference block, expiration, three
// lengths; and a signature.
const (
	bytesAround    = 13
	bytesSignature = 65
)

// checkSize refuses a transaction that no block can hold: the daemon would take it for a while and not
// say so, or fail at it. Error: fault.BadValue.
func (f *Factory) checkSize(ctx context.Context, p *Prepared) error {
	now, err := f.View.Chain.Parameters(ctx)
	if err != nil {
		return err
	}
	size, limit := len(p.packed)+bytesAround+bytesSignature*max(len(p.signers), 1), int(now.Parameters.MaximumTransactionSize)
	if size < limit {
		return nil
	}
	return &fault.Error{Code: fault.BadValue, Op: "build",
		Message: fmt.Sprintf("the transaction would have %d bytes, and the ledger takes less than %d", size, limit),
		Hint:    "nothing was signed; shorten the memo or text, or make several transactions of it"}
}
