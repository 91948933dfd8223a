package chain

import (
	"errors"
	"fmt"

	"billfold/sandbox/chain/evaluate"
)

// ErrEnded is the error of PushSince if the node was restarted after the connection was opened.
var ErrEnded = errors.New("the node was restarted after the connection was opened")

// Restarts returns how often the node was stopped and started again.
func (c *Chain) Restarts() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.restarts
}

// PushSince is Push for a connection that was opened after that many restarts. A restart
// ends all connections: nothing that came over one of them may enter the next run, in
// which the node may accept the same bytes again. The error is ErrEnded or a
// *nodeerr.Error.
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

// Kill does to the chain what kill -9 and a restart do to a node
// (docs/protocol/daemon-api.md 11): pending transactions and the newest lost blocks are
// gone, and the transactions in the other blocks are forgotten, so that the same
// bytes are accepted once more until they expire. Blocks that it had announced as
// irreversible cannot be lost, also not by several kills in a row.
func (c *Chain) Kill(lost int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.dropBlocksLocked(lost); err != nil {
		return err
	}
	c.s.Blocks.Forget(c.s.Dynamic().HeadBlockNumber)
	c.restarts++
	return nil
}

// End does to the chain what a clean stop and a restart do to a node: pending
// transactions are gone, and so are the blocks that are not irreversible, as far
// as the undo history goes.
func (c *Chain) End() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.s.Dynamic()
	c.restarts++
	return c.dropBlocksLocked(min(int(d.HeadBlockNumber-c.final), len(c.history.blocks)))
}

// dropBlocksLocked removes the newest blocks with their transactions, and the
// pending ones. The next block is later than they were, so that it is a different
// one.
func (c *Chain) dropBlocksLocked(blocks int) error {
	if blocks < 0 || blocks > len(c.history.blocks) {
		return fmt.Errorf("%d blocks cannot be lost; the newest %d can", blocks, len(c.history.blocks))
	}
	num := c.s.Dynamic().HeadBlockNumber - uint32(blocks)
	if blocks > 0 && num < c.final {
		return fmt.Errorf("%d blocks cannot be lost: block %d is irreversible, and a node does not lose it; a fork takes it back", blocks, c.final)
	}
	head := c.s.HeadTime()
	if err := c.prepareRewindLocked(num); err != nil {
		return err
	}
	if blocks > 0 {
		c.notBefore = max(c.notBefore, head+1)
	}
	for range blocks {
		c.popLocked()
	}
	c.history.dropSnapshotsAfter(num)
	return nil
}
