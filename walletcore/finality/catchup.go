package finality

import (
	"context"
	"errors"
	"fmt"

	"billfold/ledger"
)

// ErrTooFar means that the miners changed too much since the anchor, or that the daemon withholds what shows how.
// Another daemon may show it; otherwise the chain's miners have to be trusted again, with Pin.
var ErrTooFar = errors.New("the pinned miners' signatures do not reach the current blocks")

// Source returns signed headers.
type Source interface {
	// Headers returns the headers of blocks from … to, both included, in order.
	Headers(ctx context.Context, from, to uint32) ([]ledger.SignedBlockHeader, error)
}

// segmentRounds is the number of rounds whose headers are read at once: two windows, so that miners that left lose their
// names, and half as much again for new miners and for what proves them.
const segmentRounds = 3*windowRounds + 3

// segment returns the number of headers in segmentRounds.
func (t *Tracker) segment() uint32 { return uint32(segmentRounds * t.anchor.minerCount()) }

// CatchUp follows the chain to block head without reading all headers in between. As long as enough of the pinned miners
// signed the newest ones, those suffice; otherwise it looks for the change half way, then half of that, and so on. It
// ends with the run at head; Irreversible returns what the run proves. After an error the tracker holds what was proven
// so far. latest is as in Add.
func (t *Tracker) CatchUp(ctx context.Context, from Source, head uint32, latest ledger.Time) error {
	kept := t.window // it ends with the anchor's block, and knows who was silent: without it, a second try may prove less than the first
	*t = *New(t.anchor)
	t.window = kept
	for target := head; t.Tip().Num() < head; {
		if first := t.anchor.Block.Num(); first > 0 && target <= t.Tip().Num()+t.segment() {
			if err := t.walk(ctx, from, target, latest); err != nil {
				return err
			}
			target = head
			continue
		}
		ahead, err := t.jump(ctx, from, target, latest)
		if err != nil {
			return err
		}
		proven := t.anchor.Block.Num()
		if proven == 0 || ahead.anchor.Block.Num() > proven && ahead.window.verdicts > 1 {
			*t, target = *ahead, head // for a chain never seen before there is nothing else to try
			continue
		}
		target = t.Tip().Num() + (target-t.Tip().Num())/2
	}
	return nil
}

// walk reads every header up to target. Far from the head it must prove something.
func (t *Tracker) walk(ctx context.Context, from Source, target uint32, latest ledger.Time) error {
	before := t.anchor.Block.Num()
	far := target-t.Tip().Num() >= t.segment()/2
	if err := t.addHeaders(ctx, from, t.Tip().Num()+1, target, latest); err != nil {
		return err
	}
	if far && t.anchor.Block.Num() == before {
		return fmt.Errorf("block %d: %w", before, ErrTooFar)
	}
	return nil
}

// jump reads a segment that ends at target into a new tracker, and leaves t unchanged.
func (t *Tracker) jump(ctx context.Context, from Source, target uint32, latest ledger.Time) (*Tracker, error) {
	ahead := New(t.anchor)
	ahead.Restart()
	first := uint32(1)
	if span := t.segment(); target > span {
		first = target - span + 1
	}
	return ahead, ahead.addHeaders(ctx, from, first, target, latest)
}

// addHeaders reads and adds the headers first to last.
func (t *Tracker) addHeaders(ctx context.Context, from Source, first, last uint32, latest ledger.Time) error {
	headers, err := from.Headers(ctx, first, last)
	if err != nil {
		return err
	}
	if len(headers) != int(last-first)+1 || headers[0].Previous.Num()+1 != first {
		return fmt.Errorf("blocks %d to %d: got others than requested: %w", first, last, ErrUnlinked)
	}
	for i := range headers {
		if err := t.Add(&headers[i], latest); err != nil {
			return err
		}
	}
	return nil
}
