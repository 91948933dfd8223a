package build

import (
	"context"
	"fmt"

	"billfold/walletcore/fault"
)

// Complete adds fees and signers, as the reference does. A transaction that will be
// broadcast needs all its signatures; one that will not may lack some.
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

// The least that a transaction holds besides its operations, in bytes: reference block, expiration and three
// lengths; and the size of each signature.
const (
	overheadBytes  = 13
	signatureBytes = 65
)

// checkSize refuses a transaction that no block can hold: the daemon would accept it for a while without
// complaint, or fail on it. Error: fault.BadValue.
func (f *Factory) checkSize(ctx context.Context, p *Prepared) error {
	now, err := f.View.Chain.Parameters(ctx)
	if err != nil {
		return err
	}
	size, limit := len(p.packed)+overheadBytes+signatureBytes*max(len(p.signers), 1), int(now.Parameters.MaximumTransactionSize)
	if size < limit {
		return nil
	}
	return &fault.Error{Code: fault.BadValue, Op: "build",
		Message: fmt.Sprintf("the transaction would have %d bytes, and the ledger takes less than %d", size, limit),
		Hint:    "nothing was signed; shorten the memo or text, or split it into several transactions"}
}
