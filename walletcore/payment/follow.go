package payment

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/ledgerview"

	"golang.org/x/sync/errgroup"
)

// pollTime is the interval between checks of open payments when no block is announced.
const pollTime = 5 * time.Second

// Run takes up the payments of earlier runs and looks for open payments in each new block until ctx ends.
func (p *Payments) Run(ctx context.Context) error {
	if err := p.resume(ctx); err != nil {
		return err
	}
	p.tryNoteSigners(ctx)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return p.keeper.run(ctx) })
	f := newFollower(p)
	g.Go(func() error {
		if p.shared() {
			p.foreign.listen(ctx)
		}
		return nil
	})
	g.Go(func() error {
		takeOver(ctx, p, f.takenOver)
		return nil
	})
	g.Go(func() error {
		p.compare.run(ctx, f.takenOver)
		return nil
	})
	g.Go(func() error {
		(&recovery{p: p, follow: f.takenOver}).run(ctx)
		return nil
	})
	g.Go(func() error {
		f.run(ctx)
		f.saveAnchor(context.WithoutCancel(ctx), 1)
		return nil
	})
	err := g.Wait()
	_ = p.keeper.writeAll(ctx)                   // a failure is logged; the next run finds out again
	p.tryNoteSigners(context.WithoutCancel(ctx)) // a program may run for nothing but an import
	return err
}

const (
	takeOverEvery = time.Second     // between checks for servers that are gone
	strayEvery    = 5 * time.Second // between checks whether every open payment that the journal calls this server's is followed
)

// takeOver follows the payments of servers that are gone, until ctx ends. Whatever an attempt returns, the journal says
// which payments are this server's. The follower puts them on its list. It also looks from time to time: one that comes back while
// this server lets it go would be followed by nobody.
func takeOver(ctx context.Context, p *Payments, follow chan<- chan error) {
	if !p.shared() {
		return
	}
	tick := time.NewTicker(takeOverEvery)
	defer tick.Stop()
	locks, stop := p.Events.Subscribe(event.Lock)
	defer stop()
	unsure, looked, daemon := false, time.Now(), &daemonWatch{p: p, able: true, locked: true}
	for {
		daemon.check(ctx) // at once after a start or an unlock: others are told that everybody is locked until then
		select {
		case <-locks:
			continue
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		took, err := p.Journal.TakeOver(ctx)
		if unsure = unsure || took || time.Since(looked) > strayEvery; !unsure || err != nil {
			continue
		}
		done := make(chan error, 1)
		select {
		case follow <- done:
		case <-ctx.Done():
			return
		}
		if err := <-done; err != nil {
			p.Logger.Warn("payments: those of a server that is gone cannot be followed yet", "error", err)
			continue
		}
		unsure, looked = false, time.Now()
	}
}

// withoutDaemon is the time for which a server without a daemon keeps its payments.
const withoutDaemon = 10 * time.Second

// daemonWatch leaves the payments of a server without a daemon to other servers, and tells them whether the wallet is locked.
type daemonWatch struct {
	p      *Payments
	able   bool      // what is recorded of this server
	locked bool      // as well
	lost   time.Time // when the daemon was first missed; zero = it is there
	left   bool      // the log says that they were left to others
}

func (w *daemonWatch) check(ctx context.Context) {
	if _, err := w.p.Daemon.Current(); err == nil {
		w.lost = time.Time{}
	} else if w.lost.IsZero() {
		w.lost = time.Now()
	}
	able := w.lost.IsZero() || time.Since(w.lost) < withoutDaemon
	locked := w.p.Vault.IsLocked()
	if able == w.able && locked == w.locked || w.p.storeUnreachable() != nil {
		return
	}
	if err := w.p.Journal.Report(ctx, able, locked); err != nil {
		return // tried again with the next check
	}
	switch {
	case w.able && !able:
		w.left = true
		w.p.Logger.Warn("payments: there is no daemon, so other servers follow them")
	case able && w.left:
		w.left = false
		w.p.Logger.Warn("payments: there is a daemon again, so this server follows its own")
	}
	w.able, w.locked = able, locked
}

// loadTakenOver puts payments that another server sent on the list. They may be in blocks that this run has read without
// looking for them, so the run is abandoned and the next one starts before the first of them.
func (f *follower) loadTakenOver(ctx context.Context) error {
	count, err := f.p.takeUpOpen(ctx)
	if count > 0 {
		f.first = 0
	}
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
		case done := <-f.takenOver:
			done <- f.loadTakenOver(ctx)
			f.catchUp(ctx)
		case ask := <-f.p.resends:
			ask.answer <- f.resendNow(ctx, ask.payment)
		case <-events:
			drain(events)
			f.catchUp(ctx)
		}
	}
}

// drain drops waiting events: the pass that follows covers all of them.
func drain(events <-chan event.Event) {
	for {
		select {
		case <-events:
		default:
			return
		}
	}
}

