package payment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/finality"
)

// reading is the progress of a comparison through the ledger. It outlives the connection: what is read next, over whichever, has to link to
// what was read. Where blocks are not read one by one, it goes on in the same lists.
type reading struct {
	c        *comparison
	base     finality.Anchor           // see comparison.base
	keys     []ledger.PublicKey        // whose payments are looked for
	next     uint32                    // block to read next; 0 = there is nothing to read
	before   ledger.BlockID            // of the block before it; zero = whatever it is linked to
	previous ledger.Time               // the time of that block
	tip      *ledger.SignedBlockHeader // that block, once it was read
	anew     bool                      // the chain began anew, perhaps with other miners
	ids      map[uint32]ledger.BlockID // of the blocks that were read, to be compared with what is proven by then
	history  *histories                // what is read instead of the blocks up to a certain one; nil = nothing
}

// keptIDs is the number of read blocks whose ids are kept.
const keptIDs = 1000

// goOn has the comparison go on where it was broken off, unless that was on another chain than the daemon's, or for other keys.
func (c *comparison) goOn(ctx context.Context, daemon daemonclient.Daemon, head uint32) error {
	base, err := c.base(ctx)
	if err != nil {
		return err
	}
	own, missing, err := c.p.ownKeys(ctx)
	if err != nil {
		return err
	}
	keys := slices.Concat(c.p.Vault.PublicKeys(), missing)
	c.mu.Lock()
	c.early, c.own = base.Head-min(base.Head, otherDaemonsAge), own
	c.mu.Unlock()
	if r := c.reading; r != nil && r.base.Block == base.Block && slices.Equal(r.keys, keys) && r.reached() <= head {
		return nil
	}
	c.reading = nil
	r := &reading{c: c, base: base, keys: keys, next: base.Block.Num() + 1, before: base.Block.ID, previous: base.Block.Time,
		ids: map[uint32]ledger.BlockID{}}
	switch {
	case base.Block == (finality.Point{}):
		if r.next, err = c.oldest(ctx, daemon, head); err != nil {
			return err
		}
	case r.reached() > head:
		if !c.p.followsAnyChain(base) {
			return fmt.Errorf("the daemon's chain ends at block %d, before block %d, which is proven irreversible", head, r.reached())
		}
		r.startAnew()
	}
	if r.next > 0 && head >= r.next+farBehind {
		r.history = &histories{last: head, missing: missing, own: map[ledger.AccountID]bool{}, blocks: map[uint32]bool{}}
		if r.history.paid, err = c.payersBefore(ctx, r.next); err != nil {
			return err
		}
		for _, a := range c.p.Vault.Listed() {
			r.history.own[a.ID] = true
		}
	}
	c.begin(r.next, head)
	c.reading = r
	return nil
}

// payersBefore returns the accounts that paid for one of the latest payments of the journal, in a block before the given one.
func (c *comparison) payersBefore(ctx context.Context, block uint32) (map[ledger.AccountID]bool, error) {
	newest, err := c.p.Journal.Latest(ctx, maxMissing)
	if err != nil {
		return nil, unreadable("journal", err)
	}
	payers := map[ledger.AccountID]bool{}
	for _, kept := range newest {
		e, err := c.p.entryOfJournal(kept)
		if err != nil || kept.Chain != c.p.View.Pins.Chain() || e.State != Irreversible || e.Block >= block {
			continue
		}
		for _, op := range e.tx.Operations {
			payers[op.Body.FeePayer()] = true
		}
	}
	return payers, nil
}

// begin notes the first block that counts: the journal lacks nothing of those before, or nothing was ever signed with it up to head.
func (c *comparison) begin(num, head uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.from = num; num == 0 {
		c.from = head + 1
	}
}

// reached returns the last block that was read.
func (r *reading) reached() uint32 {
	if r.history != nil {
		return r.history.last
	}
	return r.next - min(r.next, 1)
}

// startAnew reads from the first block on, on a chain that began anew.
func (r *reading) startAnew() {
	r.next, r.before, r.previous, r.anew = 1, ledger.BlockID{}, 0, true
}

// errUnsigned means that the newest block that was read is not signed by a miner that is trusted. Only on top of the ledger's blocks do
// the miners sign, so those before it may be forged.
var errUnsigned = errors.New("no trusted miner has signed the daemon's newest block; if the miners have changed: billfold pins forget miners")

// checkHead checks that what was read is the chain with this head, up to it, and that it is the ledger.
func (r *reading) checkHead(head ledger.BlockID) error {
	if r.next == 0 {
		return nil
	}
	if r.before != head {
		return fmt.Errorf("block %d: %w", head.Num(), errUnsteady)
	}
	if r.tip == nil || r.anew || r.base.Block == (finality.Point{}) {
		return nil // it is proven, or what is believed of the miners has proven nothing yet
	}
	if now := r.c.p.Anchor(); !now.Signed(r.tip) && !r.base.Signed(r.tip) {
		return fmt.Errorf("block %d: %w", head.Num(), errUnsigned)
	}
	return nil
}

// isOther reports whether an error of the first block after a proven one means that the chain is another, which is followed nevertheless.
func (r *reading) isOther(err error) bool {
	return errors.Is(err, finality.ErrUnlinked) && r.before == r.base.Block.ID && r.c.p.followsAnyChain(r.base)
}

