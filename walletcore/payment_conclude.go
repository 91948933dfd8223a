package walletcore

import (
	"context"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

// note keeps a block and marks the payments that it holds.
func (f *follower) note(num uint32, block *followedBlock) {
	for i, id := range block.ids {
		p := f.w.payments.find(id)
		if p == nil {
			continue
		}
		f.within[id] = block.id
		f.w.payments.update(p, func(p *payment) { p.seen(num, uint32(i), f.w.now()) })
		f.w.events.Publish(event.Event{Kind: event.Payment, Payment: id})
	}
	for _, p := range f.w.payments.onWatch(f.chain()) {
		f.compare(p, num, block)
	}
	block.ids = nil
	f.blocks[num] = *block
}

// compare holds a payment against a block that was read: whether it refers to it, and
// whether it is in it still. Another run may have seen it there on another fork.
func (f *follower) compare(p *payment, num uint32, block *followedBlock) {
	if at, prefix := ledger.BlockRef(block.id); p.refBlock == num && p.tx.RefBlockNum == at && p.tx.RefBlockPrefix == prefix {
		f.rooted[p.ID] = true
	}
	left := false
	f.w.payments.update(p, func(p *payment) {
		if left = p.State == PaymentInBlock && p.Block == num && !slices.Contains(block.ids, p.ID); left {
			p.leave()
		}
	})
	if left {
		f.w.events.Publish(event.Event{Kind: event.Payment, Payment: p.ID})
	}
}

// seen notes that a block holds the payment. That is the truth also about one
// that a daemon refused and passed on all the same.
func (p *payment) seen(num, index uint32, now time.Time) {
	if !p.open() && p.State != PaymentRejected || p.State == PaymentInBlock && p.Block == num {
		return
	}
	p.State, p.Block, p.TrxInBlock, p.InBlock, p.Reason, p.code = PaymentInBlock, num, index, now, "", ""
	p.resend, p.changed = false, true
	if p.Sent.IsZero() {
		p.Sent = now
	}
}

// leave makes it wait again after its block left the chain.
func (p *payment) leave() {
	p.putBack("its block left the chain in a fork; it waits for another")
	p.changed = true
}

// putBack makes it a payment that waits for a block.
func (p *payment) putBack(reason string) {
	p.State, p.Reason, p.Block, p.TrxInBlock, p.InBlock = PaymentSent, reason, 0, 0, time.Time{}
	p.resend = true
}

// conclude settles what the irreversible blocks of the run settle.
func (f *follower) conclude(ctx context.Context, dyn *ledger.DynamicGlobalProperties) {
	f.settleBlocks()
	for num := range f.blocks {
		if num < f.final { // that one stays: what comes must be linked to it
			delete(f.blocks, num)
		}
	}
	for _, p := range f.w.payments.onWatch(f.chain()) {
		if f.agreed(ctx, p) {
			f.concludeOne(p, dyn)
		}
	}
	if f.told != dyn.HeadBlockNumber { // once per block, not once per payment
		f.told = dyn.HeadBlockNumber
		f.w.events.Publish(event.Event{Kind: event.Payment})
	}
}

// agreed reports whether a payment may be called irreversible as far as the quorum
// goes: of a large one in a proven block, several daemons have to agree on that
// block. Until they do it stays in its block, and says why.
func (f *follower) agreed(ctx context.Context, p *payment) bool {
	now := f.w.payments.update(p, func(*payment) {})
	if f.w.daemon.Quorum() <= 1 || now.State != PaymentInBlock || now.Block > f.final || !now.isLarge() {
		return true
	}
	id, known := f.within[now.ID]
	if !known {
		return false
	}
	err := f.w.View.Quorum.Block(ctx, now.Block, id)
	if err == nil {
		return true
	}
	f.w.payments.update(p, func(p *payment) {
		if p.State == PaymentInBlock && p.Reason != err.Error() {
			p.Reason, p.changed = err.Error(), true
		}
	})
	return false
}

// settleBlocks finds the last irreversible block of the run: the one that the miners'
// signatures prove.
func (f *follower) settleBlocks() {
	at := f.tracker.Irreversible()
	if at.ID != f.anchor.Block.ID {
		f.anchor = f.tracker.Anchor()
		f.publish()
	}
	if f.tracker.Proven(at.Num()) {
		f.final, f.passed = at.Num(), at.Time
	}
}

// concludeOne settles one payment: in an irreversible block it happened for good;
// one that is in no block from where it could be up to an irreversible one that is
// later than its expiration never will.
func (f *follower) concludeOne(p *payment, dyn *ledger.DynamicGlobalProperties) {
	if f.w.payments.conclude(p, func(p *payment) (over bool) {
		p.Head, p.Last = dyn.HeadBlockNumber, max(f.final, f.anchor.Block.Num())
		late := f.final > 0 && f.passed > p.Expiration && f.covers(p)
		p.ByNodesWord = p.State == PaymentInBlock && p.Block > f.final && p.Block <= dyn.LastIrreversibleBlockNum
		switch {
		case p.State == PaymentInBlock:
			if p.Block <= f.final {
				p.State, p.changed = PaymentIrreversible, true
				return true
			}
		case late && p.refused():
			p.State, p.proven, p.changed = PaymentRejected, true, true
			return true
		case late && p.open():
			p.State, p.changed = PaymentExpired, true
			p.Reason = "it expired at " + p.Expiration.String() + " without getting into a block; nothing was spent"
			return true
		case late: // never sent, as far as this program knows, and in none of the blocks
			p.proven, p.changed = true, true
			return true
		case p.State == PaymentUnknown && dyn.Time > p.Expiration && !p.refused():
			p.Reason = "by the node's word it expired at " + p.Expiration.String() + "; the miners' signatures do not prove that yet, so it may still have happened"
		}
		return false
	}) {
		f.w.events.Publish(event.Event{Kind: event.Payment, Payment: p.ID})
	}
}

// covers reports whether the run has every block that could hold the payment.
func (f *follower) covers(p *payment) bool {
	first := p.firstBlock()
	return f.first <= first && f.unclear < first && (f.first == 1 || p.sure > 0 || f.rooted[p.ID])
}

// sendAgain has everything that is in no block sent again, over a new line: a
// daemon that took a payment may have ended before it passed it on.
func (f *follower) sendAgain(open []*payment) {
	for _, p := range open {
		f.w.payments.update(p, func(p *payment) { p.resend = p.waits() })
	}
}

// resend sends bytes again that can still get into a block, over the connection whose blocks
// were read up to the head and do not hold them. A node that was killed takes the same bytes a
// second time, so that it refuses duplicates is no safeguard; but what it has applied
// since it started it knows, and the connection ends with it, so nothing can come
// between. The journal knows first that they may be out, so that nobody who
// shares it calls the payment rejected. What is refused waits for the next head
// block; nothing follows from the refusal.
func (f *follower) resend(ctx context.Context) error {
	if f.tried == f.next || len(f.toResend()) == 0 {
		return nil
	}
	if err := f.readNewest(ctx); err != nil { // reading the others may have taken long
		return err
	}
	list := f.toResend()
	if err := f.w.writeChanges(ctx); err != nil {
		return unreadable("resend", err)
	}
	for _, p := range list {
		err := f.w.broadcast(ctx, f.daemon, p)
		if err == nil {
			f.w.taken(p)
			continue
		}
		failure := fault.Daemon("resend", err)
		switch failure.Code {
		case fault.DaemonAway, fault.DaemonStale, fault.OutcomeUnknown, fault.Canceled, fault.WrongChain:
			return failure // all of them again with the next step
		}
	}
	f.tried = f.next
	return nil
}

// readNewest reads what came since the head was asked for.
func (f *follower) readNewest(ctx context.Context) error {
	dyn, err := f.daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return err
	}
	return f.read(ctx, &dyn)
}

func (f *follower) toResend() (list []*payment) {
	tip := f.blocks[f.next-1].Timestamp
	for _, p := range f.w.payments.onWatch(f.chain()) {
		read := f.w.payments.update(p, func(*payment) {})
		if read.resend && !read.held && read.waits() && tip <= read.Expiration && f.first <= p.firstBlock() {
			list = append(list, p)
		}
	}
	return list
}

// largePayment is what is called large, in smallest units of DCT: 1,000 DCT.
// Payments in other assets, whose worth is nobody's word, all are.
const largePayment = 1000 * 1_0000_0000

// isLarge reports whether a quorum has to agree on the block of a payment before it is
// called irreversible.
func (p *payment) isLarge() bool {
	r := &p.Review
	return r.Amount > 0 && (r.Asset.ID != ledger.CoreAsset || r.Amount >= largePayment)
}
