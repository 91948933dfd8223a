package chain

import (
	"errors"
	"fmt"

	"billfold/sandbox/chain/evaluate"
)

// ErrEnded is the answer to what was begun before the node was ended and started again.
var ErrEnded = errors.New("the node was ended meanwhile")

// Restarts counts how often the node was ended and started again.
func (c *Chain) Restarts() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.restarts
}

// PushSince is Push for a connection that was opened after that many restarts. A node that
// is ended takes its connections along: nothing that came over one of them enters the
// next run, in which the node may take bytes a second time. Error: ErrEnded, and a
// *nodeerr.Fault.
func (c *Chain) PushSince(restarts uint64, p *evaluate.Prepared) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.restarts != restarts {
		return ErrEnded
	}
	if fault := c.pushLocked(p); fault != nil {
		return fault
	}
	return nil
}

// Kill is what a node does that is ended by kill -9 and started again
// (protocol/daemon-api.md 11): what was pending is gone, so are the newest lost
// blocks, and the transactions in the blocks are not known again, so that the
// same bytes are taken once more until they expire.
func (c *Chain) Kill(lost int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.loseLocked(lost); err != nil {
		return err
	}
	c.s.Blocks.Forget(c.s.Dynamic().HeadBlockNumber)
	c.restarts++
	return nil
}

// End is what a node does that is ended cleanly and started again: what was
// pending is gone, and the blocks that are not irreversible, as far as the undo
// history goes.
func (c *Chain) End() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.s.Dynamic()
	c.restarts++
	return c.loseLocked(min(int(d.HeadBlockNumber-d.LastIrreversibleBlockNum), len(c.history.blocks)))
}

// loseLocked takes the newest blocks away, with what is in them and what is
// pending. The next block is later than they were, so that it is another one.
func (c *Chain) loseLocked(blocks int) error {
	if blocks < 0 || blocks > len(c.history.blocks) {
		return fmt.Errorf("%d blocks cannot be lost; the newest %d can", blocks, len(c.history.blocks))
	}
	num := c.s.Dynamic().HeadBlockNumber - uint32(blocks)
	head := c.s.HeadTime()
	if err := c.returnLocked(num); err != nil {
		return err
	}
	if blocks > 0 {
		c.notBefore = max(c.notBefore, head+1)
	}
	for range blocks {
		c.popLocked()
	}
	c.history.dropAfter(num)
	return nil
}
