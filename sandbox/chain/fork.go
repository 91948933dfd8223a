package chain

import (
	"fmt"
	"slices"

	"billfold/sandbox/chain/evaluate"
)

// Snapshot notes this moment, pending transactions included, and returns the
// number that Revert knows it by.
func (c *Chain) Snapshot() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.history.note(snapshot{
		num: c.s.Dynamic().HeadBlockNumber, pending: slices.Clone(c.pending), notBefore: c.notBefore,
	})
}

// Revert makes everything as it was at the snapshot. The snapshot stays; later
// ones are forgotten.
func (c *Chain) Revert(id uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	to, at, err := c.history.find(id)
	if err != nil {
		return err
	}
	if err := c.returnLocked(to.num); err != nil {
		return err
	}
	for c.s.Dynamic().HeadBlockNumber > to.num {
		c.popLocked()
	}
	c.history.snapshots, c.notBefore = c.history.snapshots[:at+1], to.notBefore
	for _, p := range to.pending {
		if fault := c.pushLocked(p); fault != nil {
			return fault
		}
	}
	return nil
}

// returnLocked prepares for taking blocks back down to num.
func (c *Chain) returnLocked(num uint32) error {
	if c.log != nil && num < c.s.Dynamic().HeadBlockNumber {
		if err := c.log.Return(num); err != nil {
			return err
		}
	}
	c.s.Rewind(0)
	c.pending = nil
	c.s.Blocks.RememberAfter(num)
	return nil
}

// popLocked takes the head block back and returns what was in it. Nothing may be
// pending.
func (c *Chain) popLocked() []*evaluate.Prepared {
	last := c.history.pop()
	c.s.TakeBack(last.undo)
	return last.txs
}

// Fork takes the newest k blocks away, as when another branch wins. With keep
// their transactions are pending again, in front of those that were; the
// outcome names those that cannot be. Without keep they are gone. The next
// block is later than the newest one that was removed, so that it is
// another block. At most the blocks of the undo history can be taken away.
func (c *Chain) Fork(k int, keep bool) ([]Dropped, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k < 1 || k > len(c.history.blocks) {
		return nil, fmt.Errorf("%d blocks cannot be taken away; the newest %d can", k, len(c.history.blocks))
	}
	waiting := c.pending
	num := c.s.Dynamic().HeadBlockNumber - uint32(k)
	c.notBefore = max(c.notBefore, c.s.HeadTime()+1)
	if err := c.returnLocked(num); err != nil {
		return nil, err
	}
	for range k {
		if txs := c.popLocked(); keep {
			waiting = append(c.reviveAll(txs), waiting...)
		}
	}
	c.history.dropAfter(num)
	return c.pushAllLocked(waiting), nil
}

// reviveAll recovers the keys of transactions that came from a log.
func (c *Chain) reviveAll(txs []*evaluate.Prepared) []*evaluate.Prepared {
	list := make([]*evaluate.Prepared, len(txs))
	for i, p := range txs {
		list[i] = p
		if p.Trusted && len(p.Tx.Signatures) > 0 {
			if again, err := c.Prepare(p.Tx); err == nil {
				list[i] = again
			}
		}
	}
	return list
}
