package walletcore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"billfold/ledger"
)

// pollTime is how often open payments are looked up when no block is announced.
const pollTime = 5 * time.Second

// follower reads the chain block by block, once for all payments, and takes
// back what a fork takes back. Only its own goroutine uses it.
//
// What it concludes it concludes from one chain: either the blocks that it read
// are linked, by their ids, to the very head block whose properties name the
// last irreversible block, or they came from the one daemon that named it.
type follower struct {
	w      *Wallet
	next   uint32                   // the block to read next; 0 = nothing was read yet
	blocks map[uint32]followedBlock // those read that are not irreversible yet, and the last that is
	passed ledger.Time              // time of the latest irreversible block that was read
	final  uint32                   // the last irreversible block of the latest conclusion
	told   uint32                   // the head block that open payments were last told of
	line   lineMark                 // the line to the daemon in the latest step
	tried  uint32                   // the head block at which refused bytes were last sent again
}

// followedBlock is what the follower needs of a block.
type followedBlock struct {
	Previous       ledger.BlockID         `json:"previous"`
	Timestamp      ledger.Time            `json:"timestamp"`
	BlockID        ledger.BlockID         `json:"block_id"`
	TransactionIDs []ledger.TransactionID `json:"transaction_ids"`
}

// lineMark tells lines to daemons apart.
type lineMark struct {
	url   string
	since time.Time
}

func (w *Wallet) lineMark() lineMark {
	s := w.daemon.Status()
	return lineMark{s.URL, s.Since}
}

// followPayments looks for open payments in each new block until ctx ends.
func (w *Wallet) followPayments(ctx context.Context) error {
	if err := w.resume(ctx); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return w.keepJournal(ctx) })
	g.Go(func() error {
		(&follower{w: w, blocks: map[uint32]followedBlock{}}).run(ctx)
		return nil
	})
	err := g.Wait()
	_ = w.writeChanges(ctx) // it is logged; the next run finds out again
	return err
}

func (f *follower) run(ctx context.Context) {
	events, stop := f.w.Subscribe()
	defer stop()
	tick := time.NewTicker(pollTime)
	defer tick.Stop()
	for f.step(ctx); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f.step(ctx)
		case e := <-events:
			if moved(e, events) {
				f.step(ctx)
			}
		}
	}
}

// moved empties the queue of events and says whether the chain or the line to
// the daemon moved; when events may have been dropped, perhaps it did.
func moved(e Event, more <-chan Event) bool {
	found := len(more) >= eventBuffer-1
	for {
		found = found || e.Kind == EventBlock || e.Kind == EventDaemon
		select {
		case e = <-more:
		default:
			return found
		}
	}
}

// drain drops events that wait: what comes next sees everything they tell of.
func drain(events <-chan Event) {
	for {
		select {
		case <-events:
		default:
			return
		}
	}
}

// step brings every open payment up to the present head block. A daemon that
// fails in the middle changes nothing: the next block goes on from there.
func (f *follower) step(ctx context.Context) {
	status := f.w.daemon.Status()
	line := lineMark{status.URL, status.Since}
	open := f.w.payments.onWatch(status.ChainID)
	if len(open) == 0 {
		f.forget()
		f.line = line
		return
	}
	dyn, err := f.w.daemon.DynamicGlobalProperties(ctx) // not the wallet's copy: it may be another daemon's
	if err != nil {
		return
	}
	if line != f.line {
		f.line, f.tried = line, 0
		f.sendAgain(open)
	}
	if f.next == 0 {
		f.next = firstBlock(open)
	}
	if err := f.read(ctx, &dyn); err != nil {
		f.w.log.Debug("payments: reading blocks", "next", f.next, "error", err)
	}
	f.resend(ctx, &dyn)
	f.w.noteChanges()
}

// forget starts anew with the next payment.
func (f *follower) forget() {
	f.next, f.passed, f.final = 0, 0, 0
	clear(f.blocks)
}

// firstBlock is the first that may hold one of the payments. A payment that is
// added later cannot be in a block that was read before: it is on the list
// before it is broadcast.
func firstBlock(open []*payment) uint32 {
	first := open[0].refBlock + 1
	for _, p := range open {
		first = min(first, p.refBlock+1)
	}
	return first
}

