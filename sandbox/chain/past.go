package chain

import (
	"fmt"

	"billfold/ledger"
)

// forkDepth and maxUndo bound how much past is kept for Fork: that many blocks,
// and of busy blocks fewer.
const (
	forkDepth = 64
	maxUndo   = 1 << 20
)

// Log is told of every change of the head, while nobody can see it yet. When it
// fails, the change does not happen.
type Log interface {
	// Append adds the block that becomes the head.
	Append(b *ledger.Block) error
	// Return makes block num the head again.
	Return(num uint32) error
}

// KeepIn names the log. What happened before is not told to it.
func (c *Chain) KeepIn(l Log) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = l
}

// sealed is a block that can be taken back: how, and what is in it.
type sealed struct {
	undo []func()
	txs  []*Prepared
}

// snapshot is a moment to return to.
type snapshot struct {
	id        uint64
	num       uint32 // the head block
	pending   []*Prepared
	notBefore ledger.Time
}

// sealLocked makes the changes since the head block those of a new head block.
func (c *Chain) sealLocked(txs []*Prepared) {
	c.past = append(c.past, sealed{undo: c.s.j.undo, txs: txs})
	c.undoable += len(c.s.j.undo)
	c.s.j.forget()
	for len(c.past) > c.keptLocked() && (len(c.past) > forkDepth || c.undoable > maxUndo) {
		c.undoable -= len(c.past[0].undo)
		c.past[0] = sealed{}
		c.past = c.past[1:]
	}
}

// keptLocked is how many blocks must be possible to take back: all since the
// oldest snapshot, and what is not irreversible yet, up to forkDepth.
func (c *Chain) keptLocked() int {
	d := c.s.dynamic
	kept := min(int(d.HeadBlockNumber-d.LastIrreversibleBlockNum), forkDepth)
	if len(c.snapshots) > 0 {
		kept = max(kept, int(d.HeadBlockNumber-c.snapshots[0].num))
	}
	return kept
}

// popLocked takes the head block back. Nothing may be pending.
func (c *Chain) popLocked() []*Prepared {
	last := c.past[len(c.past)-1]
	c.past[len(c.past)-1] = sealed{}
	c.past = c.past[:len(c.past)-1]
	c.undoable -= len(last.undo)
	c.s.j.undo = last.undo
	c.s.j.rewind(0)
	return last.txs
}

// Snapshot notes this moment, pending transactions included, and gives the
// number that Revert knows it by.
func (c *Chain) Snapshot() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastSnapshot++
	c.snapshots = append(c.snapshots, snapshot{
		id: c.lastSnapshot, num: c.s.dynamic.HeadBlockNumber,
		pending: append([]*Prepared(nil), c.pending...), notBefore: c.notBefore,
	})
	return c.lastSnapshot
}

// Revert makes everything as it was at the snapshot. The snapshot stays; later
// ones are forgotten.
func (c *Chain) Revert(id uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := 0
	for at < len(c.snapshots) && c.snapshots[at].id != id {
		at++
	}
	if at == len(c.snapshots) {
		return fmt.Errorf("there is no snapshot %d; it was never taken, or a revert or fork went behind it", id)
	}
	to := c.snapshots[at]
	if err := c.returnLocked(to.num); err != nil {
		return err
	}
	for c.s.dynamic.HeadBlockNumber > to.num {
		c.popLocked()
	}
	c.snapshots, c.notBefore = c.snapshots[:at+1], to.notBefore
	for _, p := range to.pending {
		if fault := c.pushLocked(p); fault != nil {
			return fault
		}
	}
	return nil
}

// returnLocked prepares for taking blocks back down to num.
func (c *Chain) returnLocked(num uint32) error {
	if c.log != nil && num < c.s.dynamic.HeadBlockNumber {
		if err := c.log.Return(num); err != nil {
			return err
		}
	}
	c.s.j.rewind(0)
	c.pending = nil
	c.s.forgotten = min(c.s.forgotten, num)
	return nil
}

// Fork takes the newest k blocks away, as when another branch wins. With keep
// their transactions are pending again, in front of those that were; the
// outcome names those that cannot be. Without keep they are gone. The next
// block is later than the newest one that was taken away, so that it is
// another block. At most what is kept of the past can be taken away.
func (c *Chain) Fork(k int, keep bool) ([]Dropped, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k < 1 || k > len(c.past) {
		return nil, fmt.Errorf("%d blocks cannot be taken away; the newest %d can", k, len(c.past))
	}
	waiting := c.pending
	num := c.s.dynamic.HeadBlockNumber - uint32(k)
	c.notBefore = max(c.notBefore, c.s.HeadTime()+1)
	if err := c.returnLocked(num); err != nil {
		return nil, err
	}
	for range k {
		if txs := c.popLocked(); keep {
			waiting = append(c.reviveAll(txs), waiting...)
		}
	}
	c.dropSnapshotsLocked(num)
	return c.pushAllLocked(waiting), nil
}

// reviveAll recovers the keys of transactions that came from a log.
func (c *Chain) reviveAll(txs []*Prepared) []*Prepared {
	list := make([]*Prepared, len(txs))
	for i, p := range txs {
		list[i] = p
		if p.trusted && len(p.Tx.Signatures) > 0 {
			if again, err := c.Prepare(p.Tx); err == nil {
				list[i] = again
			}
		}
	}
	return list
}

func (c *Chain) pushAllLocked(waiting []*Prepared) (dropped []Dropped) {
	for _, p := range waiting {
		if fault := c.pushLocked(p); fault != nil {
			dropped = append(dropped, Dropped{p.ID, fault})
		}
	}
	return dropped
}
