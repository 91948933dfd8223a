package build

import (
	"context"
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
	var err error
	if p.signers, p.missing, err = f.signers(ctx, p.ops); err != nil {
		return err
	}
	if broadcast && !p.missing.Empty() {
		return f.missingFault(p.missing)
	}
	if p.packed, err = packOperations(p.ops); err != nil {
		return unpackable("build", err)
	}
	return nil
}
