package chain

import "fmt"

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
	c.s.forgotten = c.s.dynamic.HeadBlockNumber
	return nil
}

// End is what a node does that is ended cleanly and started again: what was
// pending is gone, and the blocks that are not irreversible, of which at most
// as many as are kept of the past.
func (c *Chain) End() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.s.dynamic
	return c.loseLocked(min(int(d.HeadBlockNumber-d.LastIrreversibleBlockNum), len(c.past)))
}

// loseLocked takes the newest blocks away, with what is in them and what is
// pending. The next block is later than they were, so that it is another one.
func (c *Chain) loseLocked(blocks int) error {
	if blocks < 0 || blocks > len(c.past) {
		return fmt.Errorf("%d blocks cannot be lost; the newest %d can", blocks, len(c.past))
	}
	num := c.s.dynamic.HeadBlockNumber - uint32(blocks)
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
	c.dropSnapshotsLocked(num)
	return nil
}

// dropSnapshotsLocked forgets those of blocks behind num.
func (c *Chain) dropSnapshotsLocked(num uint32) {
	for len(c.snapshots) > 0 && c.snapshots[len(c.snapshots)-1].num > num {
		c.snapshots = c.snapshots[:len(c.snapshots)-1]
	}
}