// concludeEvery is how many blocks are read, far behind the head, before what
// they settle is settled: the blocks between payments of long ago are not read.
const concludeEvery = 20

// errUnsteady says that the daemon's answers do not fit together at present, as
// while it changes to another fork; the next step sees them settled.
var errUnsteady = errors.New("the daemon's answers do not fit together")

// read reads the blocks up to the head, going back first where a fork changed
// them, and concludes. An error leaves payments as they are.
func (f *follower) read(ctx context.Context, dyn *ledger.DynamicGlobalProperties) error {
	if dyn.LastIrreversibleBlockNum > dyn.HeadBlockNumber || dyn.HeadBlockID.Num() != dyn.HeadBlockNumber {
		return errUnsteady
	}
	for turns := len(f.blocks) + 2; turns > 0; { // each fork goes back at most once over what is known
		back, err := f.readOn(ctx, dyn)
		if err != nil {
			return err
		}
		if back == 0 {
			f.conclude(dyn)
			return nil
		}
		f.takeBack(back)
		turns--
	}
	return errUnsteady
}

// readOn reads blocks until the head of dyn is linked to them. It gives the
// number of a block that left the chain if it meets one.
func (f *follower) readOn(ctx context.Context, dyn *ledger.DynamicGlobalProperties) (back uint32, err error) {
	for f.next <= dyn.HeadBlockNumber {
		blocks, err := f.ahead(ctx, dyn.HeadBlockNumber)
		for _, block := range blocks {
			if block == nil { // what came before it stands
				return 0, err
			}
			if before, known := f.blocks[f.next-1]; known && before.BlockID != block.Previous {
				return f.next - 1, nil
			}
			f.note(f.next, block)
			f.next++
		}
		if f.next%concludeEvery == 0 && f.next <= dyn.LastIrreversibleBlockNum {
			f.skip(dyn)
		}
	}
	return f.verify(ctx, dyn)
}

// ahead asks for the blocks from the next one up to where the next conclusion may
// be drawn, all at once: one after another each would cost a round trip. Those that
// did not come are nil, and err says why. They may come from several daemons; what
// is concluded from them rests on their links, not on that.
func (f *follower) ahead(ctx context.Context, head uint32) (blocks []*followedBlock, err error) {
	blocks = make([]*followedBlock, min(head-f.next+1, concludeEvery-f.next%concludeEvery))
	var g errgroup.Group
	for i := range blocks {
		g.Go(func() (err error) {
			blocks[i], err = f.block(ctx, f.next+uint32(i))
			return err
		})
	}
	return blocks, g.Wait()
}

// skip concludes from blocks that are irreversible for the daemon they came
// from, and goes on where the next open payment may be.
func (f *follower) skip(dyn *ledger.DynamicGlobalProperties) {
	if f.w.lineMark() != f.line {
		return
	}
	f.conclude(dyn)
	open := f.w.payments.onWatch(f.w.daemon.Status().ChainID)
	next := dyn.LastIrreversibleBlockNum
	if len(open) > 0 {
		next = min(next, firstBlock(open))
	}
	if next > f.next {
		f.next = next
		clear(f.blocks)
	}
}

// verify compares what was read with the head block: a fork of the same length
// shows only there.
func (f *follower) verify(ctx context.Context, dyn *ledger.DynamicGlobalProperties) (back uint32, err error) {
	head := dyn.HeadBlockNumber
	known, read := f.blocks[head]
	if !read || known.BlockID == dyn.HeadBlockID {
		return 0, nil
	}
	block, err := f.block(ctx, head)
	if err != nil {
		return 0, err
	}
	if block.BlockID == known.BlockID { // the head has moved since dyn was read
		return 0, errUnsteady
	}
	return head, nil
}

func (f *follower) block(ctx context.Context, num uint32) (*followedBlock, error) {
	raw, err := f.w.daemon.GetBlock(ctx, num)
	if err != nil {
		return nil, err
	}
	if isNull(raw) {
		return nil, fmt.Errorf("block %d: %w", num, errUnsteady)
	}
	block := new(followedBlock)
	if err := ledger.Unmarshal(raw, block); err != nil {
		return nil, err
	}
	if block.BlockID.Num() != num {
		return nil, fmt.Errorf("block %d calls itself %s: %w", num, block.BlockID, errUnsteady)
	}
	return block, nil
}
