package reconcile

import (
	"context"
	"maps"
	"math/big"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

const (
	indexPatience = 10 * time.Second // for the index to reach the head
	restPatience  = time.Minute      // for a moment at which nothing is under way
	glance        = 5 * time.Millisecond
	readEvery     = 200 * time.Millisecond // balances, within a block

	// What follows from the balances has to stay the same over so many readings and blocks; or for so many blocks right after each came.
	quietReadings = 8
	quietBlocks   = 2
	steadyBlocks  = 8
)

// open reads index and balances at one head, at a moment at which nothing is under way. If the index does not get there, or that moment
// does not come, the report says so.
func open(ctx context.Context, h *history.Reader, id ledger.AccountID, r *Report) (*books, error) {
	if h.Index == nil {
		return nil, nil
	}
	followed := slices.ContainsFunc(h.Vault.Listed(), func(a ledgerview.AccountRef) bool { return a.ID == id })
	b, rest := &books{}, &rest{}
	for began := time.Now(); ; {
		at, same, err := readBalances(ctx, h, id)
		if err != nil {
			return nil, err
		}
		known := false
		if same && h.Indexed() { // it is of this chain by then
			known, err = b.awaitIndex(ctx, h, id, at)
		}
		if err != nil {
			return nil, err
		}
		s := b.status
		r.Total, r.Head, r.Final = s.Total, s.Head, s.Final
		if s.Known() {
			r.Operations = s.Rows()
		}
		r.Complete = r.Complete || known
		if r.Exact = known && rest.reached(b); r.Exact {
			return b, nil
		}
		waited := time.Since(began)
		if !followed || waited > restPatience || !r.Complete && waited > indexPatience {
			return b, nil
		}
		if err := awaitBlock(ctx, h, at.head); err != nil {
			return nil, err
		}
	}
}

// awaitIndex adds up the operations up to the block of some balances once the index has them; known is false if it does not get them, or
// is past them already.
func (b *books) awaitIndex(ctx context.Context, h *history.Reader, id ledger.AccountID, at balances) (known bool, err error) {
	for began := time.Now(); ; {
		known, err = b.addUp(ctx, h, id, at)
		if known || err != nil || b.status.Head >= at.head || time.Since(began) > readEvery {
			return known, err
		}
		if err := pause(ctx, glance); err != nil {
			return false, err
		}
	}
}

// awaitBlock waits for the next block, so that balances are read right after it came, or for readEvery.
func awaitBlock(ctx context.Context, h *history.Reader, head uint32) error {
	for began := time.Now(); time.Since(began) < readEvery; {
		if now, _, _ := h.View.Chain.Position(); now > head {
			return nil
		}
		if err := pause(ctx, glance); err != nil {
			return err
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return fault.Daemon("reconcile", ctx.Err())
	case <-time.After(d):
		return nil
	}
}

// rest finds a moment at which nothing is under way, from what follows from balances and operations one after another.
type rest struct {
	head     uint32
	openings map[ledger.AssetID]*big.Int // as they followed from the latest balances
	readings int                         // how many in a row they were the same
	blocks   int                         // how many came meanwhile
	first    map[ledger.AssetID]*big.Int // as they followed from the first balances after the latest block
	steady   int                         // how many blocks in a row those were the same
}

// reached reports whether the books are of such a moment: an account that held nothing before its first operation holds exactly what
// these add up to; or blocks that have come changed nothing of what follows from the balances, as they would if they had brought
// something that these held already.
func (r *rest) reached(b *books) bool {
	now := b.openings()
	if b.created && isZero(now) {
		return true
	}
	isNew := b.head != r.head
	if r.openings == nil || !equal(r.openings, now) {
		r.readings, r.blocks = 0, 0
	} else if isNew {
		r.blocks++
	}
	r.readings++
	if isNew {
		if r.first == nil || !equal(r.first, now) {
			r.steady = 0
		}
		r.steady++
		r.first = now
	}
	r.head, r.openings = b.head, now
	return r.readings >= quietReadings && r.blocks >= quietBlocks || r.steady >= steadyBlocks
}

func isZero(m map[ledger.AssetID]*big.Int) bool {
	return equal(m, nil)
}

// equal compares amounts; one that is not there is zero.
func equal(a, b map[ledger.AssetID]*big.Int) bool {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for id := range all {
		if amountOf(a, id).Cmp(amountOf(b, id)) != 0 {
			return false
		}
	}
	return true
}

func amountOf(m map[ledger.AssetID]*big.Int, id ledger.AssetID) *big.Int {
	if n := m[id]; n != nil {
		return n
	}
	return new(big.Int)
}
