package finality

import (
	"errors"
	"slices"

	"billfold/ledger"
)

// Errors of Add and Rewind; errors.Is finds them.
var (
	// ErrUnlinked means that a header does not follow the last one that was added.
	ErrUnlinked = errors.New("the block does not follow the one before it")
	// ErrTime means that a header is not later than the one before it, or too far in the future.
	ErrTime = errors.New("the time of the block is impossible")
	// ErrSignature means that the signature of a header is not one in the ledger's form.
	ErrSignature = errors.New("the block's signature is not valid")
	// ErrContradiction means that a chain lacks a proven block.
	ErrContradiction = errors.New("the chain lacks a block that the miners' signatures have proven irreversible")
	// ErrUnproven means that more headers arrived than can be kept without a proof.
	ErrUnproven = errors.New("too many blocks arrived that the pinned miners' signatures do not prove")
)

// maxUnproven is how many unproven linked headers are kept: two days' worth at one per second,
// which is more than any payment's lifetime.
const maxUnproven = 2 * 86_400

// Tracker follows one linked chain of signed headers, and proves as much as it can.
type Tracker struct {
	anchor Anchor
	start  uint32   // number of the first header of the linked run; 0: none
	run    []header // its newest part, from the last proven header on, or all of it
	linked bool     // the anchor's block is in the run, or directly before it
	last   map[ledger.MinerID]uint32
	window window
}

// New returns a tracker that continues after the anchor's block; without one, it starts at whatever header
// comes first. The anchor must pass Check.
func New(a Anchor) *Tracker {
	a.Miners = slices.Clone(a.Miners)
	t := &Tracker{anchor: a}
	t.Restart()
	if a.Block != (Point{}) {
		t.start, t.run, t.linked = a.Block.Num(), []header{{Point: a.Block}}, true
	}
	return t
}

// Restart drops the linked headers, so that the next one may have any number: before the proven block, to read again
// what leads to it, or far after it. What is proven stays proven.
func (t *Tracker) Restart() {
	t.start, t.run, t.linked = 0, nil, false
	t.last = map[ledger.MinerID]uint32{}
	t.window = window{}
}

// Anchor returns what is proven so far, to be stored.
func (t *Tracker) Anchor() Anchor {
	a := t.anchor
	a.Miners = slices.Clone(a.Miners)
	return a
}

// Irreversible returns the last block that is proven irreversible; its number is 0 if there is none yet.
func (t *Tracker) Irreversible() Point { return t.anchor.Block }

// Tip returns the last header of the linked run, proven or not; its number is 0 if there is none.
func (t *Tracker) Tip() Point {
	if len(t.run) == 0 {
		return Point{}
	}
	return t.run[len(t.run)-1].Point
}

// Proven reports whether the header of that number, as added to the present run, is proven irreversible.
func (t *Tracker) Proven(num uint32) bool {
	return t.linked && t.start <= num && num <= t.anchor.Block.Num()
}

// Finality is how certain it is that a block stays on the chain.
type Finality int

const (
	Open        Finality = iota // it can still leave the chain
	ByNodesWord                 // a daemon calls it irreversible, but the signatures do not show it
	Proven                      // the miners' signatures show it
)

// Finality returns how certain the block of that number is, when a daemon says that blocks up to said are irreversible.
func (t *Tracker) Finality(num, said uint32) Finality {
	switch {
	case t.Proven(num):
		return Proven
	case num <= said:
		return ByNodesWord
	}
	return Open
}