// to compares what is on the ledger up to block last.
func (r *reading) to(ctx context.Context, daemon daemonclient.Daemon, last uint32) error {
	if r.history != nil {
		if err := r.readHistories(ctx, daemon); err != nil {
			return err
		}
	}
	for r.next > 0 && r.next <= last {
		r.c.progress(r.next, last)
		blocks, err := readBlocks(ctx, daemon, r.next, last)
		for _, block := range blocks {
			if unfit := r.add(ctx, block); r.isOther(unfit) {
				r.startAnew()
				r.c.begin(r.next, last)
				break
			} else if unfit != nil {
				return unfit
			}
		}
		if err != nil {
			return err
		}
	}
	if proven := r.c.p.Anchor().Block; !r.c.p.followsAnyChain(r.base) {
		if id, read := r.ids[proven.Num()]; read && id != proven.ID {
			return finality.ErrContradiction
		}
	}
	return nil
}

// progress notes how much of a reading is done.
func (c *comparison) progress(at, to uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at != c.at {
		c.moved = time.Now()
	}
	c.at, c.to = at, to
}

// add compares the next block, which has to be linked to the one before.
func (r *reading) add(ctx context.Context, block *ledger.Block) error {
	if r.before != (ledger.BlockID{}) && block.Previous != r.before {
		return fmt.Errorf("block %d: %w", block.BlockID.Num(), finality.ErrUnlinked)
	}
	found, err := r.c.adopt(ctx, block, r.previous, 0)
	if r.c.found += found; err != nil {
		return err
	}
	r.before, r.previous, r.tip, r.ids[r.next] = block.BlockID, block.Timestamp, &block.SignedBlockHeader, block.BlockID
	delete(r.ids, r.next-min(r.next, keptIDs))
	r.next++
	return nil
}

const (
	historyPage = 100 // operations that a daemon lists at once
	keysAtOnce  = 20  // keys whose accounts are asked for at once
)

// histories are read after a long time away, instead of all blocks up to the last one: only those in which an account on the wallet's list,
// or one of keys that are missing in its key file, paid for something.
type histories struct {
	last    uint32
	missing []ledger.PublicKey // whose accounts are not known yet
	own     map[ledger.AccountID]bool
	left    []ledger.AccountID        // whose histories are not read to their end; nil = not known yet
	start   ledger.HistoryID          // where that of the first of them goes on
	blocks  map[uint32]bool           // in which they paid; false = it was compared
	paid    map[ledger.AccountID]bool // that paid before the first block, as the journal knows
}

// errShortHistory means that a history lacks a payment that is proven irreversible.
var errShortHistory = errors.New("the daemon's history of an account lacks what it is known to have paid")

// readHistories compares the blocks that the histories name. A daemon that does not tell them has every block read.
func (r *reading) readHistories(ctx context.Context, daemon daemonclient.Daemon) error {
	h := r.history
	err := h.ask(ctx, daemon, r.next)
	if _, refused := errors.AsType[*daemonclient.RemoteError](err); refused || errors.Is(err, errShortHistory) {
		r.c.p.Logger.Debug("payments: the daemon does not say what own accounts paid, and every block is read", "error", err)
		r.history = nil
		return nil
	}
	if err != nil {
		return err
	}
	numbers := slices.Sorted(maps.Keys(h.blocks))
	for n, num := range numbers {
		if !h.blocks[num] {
			continue
		}
		r.c.progress(uint32(n), uint32(len(numbers))) //nolint:gosec // there are fewer than blocks on the chain
		one, err := readBlocks(ctx, daemon, num, num)
		if err != nil {
			return err
		}
		found, err := r.c.adopt(ctx, one[0], 0, 0)
		if r.c.found += found; err != nil {
			return err
		}
		h.blocks[num] = false
	}
	r.next, r.before, r.previous, r.history = h.last, ledger.BlockID{}, 0, nil // that one shows whose chain it is
	return nil
}

// ask asks for the histories from block first on.
func (h *histories) ask(ctx context.Context, daemon daemonclient.Daemon, first uint32) error {
	for len(h.missing) > 0 {
		some := h.missing[:min(len(h.missing), keysAtOnce)]
		accounts, err := daemon.KeyReferences(ctx, some)
		if err != nil {
			return err
		}
		for _, id := range slices.Concat(accounts...) {
			h.own[id] = true
		}
		h.missing = h.missing[len(some):]
	}
	if h.left == nil {
		h.left = slices.Sorted(maps.Keys(h.own))
	}
	for len(h.left) > 0 {
		page, err := daemon.AccountHistory(ctx, h.left[0], 0, historyPage, h.start)
		if err != nil {
			return err
		}
		for _, op := range page {
			if op.BlockNum >= first && op.BlockNum <= h.last && op.Op.Body != nil && h.own[op.Op.Body.FeePayer()] {
				h.blocks[op.BlockNum] = true
			}
		}
		reached := len(page) > 0 && page[len(page)-1].BlockNum < first
		if reached || len(page) < historyPage || page[len(page)-1].ID == 0 {
			if !reached && h.paid[h.left[0]] {
				return fmt.Errorf("%s: %w", h.left[0], errShortHistory)
			}
			h.left, h.start = h.left[1:], 0
			continue
		}
		h.start = page[len(page)-1].ID - 1
	}
	return nil
}