// catchUp brings every open payment up to the present head block. A daemon that fails in the middle changes nothing, and
// nothing is sent over a connection whose blocks could not be read; the next block continues from there.
func (f *follower) catchUp(ctx context.Context) {
	if err := f.readBlocks(ctx); err != nil {
		f.p.Logger.Debug("payments: reading blocks", "next", f.next, "error", err)
	} else {
		_ = f.resend(ctx) // what could not be sent is tried again with the next pass
		f.adoptOverdue(ctx)
	}
	f.p.keeper.requestWrite()
	f.p.tryNoteSigners(ctx)
}

// readBlocks reads the blocks up to the present head of the daemon in use, and concludes from them.
func (f *follower) readBlocks(ctx context.Context) error {
	daemon, err := f.p.Daemon.Current()
	if err != nil {
		return err
	}
	defer f.p.View.Chain.MarkSynced() // also if the daemon fails: callers waiting for it get what is known
	open := f.p.list.watchedOn(f.chain())
	changed := !daemon.Same(f.daemon)
	if f.daemon = daemon; changed {
		f.resentAt = 0
		f.markForResend(open)
		f.fetchNames(ctx, open)
	}
	dyn, err := daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return err
	}
	if err := f.ensureAnchor(ctx); err != nil {
		return err
	}
	if err := f.followTo(ctx, &dyn, open, changed); err != nil {
		return f.doubtAfter(ctx, err)
	}
	if f.final > 0 || f.anchor.Block.Num() == 0 { // linked to what is proven
		f.p.View.Chain.SetDoubt(ledgerview.Doubt{})
	}
	f.saveAnchor(ctx, saveEvery)
	return nil
}

// followTo follows the chain to the head of dyn, unless the head alone shows that it is not the ledger.
func (f *follower) followTo(ctx context.Context, dyn *ledger.DynamicGlobalProperties, open []*entry, changed bool) error {
	if err := f.checkHead(dyn); err != nil {
		return err
	}
	if err := f.ensureRun(ctx, dyn, open, changed); err != nil {
		return err
	}
	f.headTime = min(dyn.Time, ledger.TimeOf(f.p.Now()))
	return f.readToHead(ctx, dyn)
}

// fetchNames asks for the names of accounts and assets that open payments mention and the wallet does not know.
func (f *follower) fetchNames(ctx context.Context, open []*entry) {
	if _, err := f.p.View.Namer(ctx, mentioned(open)); err != nil {
		f.p.Logger.Debug("payments: reading names", "error", err)
	}
}

// ensureRun starts a new run if the present one is of no use, because it does not reach back to the open payments. Of one
// that was read over another connection only what is proven is kept.
func (f *follower) ensureRun(ctx context.Context, dyn *ledger.DynamicGlobalProperties, open []*entry, changed bool) error {
	switch first := firstBlock(open); {
	case len(open) == 0:
		return f.keepUp(ctx, dyn)
	case f.first == 0 || first < f.first || f.mustReadAgain(open):
		f.startAt(first)
	case changed:
		f.dropUnproven(first)
	}
	return nil
}

// dropUnproven has the blocks of the run that are not proven read again, over the connection in use, or all from first on, if one of
// them could not be read: another daemon may show it as it is. It need not show the proven ones: what it shows has to link to them.
func (f *follower) dropUnproven(first uint32) {
	if f.final == 0 || f.lastUnreadable >= first || f.tracker.Anchor().Chain != f.chain() || f.tracker.Rewind(f.final+1) != nil {
		f.startAt(first)
		return
	}
	f.next = f.final + 1
	f.dropBlocks(f.next)
}

// mustReadAgain reports once whether a block that was read before a payment was on the list may hold it.
func (f *follower) mustReadAgain(open []*entry) (again bool) {
	f.p.list.eachSlice(open, func(e *entry) { again, e.readAgain = again || e.readAgain, false })
	return again
}

// firstBlock returns the first block that may hold one of the payments; 0 if there are none. A payment added later
// cannot be in a block that was read before, because it is on the list before it is broadcast; unless another wallet made it (entry.readAgain).
func firstBlock(open []*entry) (first uint32) {
	for i, e := range open {
		if at := e.firstBlock(); i == 0 || at < first {
			first = at
		}
	}
	return first
}

// resendNow is catchUp for a caller that waits for one payment to be sent again.
func (f *follower) resendNow(ctx context.Context, e *entry) error {
	f.p.list.update(e, func(e *entry) {
		e.resend = e.resend || e.State == Sent || e.State == Unknown
		e.code, e.daemon = "", nil
	})
	err := f.readBlocks(ctx)
	if err == nil {
		f.resentAt = 0
		err = f.resend(ctx)
	}
	f.p.keeper.requestWrite()
	return err
}
