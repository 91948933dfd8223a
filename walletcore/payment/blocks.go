package payment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/finality"
	"billfold/walletcore/ledgerview"

	"golang.org/x/sync/errgroup"
)

// readToHead reads the blocks up to the head, first rewinding where a fork changed them, and concludes from them. An
// error leaves payments as they are.
func (f *follower) readToHead(ctx context.Context, dyn *ledger.DynamicGlobalProperties) error {
	if dyn.LastIrreversibleBlockNum > dyn.HeadBlockNumber || dyn.HeadBlockID.Num() != dyn.HeadBlockNumber {
		return errUnsteady
	}
	for turns := len(f.blocks) + 2; turns > 0; turns-- { // each fork rewinds at most once over the known blocks
		back, err := f.extendRun(ctx, dyn)
		if err != nil {
			return err
		}
		if back == 0 {
			f.unconfirmFrom(dyn.HeadBlockNumber+1, beyondReason) // seen over another connection; a killed node loses its newest blocks
			f.conclude(ctx, dyn)
			return nil
		}
		if err := f.rewind(back); err != nil {
			return err
		}
	}
	return errUnsteady
}

// extendRun reads blocks until the head of dyn is linked to them. It returns the number of a
// block that left the chain if it meets one.
func (f *follower) extendRun(ctx context.Context, dyn *ledger.DynamicGlobalProperties) (back uint32, err error) {
	head := dyn.HeadBlockNumber
	if f.next > head+1 { // the chain is shorter than before
		return head + 1, nil
	}
	for f.next <= head {
		back, err = f.readBatch(ctx, head)
		if back == 0 { // also after an error: a block from the future must not hold up the proof of the past
			f.conclude(ctx, dyn)
			f.keepProgress(ctx)
		}
		if back > 0 || err != nil {
			return back, err
		}
	}
	return f.verify(ctx, dyn)
}

// keepProgress keeps what was concluded on a long way to the head: a line that breaks, or a program that ends, must not have
// all of it read again.
func (f *follower) keepProgress(ctx context.Context) {
	f.p.keeper.requestWrite()
	f.saveAnchor(ctx, saveEvery)
}

// readBatch adds the next blocks up to head to the run. It returns the number of a block that left the chain if it meets
// one. What was added before an error stays.
func (f *follower) readBatch(ctx context.Context, head uint32) (back uint32, err error) {
	blocks, err := f.fetchBlocks(ctx, head)
	for _, block := range blocks {
		if block == nil {
			return 0, err
		}
		if before, known := f.blocks[f.next-1]; known && before.id != block.Previous {
			return f.next - 1, nil
		}
		if err := f.addBlock(block); err != nil {
			return 0, err
		}
	}
	return 0, err
}

// addBlock adds a block to the run and marks the payments that it holds.
func (f *follower) addBlock(block *followedBlock) error {
	if err := f.tracker.Add(&block.SignedBlockHeader, f.p.LatestBlock()); err != nil {
		return err
	}
	if block.unreadable {
		f.lastUnreadable = f.next
	}
	f.recordBlock(f.next, block)
	f.next++
	return nil
}

// fetchBlocks asks for the next blocks, several at once, because one after another each would cost a round trip. Blocks
// that did not arrive are nil, and err says why.
func (f *follower) fetchBlocks(ctx context.Context, head uint32) (blocks []*followedBlock, err error) {
	blocks = make([]*followedBlock, min(head-f.next+1, readAtOnce))
	var g errgroup.Group
	for i := range blocks {
		g.Go(func() (err error) {
			blocks[i], err = f.block(ctx, f.next+uint32(i))
			return err
		})
	}
	return blocks, g.Wait()
}

