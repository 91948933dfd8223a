package payment

import (
	"context"

	"billfold/ledger"
)

// See compares a block that was read after the comparison of the start.
func (p *Payments) See(ctx context.Context, block *ledger.Block) error {
	return p.compare.see(ctx, block)
}

// ComparedFrom returns the first block that counts for the comparison.
func (p *Payments) ComparedFrom() uint32 {
	p.compare.mu.Lock()
	defer p.compare.mu.Unlock()
	return p.compare.from
}
