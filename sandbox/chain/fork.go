package chain

import (
	"fmt"
	"slices"

	"billfold/sandbox/chain/evaluate"
)

// Snapshot remembers the current state, pending transactions included, and
// returns a number for Revert.
func (c *Chain) Snapshot() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.history.addSnapshot(snapshot{
		num: c.s.Dynamic().HeadBlockNumber, pending: slices.Clone(c.pending), notBefore: c.notBefore,
	})
}

// Revert returns to the state at the snapshot, which can be used again; later ones
// are forgotten.
func (c *Chain) Revert(id uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	to, at, err := c.history.findSnapshot(id)
	if err != nil {
		return err
	}
	if err := c.prepareRewindLocked(to.num); err != nil {
		return err
	}
	for c.s.Dynamic().HeadBlockNumber > to.num {
		c.popLocked()
	}
	c.final = min(c.final, to.num)
	c.history.snapshots, c.notBefore = c.history.snapshots[:at+1], to.notBefore
	for _, p := range to.pending {
		if fault := c.pushLocked(p); fault != nil {
			return fault
		}
	}
	return nil
}

// prepareRewindLocked logs that block num becomes the head and drops pending
// transactions, before the blocks after num are popped.
func (c *Chain) prepareRewindLocked(num uint32) error {
	if c.log != nil && num < c.s.Dynamic().HeadBlockNumber {
		if err := c.log.Rewind(num); err != nil {
			return err
		}
	}
	c.s.Rewind(0)
	c.pending = nil
	c.s.Blocks.RememberAfter(num)
	return nil
}

// popLocked undoes the head block and returns its transactions. Nothing may be
// pending.
func (c *Chain) popLocked() []*evaluate.Prepared {
	last := c.history.pop()
	c.s.Undo(last.undo)
	return last.txs
}

// Fork removes the newest k blocks, as when another branch wins. With keep, their
// transactions become pending again, ahead of those that already were; Fork
// returns those that cannot. Without keep they are gone. The next block is later
// than the newest one that was removed, so that it is a different block. At most
// the blocks of the undo history can be removed.
func (c *Chain) Fork(k int, keep bool) ([]Dropped, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k < 1 || k > len(c.history.blocks) {
		return nil, fmt.Errorf("%d blocks cannot be removed; the newest %d can", k, len(c.history.blocks))
	}
	waiting := c.pending
	num := c.s.Dynamic().HeadBlockNumber - uint32(k)
	c.notBefore = max(c.notBefore, c.s.HeadTime()+1)
	if err := c.prepareRewindLocked(num); err != nil {
		return nil, err
	}
	for range k {
		if txs := c.popLocked(); keep {
			waiting = append(c.recoverSigners(txs), waiting...)
		}
	}
	c.final = min(c.final, num)
	c.history.dropSnapshotsAfter(num)
	return c.pushAllLocked(waiting), nil
}

// recoverSigners recovers the signers of transactions that were replayed from a
// log, which trusted them.
func (c *Chain) recoverSigners(txs []*evaluate.Prepared) []*evaluate.Prepared {
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
