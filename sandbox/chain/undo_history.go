package chain

import (
	"fmt"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/state"
)

// forkDepth and maxUndo bound how much undo history is kept for Fork: that many
// blocks, and of busy blocks fewer.
const (
	forkDepth = 64
	maxUndo   = 1 << 20
)

// undoHistory is how to take the newest blocks back, and to which moments.
type undoHistory struct {
	blocks       []appliedBlock // the head block last
	changes      int            // in blocks
	snapshots    []snapshot
	lastSnapshot uint64
}

// appliedBlock is a block that can be taken back: how, and what is in it.
type appliedBlock struct {
	undo state.Undo
	txs  []*evaluate.Prepared
}

// snapshot is a moment to return to.
type snapshot struct {
	id        uint64
	num       uint32 // the head block
	pending   []*evaluate.Prepared
	notBefore ledger.Time
}

// push adds the head block, and forgets the oldest blocks that nobody needs. At
// least kept blocks must be possible to take back, and those since the oldest snapshot.
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

// pop returns the head block, which is no longer the head.
func (h *undoHistory) pop() appliedBlock {
	at := len(h.blocks) - 1
	last := h.blocks[at]
	h.blocks[at] = appliedBlock{}
	h.blocks = h.blocks[:at]
	h.changes -= last.undo.Len()
	return last
}

// note adds a moment to return to and returns the number it is known by.
func (h *undoHistory) note(s snapshot) uint64 {
	h.lastSnapshot++
	s.id = h.lastSnapshot
	h.snapshots = append(h.snapshots, s)
	return s.id
}

// find returns the snapshot with its place.
func (h *undoHistory) find(id uint64) (snapshot, int, error) {
	for at, s := range h.snapshots {
		if s.id == id {
			return s, at, nil
		}
	}
	return snapshot{}, 0, fmt.Errorf("there is no snapshot %d; it was never taken, or a revert or fork went back past it", id)
}

// dropAfter forgets the snapshots of blocks after num.
func (h *undoHistory) dropAfter(num uint32) {
	for len(h.snapshots) > 0 && h.snapshots[len(h.snapshots)-1].num > num {
		h.snapshots = h.snapshots[:len(h.snapshots)-1]
	}
}
