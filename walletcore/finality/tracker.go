package finality

import (
	"errors"
	"fmt"
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

// maxUnproven is the maximum number of unproven linked headers that are kept: two days' worth at one
// per second, which is more than any payment's lifetime.
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

// Finality is the certainty that a block stays on the chain.
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

// Add adds the header that follows the last one, or any header after Restart. Its time must not be later than latest,
// which is this machine's clock plus what it may be off by. After an error the tracker is unchanged.
func (t *Tracker) Add(h *ledger.SignedBlockHeader, latest ledger.Time) error {
	e, err := parseHeader(h)
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

// parseHeader computes a header's id and the key that signed it.
func parseHeader(h *ledger.SignedBlockHeader) (header, error) {
	id, err := h.ID()
	if err != nil {
		return header{}, err
	}
	if id.Num() == 0 {
		return header{}, fmt.Errorf("%w: it has no number", ErrUnlinked)
	}
	digest, err := h.Digest()
	if err != nil {
		return header{}, err
	}
	key, err := signerOf(digest, h.MinerSignature)
	if err != nil || !h.MinerSignature.IsCanonical() {
		return header{}, fmt.Errorf("block %d: %w", id.Num(), ErrSignature)
	}
	return header{Point{id, h.Timestamp}, h.Miner, key}, nil
}

// follows checks a header against the run, the anchor and the clock.
func (t *Tracker) follows(e *header, previous ledger.BlockID, latest ledger.Time) error {
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

// Rewind drops block num and all after it, which a fork removed. It refuses, with ErrContradiction, to drop a proven block.
func (t *Tracker) Rewind(num uint32) error {
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

// count records what a header confirms, if it is signed with a pinned key.
func (t *Tracker) count(e *header) {
	if t.anchor.isPinned(e.miner, e.key) {
		t.last[e.miner] = e.Num()
	}
}

// recount counts the whole run again, after it or the pinned miners changed.
func (t *Tracker) recount() {
	clear(t.last)
	for i := range t.run {
		t.count(&t.run[i])
	}
}

// prove advances the last irreversible block as far as the rule allows. What proven headers reveal about the miners may prove more.
func (t *Tracker) prove() {
	for {
		if !t.linked && len(t.run) > 0 && t.start <= t.anchor.Block.Num() {
			return // it may turn out to be a chain other than the proven one
		}
		num := t.irreversible()
		if num <= t.anchor.Block.Num() {
			return
		}
		if !t.proveTo(num) {
			return
		}
		t.recount()
	}
}

// irreversible applies the ledger's rule. A miner that signed nothing in the run counts as 0: what
// it signed before is not above the anchor.
func (t *Tracker) irreversible() uint32 {
	confirmed := make([]uint32, 0, t.anchor.minerCount())
	for _, m := range t.anchor.Miners {
		confirmed = append(confirmed, t.last[m.ID])
	}
	return ledger.LastIrreversible(append(confirmed, make([]uint32, t.anchor.Unnamed)...))
}

// proveTo makes block num of the run the anchor's, and adopts the miners and keys of the headers up to it. It reports
// whether that changed who is counted.
func (t *Tracker) proveTo(num uint32) (changed bool) {
	at := int(num - t.run[0].Num())
	for i := range t.run[:at+1] {
		e := &t.run[i]
		if e.Num() <= t.anchor.Block.Num() {
			continue // it was the anchor's
		}
		changed = t.anchor.adopt(e.miner, e.key) || changed
		changed = t.window.add(e, &t.anchor) || changed
	}
	t.anchor.Block, t.linked = t.run[at].Point, true
	t.run = slices.Clone(t.run[at:])
	return changed
}
