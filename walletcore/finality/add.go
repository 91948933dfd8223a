package finality

import (
	"fmt"

	"billfold/ledger"
)

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
