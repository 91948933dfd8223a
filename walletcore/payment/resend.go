package payment

import (
	"context"

	"billfold/walletcore/fault"
)

// sendAgain has everything that is in no block sent again, over a new line: a
// daemon that took a payment may have ended before it passed it on.
func (f *follower) sendAgain(open []*entry) {
	for _, e := range open {
		f.p.list.update(e, func(e *entry) { e.resend = e.waits() })
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
	if f.p.shared() { // nobody else calls it rejected: who takes it over says first that it may be out
		f.p.keeper.note()
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

func (f *follower) toResend() (list []*entry) {
	tip := f.blocks[f.next-1].Timestamp
	for _, e := range f.p.list.onWatch(f.chain()) {
		read := f.p.list.update(e, func(*entry) {})
		if read.resend && !read.held && read.waits() && tip <= read.Expiration && f.first <= e.firstBlock() {
			list = append(list, e)
		}
	}
	return list
}
