package ledgerview

import (
	"context"
	"math/rand/v2"
	"sync"

	"billfold/ledger"
)

const (
	// referenceDepth is how many of the latest irreversible blocks the reference block is chosen from. A transaction may
	// refer to any of the latest 65,536.
	referenceDepth = 256
	// referenceLife is for how many blocks it serves.
	referenceLife = 64
)

// referenceBlock is the block that transactions refer to at present; the zero value is none.
type referenceBlock struct {
	mu    sync.Mutex
	id    ledger.BlockID
	chain ledger.ChainID
	head  uint32 // the head block when it was last used
	until uint32 // the first head block for which another one is chosen
}

func (r *referenceBlock) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.id = ledger.BlockID{}
}

// at returns the block if it serves for a head block. A chain that became shorter may have lost it.
func (r *referenceBlock) at(chain ledger.ChainID, head uint32) (ledger.BlockID, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.id == (ledger.BlockID{}) || r.chain != chain || head < r.head || head >= r.until {
		return ledger.BlockID{}, false
	}
	r.head = head
	return r.id, true
}

func (r *referenceBlock) set(chain ledger.ChainID, id ledger.BlockID, head uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.id, r.chain, r.head, r.until = id, chain, head, head+referenceLife
}

// Reference returns the id of the block that a transaction made now refers to. Each program chooses one at random among the
// latest irreversible blocks, so that two wallets with the same keys do not make the same transaction of the same payment.
// A fork cannot take it back. If it cannot be read, it is the head block. Errors: those of Head.
func (c *Chain) Reference(ctx context.Context) (ledger.BlockID, error) {
	dyn, err := c.Head(ctx)
	if err != nil {
		return ledger.BlockID{}, err
	}
	head, chain := dyn.HeadBlockNumber, c.ID()
	if id, is := c.reference.at(chain, head); is {
		return id, nil
	}
	final := min(dyn.LastIrreversibleBlockNum, head)
	if final == 0 {
		return dyn.HeadBlockID, nil
	}
	id, num := dyn.HeadBlockID, final-rand.Uint32N(min(final, referenceDepth))
	if num < head {
		next, err := c.daemon.GetBlockHeader(ctx, num+1)
		if err != nil || next == nil || next.Previous.Num() != num {
			return dyn.HeadBlockID, nil
		}
		id = next.Previous
	}
	c.reference.set(chain, id, head)
	return id, nil
}