// verify compares the run with the head block: a fork of the same length shows only there.
func (f *follower) verify(ctx context.Context, dyn *ledger.DynamicGlobalProperties) (back uint32, err error) {
	head := dyn.HeadBlockNumber
	known, read := f.blocks[head]
	if !read || known.id == dyn.HeadBlockID {
		return 0, nil
	}
	block, err := f.block(ctx, head)
	if err != nil {
		return 0, err
	}
	if block.id == known.id { // the head has moved since dyn was read
		return 0, errUnsteady
	}
	return head, nil
}

// rewind drops block num, which left the chain, and all after it; the payments in them wait again. A chain that lacks a
// block proven irreversible is not the ledger, and nothing it says counts.
func (f *follower) rewind(num uint32) error {
	if err := f.tracker.Rewind(num); err != nil {
		return err
	}
	f.dropBlocks(num)
	f.unconfirmFrom(num, leftReason)
	if f.next = num; num <= f.first {
		f.startAt(max(1, min(num, f.first)))
	}
	return nil
}

// dropBlocks forgets block num of the run and later ones, and what they showed.
func (f *follower) dropBlocks(num uint32) {
	maps.DeleteFunc(f.blocks, func(known uint32, _ followedBlock) bool { return known >= num })
	maps.DeleteFunc(f.refBlockSeen, func(_ ledger.TransactionID, seen uint32) bool { return seen >= num })
	maps.DeleteFunc(f.blockOf, func(_ ledger.TransactionID, in ledger.BlockID) bool { return in.Num() >= num })
}

// unconfirmFrom returns the payments of block num and later ones to waiting, and has them sent again.
func (f *follower) unconfirmFrom(num uint32, reason string) {
	in := func(e *entry) bool {
		return e.State == InBlock && e.Block >= num || e.elsewhere >= num && e.elsewhere > 0
	}
	for _, e := range f.p.list.watchedWhere(f.chain(), in) {
		left := false
		f.p.list.update(e, func(e *entry) {
			if left = in(e); left {
				e.leaveBlock(reason)
			}
		})
		if left {
			f.p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
		}
	}
}

// belowError means that the daemon has fewer blocks than are proven irreversible.
type belowError struct{ head, proven uint32 }

func (e belowError) Error() string {
	return fmt.Sprintf("the daemon's newest block is #%d, and block %d is proven irreversible", e.head, e.proven)
}

// checkHead compares the head with the proven block, before any block is read: a chain that ends before that block, or with
// another in its place, links to everything that is read of it.
func (f *follower) checkHead(dyn *ledger.DynamicGlobalProperties) error {
	switch proven := f.anchor.Block; {
	case f.p.followsAnyChain(f.anchor): // the blocks that are read show it
	case dyn.HeadBlockNumber < proven.Num():
		return belowError{dyn.HeadBlockNumber, proven.Num()}
	case dyn.HeadBlockNumber == proven.Num() && proven.Num() > 0 && dyn.HeadBlockID != proven.ID:
		return fmt.Errorf("block %d: %w", proven.Num(), finality.ErrContradiction)
	}
	return nil
}

// doubtAfter records what an error of a pass says about the daemon's chain, and returns the error. How each doubt ends:
//
//   - a chain that lacks a proven block (handleContradiction): with a pass that links to that block
//   - one that ends before it: with the first head that does not; what it has is compared then
//   - one that the trusted miners do not sign: with a pass that proves a block
//   - each of them: once a person has said that the miners are to be forgotten (forgotten), or with another daemon
func (f *follower) doubtAfter(ctx context.Context, err error) error {
	d := ledgerview.Doubt{Daemon: f.daemon.URL, Block: f.anchor.Block.Num()}
	below, is := errors.AsType[belowError](err)
	switch {
	case is:
		d.Kind, d.Head = ledgerview.BelowProven, below.head
		f.first = 0 // whatever was read came from a longer chain
	case f.isContradiction(err):
		d.Kind = ledgerview.LacksBlock
	case errors.Is(err, finality.ErrTooFar) || errors.Is(err, finality.ErrUnproven):
		d.Kind = ledgerview.Unproven
	default:
		return err
	}
	if f.forgotten(ctx) {
		f.p.Logger.Warn("payments: the miners were forgotten; those that the daemon names are trusted from now on")
		f.unconfirmFrom(0, leftReason)
		f.first = 0
		f.setAnchor(finality.Anchor{})
		f.p.View.Chain.SetDoubt(ledgerview.Doubt{})
		return err
	}
	f.saveAnchor(ctx, 1) // before anybody hears of it, so that the next run knows as much, and it shows when somebody forgets it
	f.p.View.Chain.SetDoubt(d)
	if d.Kind == ledgerview.LacksBlock {
		f.handleContradiction(ctx)
	}
	return err
}

