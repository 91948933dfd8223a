package payment

import (
	"context"

	"billfold/walletcore/fault"
)

// markForResend has everything that is in no block sent again over a new connection: a daemon that accepted a payment
// may have ended before it passed it on.
func (f *follower) markForResend(open []*entry) {
	for _, e := range open {
		f.p.list.update(e, func(e *entry) { e.resend = e.mayResend() })
	}
}

// resend sends bytes again that can still get into a block, over the connection whose blocks were read up to the head
// and do not hold them. That a node refuses duplicates is no safeguard: one that was killed takes the same bytes a
// second time. But it knows what it has applied since it started, and the connection ends with it, so nothing can come
// between. The journal knows first that the bytes may be out, so that no other program sharing it calls the payment
// rejected. A refused payment waits for the next head block; nothing is concluded from the refusal.
func (f *follower) resend(ctx context.Context) error {
	if f.resentAt == f.next || len(f.toResend()) == 0 {
		return nil
	}
	if err := f.readNewest(ctx); err != nil { // reading the earlier ones may have taken long
		return err
	}
	list := f.toResend()
	if f.p.shared() { // no other server calls it rejected: one that takes it over first records that it may be out
		f.p.keeper.requestWrite()
	} else if err := f.p.keeper.writeAll(ctx); err != nil {
		return unreadable("resend", err)
	}
	for _, e := range list {
		err := f.p.sender.broadcast(ctx, f.daemon, e)
		if err == nil {
			f.p.sender.markSent(e)
			continue
		}
		failure := fault.Daemon("resend", err)
		switch failure.Code {
		case fault.DaemonAway, fault.DaemonStale, fault.OutcomeUnknown, fault.Canceled, fault.WrongChain:
			return failure // the next pass sends all of them again
		}
	}
	f.resentAt = f.next
	return nil
}

// readNewest reads the blocks produced since the head was last asked for.
func (f *follower) readNewest(ctx context.Context) error {
	dyn, err := f.daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return err
	}
	return f.readToHead(ctx, &dyn)
}

func (f *follower) toResend() []*entry {
	tip := f.blocks[f.next-1].Timestamp
	return f.p.list.watchedWhere(f.chain(), func(e *entry) bool {
		return e.resend && !e.held && e.mayResend() && tip <= e.Expiration && f.first <= e.firstBlock()
	})
}
