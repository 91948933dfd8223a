package chain

import (
	"fmt"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/state"
)

// forkDepth and maxUndo limit the undo history that is kept for Fork: so many
// blocks, and fewer if they have many changes.
const (
	forkDepth = 64      // blocks
	maxUndo   = 1 << 20 // changes
)

// undoHistory holds the newest blocks, which can be undone, and the snapshots.
type undoHistory struct {
	blocks       []appliedBlock // the head block last
	changes      int            // in blocks
	snapshots    []snapshot     // oldest first
	lastSnapshot uint64         // id
}

// appliedBlock is a block that can be undone, with its transactions.
type appliedBlock struct {
	undo state.Undo
	txs  []*evaluate.Prepared
}

// snapshot is a state to return to.
type snapshot struct {
	id        uint64
	num       uint32 // the head block
	pending   []*evaluate.Prepared
	notBefore ledger.Time
}

// push adds the head block and forgets the oldest blocks that are not needed. The
// newest kept blocks are needed, up to forkDepth, and those since the oldest
// snapshot.
func (h *undoHistory) push(b appliedBlock, head uint32, kept int) {
	h.blocks = append(h.blocks, b)
	h.changes += b.undo.Len()
	kept = min(kept, forkDepth)
	if len(h.snapshots) > 0 {
		kept = max(kept, int(head-h.snapshots[0].num))
	}
	for len(h.blocks) > kept && (len(h.blocks) > forkDepth || h.changes > maxUndo) {
		h.changes -= h.blocks[0].undo.Len()
		h.blocks[0] = appliedBlock{}
		h.blocks = h.blocks[1:]
	}
}

// pop removes and returns the head block.
func (h *undoHistory) pop() appliedBlock {
	at := len(h.blocks) - 1
	last := h.blocks[at]
	h.blocks[at] = appliedBlock{}
	h.blocks = h.blocks[:at]
	h.changes -= last.undo.Len()
	return last
}

// addSnapshot adds a snapshot and returns its id.
func (h *undoHistory) addSnapshot(s snapshot) uint64 {
	h.lastSnapshot++
	s.id = h.lastSnapshot
	h.snapshots = append(h.snapshots, s)
	return s.id
}

// findSnapshot returns the snapshot with an id, and its index.
func (h *undoHistory) findSnapshot(id uint64) (snapshot, int, error) {
	for at, s := range h.snapshots {
		if s.id == id {
			return s, at, nil
		}
	}
	return snapshot{}, 0, fmt.Errorf("there is no snapshot %d; it was never taken, or a revert or fork went back past it", id)
}

// dropSnapshotsAfter forgets the snapshots taken after block num.
func (h *undoHistory) dropSnapshotsAfter(num uint32) {
	for len(h.snapshots) > 0 && h.snapshots[len(h.snapshots)-1].num > num {
		h.snapshots = h.snapshots[:len(h.snapshots)-1]
	}
}
