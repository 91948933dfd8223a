package walletcore

import (
	"context"
	"time"

	"billfold/ledger"
)

// note keeps a block and marks the payments that it holds.
func (f *follower) note(num uint32, block *followedBlock) {
	for i, id := range block.TransactionIDs {
		p := f.w.payments.find(id)
		if p == nil {
			continue
		}
		f.w.payments.update(p, func(p *payment) { p.seen(num, uint32(i), f.w.now()) })
		f.w.events.send(Event{Kind: EventPayment, Payment: id})
	}
	block.TransactionIDs = nil
	f.blocks[num] = *block
}

// seen notes that a block holds the payment. That is the truth also about one
// that a daemon refused and passed on all the same.
func (p *payment) seen(num, index uint32, now time.Time) {
	if !p.open() && p.State != PaymentRejected || p.State == PaymentInBlock {
		return
	}
	p.State, p.Block, p.TrxInBlock, p.InBlock, p.Reason, p.code = PaymentInBlock, num, index, now, "", ""
	p.resend, p.changed = false, true
	if p.Sent.IsZero() {
		p.Sent = now
	}
}

// putBack makes it a payment that waits for a block.
func (p *payment) putBack(reason string) {
	p.State, p.Reason, p.Block, p.TrxInBlock, p.InBlock = PaymentSent, reason, 0, 0, time.Time{}
	p.resend = true
}

// takeBack forgets block num, which left the chain, and all after it; what was
// in them waits again. A chain without a block that was irreversible is none to
// go on from: everything open is looked for anew.
func (f *follower) takeBack(num uint32) {
	if num <= f.final {
		f.w.log.Error("payments: the daemon's chain lacks a block that was irreversible", "block", num)
		num = 0
	}
	for known := range f.blocks {
		if known >= num {
			delete(f.blocks, known)
		}
	}
	open := f.w.payments.onWatch(f.w.daemon.Status().ChainID)
	for _, p := range open {
		left := false
		f.w.payments.update(p, func(p *payment) {
			if left = p.State == PaymentInBlock && p.Block >= num; left {
				p.putBack("its block left the chain in a fork; it waits for another")
				p.changed = true
			}
		})
		if left {
			f.w.events.send(Event{Kind: EventPayment, Payment: p.ID})
		}
	}
	if f.next = num; num == 0 && len(open) > 0 {
		f.passed, f.final, f.next = 0, 0, firstBlock(open)
	}
}

// conclude settles what the last irreversible block settles.
func (f *follower) conclude(dyn *ledger.DynamicGlobalProperties) {
	last := dyn.LastIrreversibleBlockNum
	f.final = max(f.final, min(last, f.next-1))
	for num, block := range f.blocks {
		if num > last {
			continue
		}
		f.passed = max(f.passed, block.Timestamp)
		if num < f.final { // that one stays: what comes must be linked to it
			delete(f.blocks, num)
		}
	}
	for _, p := range f.w.payments.onWatch(f.w.daemon.Status().ChainID) {
		f.concludeOne(p, dyn)
	}
	if f.told != dyn.HeadBlockNumber { // once per block, not once per payment
		f.told = dyn.HeadBlockNumber
		f.w.events.send(Event{Kind: EventPayment})
	}
}

// concludeOne settles one payment: in the last irreversible block or before, it
// happened for good; one that is in no block up to an irreversible one that is
// later than its expiration never will. No clock but the chain's has a say.
func (f *follower) concludeOne(p *payment, dyn *ledger.DynamicGlobalProperties) {
	if f.w.payments.conclude(p, func(p *payment) (over bool) {
		p.Head, p.Last = dyn.HeadBlockNumber, dyn.LastIrreversibleBlockNum
		late := f.passed > p.Expiration && p.refBlock+1 < f.next
		switch {
		case p.State == PaymentInBlock && p.Block <= f.final:
			p.State, p.changed = PaymentIrreversible, true
			return true
		case p.State != PaymentInBlock && late && p.open():
			p.State, p.changed = PaymentExpired, true
			p.Reason = "it expired at " + p.Expiration.String() + " without getting into a block; nothing was spent"
			return true
		}
		if late && !p.open() { // refused, and in none of the blocks
			p.proven, p.changed = true, true
			return true
		}
		return false
	}) {
		f.w.events.send(Event{Kind: EventPayment, Payment: p.ID})
	}
}

// sendAgain has everything that is in no block sent again, over a new line: a
// daemon that took a payment may have ended before it passed it on.
func (f *follower) sendAgain(open []*payment) {
	for _, p := range open {
		f.w.payments.update(p, func(p *payment) { p.resend = p.State == PaymentSent || p.State == PaymentUnknown })
	}
}

// resend sends bytes again that can still get into a block: the ledger takes
// one id once. The journal knows first that they may be out, so that nobody who
// shares it calls the payment rejected. What is refused waits for the next head
// block; nothing follows from the refusal.
func (f *follower) resend(ctx context.Context, dyn *ledger.DynamicGlobalProperties) {
	if f.tried == dyn.HeadBlockNumber {
		return
	}
	list := f.toResend(dyn.Time)
	if len(list) == 0 || f.w.writeChanges(ctx) != nil {
		return
	}
	for _, p := range list {
		err := f.w.broadcast(ctx, p)
		if err == nil {
			f.w.taken(p)
			continue
		}
		switch daemonFault("resend", err).Code {
		case CodeDaemonAway, CodeDaemonStale, CodeDaemonsDisagree, CodeOutcomeUnknown, CodeCanceled, CodeWrongChain:
			return // all of them again with the next step
		}
	}
	f.tried = dyn.HeadBlockNumber
}

func (f *follower) toResend(now ledger.Time) (list []*payment) {
	for _, p := range f.w.payments.onWatch(f.w.daemon.Status().ChainID) {
		read := f.w.payments.update(p, func(*payment) {})
		if read.resend && !read.held && now <= read.Expiration && (read.State == PaymentSent || read.State == PaymentUnknown) {
			list = append(list, p)
		}
	}
	return list
}
