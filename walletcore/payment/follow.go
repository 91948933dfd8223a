package payment

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/ledgerview"
)

// pollTime is how often open payments are looked up when no block is announced.
const pollTime = 5 * time.Second

// Run looks for open payments in each new block until ctx ends.
func (p *Payments) Run(ctx context.Context) error {
	if err := p.resume(ctx); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return p.keeper.run(ctx) })
	f := newFollower(p)
	g.Go(func() error {
		if p.shared() {
			p.elsewhere.hear(ctx)
		}
		return nil
	})
	g.Go(func() error {
		takeOver(ctx, p, f.taken)
		return nil
	})
	g.Go(func() error {
		(&recovery{p: p, follow: f.taken}).run(ctx)
		return nil
	})
	g.Go(func() error {
		f.run(ctx)
		f.keepAnchor(context.WithoutCancel(ctx), 1)
		return nil
	})
	err := g.Wait()
	_ = p.keeper.writeAll(ctx) // it is logged; the next run finds out again
	return err
}

// takeOverEvery is the time between looks for servers that are gone.
const takeOverEvery = time.Second

// takeOver follows the payments of servers that are gone, until ctx ends. Whatever becomes of an attempt, the
// journal says which are this server's. It is the follower that puts them on its list.
func takeOver(ctx context.Context, p *Payments, follow chan<- chan error) {
	if !p.shared() {
		return
	}
	tick := time.NewTicker(takeOverEvery)
	defer tick.Stop()
	unsure, daemon := false, &watch{p: p, able: true}
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		daemon.look(ctx)
		took, err := p.Journal.TakeOver(ctx)
		if unsure = unsure || took; !unsure || err != nil {
			continue
		}
		done := make(chan error, 1)
		select {
		case follow <- done:
		case <-ctx.Done():
			return
		}
		if err := <-done; err != nil {
			p.Logger.Warn("payments: those of a server that is gone are not followed yet", "error", err)
			continue
		}
		unsure = false
	}
}

// withoutDaemon is how long a server keeps its payments that has no daemon to ask about them.
const withoutDaemon = 10 * time.Second

// watch leaves the payments of a server without a daemon to the others.
type watch struct {
	p    *Payments
	able bool      // as the others know it
	lost time.Time // when the daemon was missed first; zero = it is there
}

func (w *watch) look(ctx context.Context) {
	if _, err := w.p.Daemon.Current(); err == nil {
		w.lost = time.Time{}
	} else if w.lost.IsZero() {
		w.lost = time.Now()
	}
	able := w.lost.IsZero() || time.Since(w.lost) < withoutDaemon
	if able == w.able || w.p.storeAway() != nil {
		return
	}
	if err := w.p.Journal.Follow(ctx, able); err != nil {
		return // it is tried again
	}
	if w.able = able; !able {
		w.p.Logger.Warn("payments: there is no daemon, and other servers follow them")
	}
}

// join puts payments on the list that another server sent. They may be in blocks that this run has read without looking for
// them, so it is of no use: another one begins before the first of them.
func (f *follower) join(ctx context.Context) error {
	err := f.p.resume(ctx)
	f.first = 0
	return err
}

func (f *follower) run(ctx context.Context) {
	events, stop := f.p.Events.Subscribe(event.Block, event.Daemon)
	defer stop()
	tick := time.NewTicker(pollTime)
	defer tick.Stop()
	for f.catchUp(ctx); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f.catchUp(ctx)
		case done := <-f.taken:
			done <- f.join(ctx)
			f.catchUp(ctx)
		case ask := <-f.p.resends:
			ask.answer <- f.sendNow(ctx, ask.payment)
		case <-events:
			drain(events)
			f.catchUp(ctx)
		}
	}
}

// drain drops events that wait: the step that comes next sees everything that they stand for.
func drain(events <-chan event.Event) {
	for {
		select {
		case <-events:
		default:
			return
		}
	}
}

// catchUp brings every open payment up to the present head block. A daemon that
// fails in the middle changes nothing, and nothing is sent over a connection whose
// blocks could not be read: the next block continues from there.
func (f *follower) catchUp(ctx context.Context) {
	if err := f.readBlocks(ctx); err != nil {
		f.p.Logger.Debug("payments: reading blocks", "next", f.next, "error", err)
	} else {
		_ = f.resend(ctx) // what could not be sent is tried again with the next step
	}
	f.p.keeper.note()
}

// readBlocks reads the blocks up to the present head of the daemon in use, and settles
// what they settle.
func (f *follower) readBlocks(ctx context.Context) error {
	daemon, err := f.p.Daemon.Current()
	if err != nil {
		return err
	}
	defer f.p.View.Chain.Followed() // also where the daemon fails: who waits for it is told what is known
	open := f.p.list.onWatch(f.chain())
	changed := !daemon.Same(f.daemon)
	if f.daemon = daemon; changed {
		f.tried = 0
		f.sendAgain(open)
		f.name(ctx, open)
	}
	dyn, err := daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return err
	}
	if err := f.place(ctx, &dyn, open, changed); err != nil {
		return err
	}
	if err := f.read(ctx, &dyn); err != nil {
		return f.contradicted(ctx, err)
	}
	if f.final > 0 || f.anchor.Block.Num() == 0 { // linked to what is proven
		f.p.View.Chain.Lack(ledgerview.LackedBlock{})
	}
	f.keepAnchor(ctx, saveEvery)
	return nil
}

// name asks for the names that open payments speak of and nothing here knows.
func (f *follower) name(ctx context.Context, open []*entry) {
	if _, err := f.p.View.Namer(ctx, mentioned(open)); err != nil {
		f.p.Logger.Debug("payments: reading names", "error", err)
	}
}

// place begins a run where the present one is of no use: one that does not reach back to the
// open payments, or that was read over another connection while there are any.
func (f *follower) place(ctx context.Context, dyn *ledger.DynamicGlobalProperties, open []*entry, changed bool) error {
	if err := f.trust(ctx); err != nil {
		return err
	}
	switch first := firstBlock(open); {
	case len(open) == 0:
		return f.keepUp(ctx, dyn)
	case f.first == 0 || changed || first < f.first:
		f.startAt(first)
	}
	return nil
}

// firstBlock is the first that may hold one of the payments; 0 without any. A payment that is
// added later cannot be in a block that was read before: it is on the list
// before it is broadcast.
func firstBlock(open []*entry) (first uint32) {
	for i, e := range open {
		if at := e.firstBlock(); i == 0 || at < first {
			first = at
		}
	}
	return first
}

// sendNow is step for somebody who waits for one payment to be sent again.
func (f *follower) sendNow(ctx context.Context, e *entry) error {
	f.p.list.update(e, func(e *entry) {
		e.resend = e.resend || e.State == Sent || e.State == Unknown
		e.code = ""
	})
	err := f.readBlocks(ctx)
	if err == nil {
		f.tried = 0
		err = f.resend(ctx)
	}
	f.p.keeper.note()
	return err
}
