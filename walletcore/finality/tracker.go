package finality

import (
	"errors"
	"fmt"
	"slices"

	"billfold/ledger"
)

// What Add and TakeBack answer beside nil; errors.Is finds them.
var (
	// ErrUnlinked is a header that does not follow the last one that was added.
	ErrUnlinked = errors.New("the block does not follow the one before it")
	// ErrTime is a header that is not later than the one before it, or too far
	// in the future.
	ErrTime = errors.New("the time of the block cannot be")
	// ErrSignature is a header that nobody signed in the ledger's form.
	ErrSignature = errors.New("the block is not signed as the ledger wants it")
	// ErrContradiction is a chain that lacks a proven block.
	ErrContradiction = errors.New("the chain lacks a block that the miners' signatures have proven irreversible")
	// ErrUnproven says that more headers came than can be kept without a proof.
	ErrUnproven = errors.New("too many blocks came that the signatures of the pinned miners do not prove")
)

// maxUnproven is how many linked headers are kept that are not proven: two days
// of them at one per second, so that what a payment can be in always fits.
const maxUnproven = 2 * 86_400

// Tracker follows one linked chain of signed headers, and proves what it can.
type Tracker struct {
	anchor Anchor
	start  uint32  // number of the first header of the linked run; 0: none
	run    []entry // its newest part: from the last proven header on, or all of it
	linked bool    // the anchor's block is in the run, or right before it
	last   map[ledger.MinerID]uint32
	window window
}

// entry is a header as far as it is needed on.
type entry struct {
	Point
	miner ledger.MinerID
	key   ledger.PublicKey // that signed; null for the anchor's block
}

// New returns a tracker that goes on behind the anchor's block; without one, it
// begins with whatever header comes first. The anchor must pass Check.
func New(a Anchor) *Tracker {
	a.Miners = slices.Clone(a.Miners)
	t := &Tracker{anchor: a}
	t.Restart()
	if a.Block != (Point{}) {
		t.start, t.run, t.linked = a.Block.Num(), []entry{{Point: a.Block}}, true
	}
	return t
}

// Restart forgets the linked headers, so that the next one may have any number:
// before the proven block, to read again what leads to it, or far behind. What is
// proven stays so.
func (t *Tracker) Restart() {
	t.start, t.run, t.linked = 0, nil, false
	t.last = map[ledger.MinerID]uint32{}
	t.window = window{}
}

// Anchor returns what is proven by now, to be kept.
func (t *Tracker) Anchor() Anchor {
	a := t.anchor
	a.Miners = slices.Clone(a.Miners)
	return a
}

// Irreversible returns the last block that is proven irreversible; its number is
// 0 when none is yet.
func (t *Tracker) Irreversible() Point { return t.anchor.Block }

// Tip returns the last header of the linked run, proven or not; its number is 0
// without one.
func (t *Tracker) Tip() Point {
	if len(t.run) == 0 {
		return Point{}
	}
	return t.run[len(t.run)-1].Point
}

// Proven reports whether the header of that number, as it was added to the
// present run, is proven irreversible.
func (t *Tracker) Proven(num uint32) bool {
	return t.linked && t.start <= num && num <= t.anchor.Block.Num()
}

// Finality is how sure it is that a block stays.
type Finality int

const (
	Open        Finality = iota // it can still leave the chain
	ByNodesWord                 // a daemon calls it irreversible, the signatures do not show it
	Proven                      // the miners' signatures show it
)

// Finality returns how sure the block of that number is, when a daemon says that
// blocks up to said are irreversible.
func (t *Tracker) Finality(num, said uint32) Finality {
	switch {
	case t.Proven(num):
		return Proven
	case num <= said:
		return ByNodesWord
	}
	return Open
}

// Add takes the header that follows the last one, or any one after Restart. Its
// time must not be later than latest, which is this machine's clock and what it
// may be wrong by. An error leaves the tracker as it is.
func (t *Tracker) Add(h *ledger.SignedBlockHeader, latest ledger.Time) error {
	e, err := read(h)
	if err != nil {
		return err
	}
	if err := t.follows(&e, h.Previous, latest); err != nil {
		return err
	}
	if len(t.run) == 0 {
		t.start = e.Num()
	}
	t.run = append(t.run, e)
	t.linked = t.linked || e.ID == t.anchor.Block.ID || h.Previous == t.anchor.Block.ID && t.anchor.Block.Num() > 0
	t.count(&e)
	t.prove()
	return nil
}

// read computes what a header says of itself.
func read(h *ledger.SignedBlockHeader) (entry, error) {
	id, err := h.ID()
	if err != nil {
		return entry{}, err
	}
	if id.Num() == 0 {
		return entry{}, fmt.Errorf("%w: it has no number", ErrUnlinked)
	}
	digest, err := h.Digest()
	if err != nil {
		return entry{}, err
	}
	key, err := ledger.RecoverKey(digest, h.MinerSignature)
	if err != nil || !h.MinerSignature.IsCanonical() {
		return entry{}, fmt.Errorf("block %d: %w", id.Num(), ErrSignature)
	}
	return entry{Point{id, h.Timestamp}, h.Miner, key}, nil
}

// follows holds a header against the run, the anchor and the clock.
func (t *Tracker) follows(e *entry, previous ledger.BlockID, latest ledger.Time) error {
	tip, proven := t.Tip(), t.anchor.Block
	switch {
	case len(t.run) > 0 && previous != tip.ID:
		return fmt.Errorf("block %d: %w", e.Num(), ErrUnlinked)
	case !t.linked && e.Num() == proven.Num() && e.ID != proven.ID,
		!t.linked && e.Num() == proven.Num()+1 && proven.Num() > 0 && previous != proven.ID:
		return fmt.Errorf("block %d: %w", proven.Num(), ErrContradiction)
	case len(t.run) > 0 && e.Time <= tip.Time, e.Num() > proven.Num() && e.Time <= proven.Time, e.Time > latest:
		return fmt.Errorf("block %d of %s: %w", e.Num(), e.Time, ErrTime)
	case len(t.run) >= maxUnproven:
		return fmt.Errorf("block %d: %w", e.Num(), ErrUnproven)
	}
	return nil
}

// TakeBack forgets block num and all after it, which a fork took away. It
// refuses, with ErrContradiction, to forget a proven block.
func (t *Tracker) TakeBack(num uint32) error {
	if t.Proven(num) || t.linked && num < t.start {
		return fmt.Errorf("block %d: %w", num, ErrContradiction)
	}
	if len(t.run) == 0 {
		return nil
	}
	first := t.run[0].Num()
	if num <= first {
		t.Restart()
		return nil
	}
	t.run = t.run[:min(num-first, uint32(len(t.run)))]
	t.recount()
	return nil
}
