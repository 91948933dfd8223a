package walletcore

import (
	"context"
	"time"

	"billfold/ledger"
)

// pollTime is how often open payments are looked up when no block is announced.
const pollTime = 5 * time.Second

// follower reads the chain block by block, once for all payments, and takes
// back what a fork takes back. Only its own goroutine uses it.
type follower struct {
	w      *Wallet
	next   uint32                   // the block to read next; 0 = nothing was read yet
	blocks map[uint32]followedBlock // those read that are not irreversible yet, without their transactions
	passed ledger.Time              // time of the latest irreversible block that was read
}

// followedBlock is what the follower needs of a block.
type followedBlock struct {
	Previous       ledger.BlockID         `json:"previous"`
	Timestamp      ledger.Time            `json:"timestamp"`
	BlockID        ledger.BlockID         `json:"block_id"`
	TransactionIDs []ledger.TransactionID `json:"transaction_ids"`
}

// followPayments looks for open payments in each new block until ctx ends.
func (w *Wallet) followPayments(ctx context.Context) error {
	if err := w.resume(ctx); err != nil {
		return err
	}
	f := &follower{w: w, blocks: map[uint32]followedBlock{}}
	events, stop := w.Subscribe()
	defer stop()
	tick := time.NewTicker(pollTime)
	defer tick.Stop()
	for {
		f.step(ctx)
		select {
		case <-ctx.Done():
			w.journalChanges(ctx)
			return nil
		case <-tick.C:
		case _, open := <-events:
			if !open {
				return nil
			}
			drain(events)
		}
	}
}

// drain drops events that wait: one step sees everything they tell of.
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
	open := f.w.payments.unsettled()
	if len(open) == 0 {
		f.forget()
		return
	}
	dyn, err := f.w.dynamicProperties(ctx)
	if err != nil {
		return
	}
	if f.next == 0 {
		f.next = firstBlock(open)
	}
	f.resend(ctx, open, dyn.Time)
	if err := f.read(ctx, dyn); err != nil {
		f.w.log.Debug("payments: reading blocks", "next", f.next, "error", err)
	} else {
		f.conclude(dyn)
	}
	f.w.journalChanges(ctx)
}

// forget starts anew with the next payment.
func (f *follower) forget() {
	f.next, f.passed = 0, 0
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

// resend sends the bytes of resumed payments again while they can still get
// into a block: the ledger takes one id once.
func (f *follower) resend(ctx context.Context, open []*payment, now ledger.Time) {
	for _, p := range open {
		if !p.resend || now > p.Expiration {
			continue
		}
		if err := f.w.resendBytes(ctx, p); CodeOf(err) == CodeDaemonAway {
			return // asked again with the next step
		}
		p.resend = false
	}
}

// concludeEvery is how many blocks are read at most before what they settle is
// settled: payments of long ago need not be looked for up to the head.
const concludeEvery = 100

// read reads the blocks up to the head, going back first where a fork changed
// them.
func (f *follower) read(ctx context.Context, dyn *ledger.DynamicGlobalProperties) error {
	for f.next <= dyn.HeadBlockNumber {
		block, err := f.block(ctx, f.next)
		if err != nil || block == nil {
			return err
		}
		if before, known := f.blocks[f.next-1]; known && before.BlockID != block.Previous {
			f.takeBack(f.next - 1)
			continue
		}
		f.note(f.next, block)
		f.next++
		if f.next%concludeEvery == 0 {
			if f.conclude(dyn); len(f.w.payments.unsettled()) == 0 {
				return nil
			}
		}
	}
	return f.verify(ctx, dyn)
}

// verify compares the last block read with the chain's: a fork of the same
// length shows only there.
func (f *follower) verify(ctx context.Context, dyn *ledger.DynamicGlobalProperties) error {
	last := f.next - 1
	known, read := f.blocks[last]
	if !read || last > dyn.HeadBlockNumber || known.BlockID == dyn.HeadBlockID {
		return nil
	}
	block, err := f.block(ctx, last)
	if err != nil || block == nil || block.BlockID == known.BlockID {
		return err
	}
	f.takeBack(last)
	return f.read(ctx, dyn)
}

func (f *follower) block(ctx context.Context, num uint32) (*followedBlock, error) {
	raw, err := f.w.daemon.GetBlock(ctx, num)
	if err != nil || isNull(raw) {
		return nil, err
	}
	block := new(followedBlock)
	return block, ledger.Unmarshal(raw, block)
}

// takeBack forgets a block that left the chain; what was in it waits again.
func (f *follower) takeBack(num uint32) {
	delete(f.blocks, num)
	f.next = num
	for _, p := range f.w.payments.unsettled() {
		left := false
		f.w.payments.update(p, func(p *payment) {
			if left = p.State == PaymentInBlock && p.Block == num; left {
				p.State, p.Block, p.TrxInBlock, p.InBlock, p.changed = PaymentSent, 0, 0, time.Time{}, true
				p.Reason = "its block left the chain in a fork; it waits for another"
			}
		})
		if left {
			p.resend = true
			f.w.events.send(Event{Kind: EventPayment, Payment: p.ID})
		}
	}
}

// note keeps a block and marks the payments that it holds.
func (f *follower) note(num uint32, block *followedBlock) {
	for i, id := range block.TransactionIDs {
		p := f.w.payments.find(id)
		if p == nil {
			continue
		}
		f.w.payments.update(p, func(p *payment) {
			if !p.open() || p.State == PaymentInBlock {
				return
			}
			p.State, p.Block, p.TrxInBlock, p.InBlock, p.Reason, p.changed = PaymentInBlock, num, uint32(i), f.w.now(), "", true
			if p.Sent.IsZero() {
				p.Sent = p.InBlock
			}
		})
		f.w.events.send(Event{Kind: EventPayment, Payment: id})
	}
	block.TransactionIDs = nil
	f.blocks[num] = *block
}

// conclude settles what the last irreversible block settles: payments in it or
// before it happened for good; those that expired before it, and are in no block
// up to it, never will.
func (f *follower) conclude(dyn *ledger.DynamicGlobalProperties) {
	last := dyn.LastIrreversibleBlockNum
	for num, block := range f.blocks {
		if num > last {
			continue
		}
		f.passed = max(f.passed, block.Timestamp)
		if num+1 < f.next {
			delete(f.blocks, num)
		}
	}
	for _, p := range f.w.payments.unsettled() {
		f.w.payments.update(p, func(p *payment) {
			p.Head, p.Last = dyn.HeadBlockNumber, last
			switch {
			case p.State == PaymentInBlock && p.Block <= last:
				p.State, p.changed = PaymentIrreversible, true
			case p.State != PaymentInBlock && f.passed > p.Expiration:
				p.State, p.changed = PaymentExpired, true
				p.Reason = "it expired at " + p.Expiration.String() + " without getting into a block; nothing was spent"
			}
		})
		f.w.events.send(Event{Kind: EventPayment, Payment: p.ID})
	}
}