// forgotten reports whether a person has removed the anchor from the store since it was saved, with billfold pins forget miners.
func (f *follower) forgotten(ctx context.Context) bool {
	if f.p.Anchors == nil || f.savedBlock == 0 {
		return false
	}
	kept, err := f.p.Anchors.Anchor(ctx, f.chain())
	return err == nil && kept == nil
}

// isContradiction reports whether an error means that the chain lacks a block which the miners' signatures have proven irreversible.
func (f *follower) isContradiction(err error) bool {
	return errors.Is(err, finality.ErrContradiction) ||
		errors.Is(err, finality.ErrUnlinked) && f.next == f.first && f.first == f.anchor.Block.Num()+1
}

// handleContradiction acts on a chain that lacks a block which the miners' signatures have proven irreversible: it is not the
// ledger, and nothing it says counts. The payments whose blocks it lacks say so. Where a single miner produces the blocks, it
// can lose the last ones with its disk, and a sandbox rewinds when told to: there the chain is followed from now on.
func (f *follower) handleContradiction(ctx context.Context) {
	f.first = 0
	f.flagMissing(ctx)
	if !f.p.followsAnyChain(f.anchor) {
		return
	}
	if f.p.Anchors != nil {
		_, _ = f.p.Anchors.ForgetAnchor(ctx, f.chain()) // else the next run finds the same contradiction
	}
	f.anchor.Block = finality.Point{}
	f.savedBlock = 0
	f.publishProven()
	f.unconfirmFrom(0, leftReason)
	f.p.View.Chain.SetDoubt(ledgerview.Doubt{})
}

// maxMissing is the number of latest irreversible payments that are looked for on a chain that lacks a proven block.
const maxMissing = 50

// flagMissing adds a warning to the latest irreversible payments that the daemon's chain lacks.
func (f *follower) flagMissing(ctx context.Context) {
	left := maxMissing
	for _, e := range f.p.Recent() {
		if e.State != Irreversible || left == 0 {
			continue
		}
		left--
		if !f.lacks(ctx, e) {
			continue
		}
		if found := f.p.list.find(e.ID); found != nil {
			f.p.list.update(found, func(e *entry) {
				e.Reason = fmt.Sprintf(
					"its block %d was proven irreversible, and the chain of the daemon at %s lacks it: "+
						"do not trust that daemon, unless the ledger was reset",
					e.Block,
					f.daemon.URL,
				)
				e.changed = true
			})
			f.p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
		}
	}
}

// lacks reports whether the daemon answers that the block of an irreversible payment does not hold it. Neither a connection that fails nor
// a journal that does shows that.
func (f *follower) lacks(ctx context.Context, p Payment) bool {
	block, err := readBlock(ctx, f.daemon, p.Block)
	if err != nil {
		return !isConnectionError(err)
	}
	ids, err := finality.Transactions(&block.SignedBlock)
	return errors.Is(err, finality.ErrTransactions) || !slices.Contains(ids, p.ID)
}

// isConnectionError reports whether err comes from the connection and not from the daemon's answer.
func isConnectionError(err error) bool {
	return errors.Is(err, daemonclient.ErrUnavailable) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
