package postgres

import (
	"context"
	"errors"
	"time"

	"billfold/walletcore/store"
)

// Write makes changes in one commit, all or none, and waits for the database.
func (f *file) Write(ctx context.Context, changes ...store.Change) error {
	c := newChange(changes)
	c.hurry = true
	return f.wait(ctx, c)
}

// WriteSoon is Write that waits a moment for another commit to go along with.
func (f *file) WriteSoon(ctx context.Context, changes ...store.Change) error {
	return f.wait(ctx, newChange(changes))
}

// Note writes a change soon and does not wait, unless the latest commit failed or too much waits.
func (f *file) Note(one store.Change) error {
	if f.Fault() == nil {
		c := newChange([]store.Change{one})
		if c.noted, c.late = true, one.Late; f.queue.put(c) {
			return nil
		}
	}
	return f.Write(context.Background(), one)
}

// wait passes a change to the writer and waits for the commit. A caller that leaves early does not take its change back: it
// gets a *store.PendingError.
func (f *file) wait(ctx context.Context, c *change) error {
	select {
	case <-f.quit:
		return store.ErrClosed
	default:
	}
	f.queue.put(c)
	select {
	case err := <-c.done:
		return err
	case <-f.done:
		return f.afterClose(c)
	case <-ctx.Done():
		return &store.PendingError{Err: ctx.Err(), Wait: func() error { return f.outcome(c) }}
	}
}

// outcome waits for the commit of a change that is queued, however long it takes.
func (f *file) outcome(c *change) error {
	var err error
	select {
	case err = <-c.done:
	case <-f.done:
		err = f.afterClose(c)
	}
	if open, ok := errors.AsType[*store.PendingError](err); ok {
		return open.Outcome()
	}
	return err
}

// afterClose is the outcome once the writer has ended: the change was written just before, or not at all.
func (f *file) afterClose(c *change) error {
	select {
	case err := <-c.done:
		return err
	default:
		return store.ErrClosed
	}
}

// settlePause is between two attempts to find out what became of a commit.
const settlePause = 300 * time.Millisecond

// write is the one writer of this server: it takes everything that waits into one commit.
func (f *file) write() {
	defer close(f.done)
	defer f.endWriting()
	for {
		patience, any := f.queue.patience(f.opt.Linger)
		var due <-chan time.Time
		switch {
		case f.w.left != nil:
			due = time.After(settlePause)
		case any && patience == 0:
			f.writeBatch()
			continue
		case any:
			due = time.After(patience)
		}
		select {
		case <-f.queue.wake:
			if patience, any := f.queue.patience(f.opt.Linger); any && patience == 0 {
				f.writeBatch()
			}
		case <-due:
			f.writeBatch()
		case <-f.quit:
			for _, any := f.queue.patience(0); any && f.writeBatch(); _, any = f.queue.patience(0) {
			}
			return
		}
	}
}

// writeBatch makes one commit of what waits and tells everybody; false when it failed.
func (f *file) writeBatch() (kept bool) {
	defer f.health.waits(&f.health.writing)()
	if !f.w.settleLeft() {
		f.refuse()
		return false
	}
	batch := f.queue.take()
	failure, open := f.w.commit(batch)
	if isLine(failure) {
		f.health.failed(failure)
	}
	if open {
		f.w.left.batch = batch
		for _, c := range batch {
			if !c.noted { // nobody waits for that one, and it may come again
				c.done <- &store.PendingError{Err: failure, Wait: c.left}
			}
		}
		return false
	}
	f.tell(batch, failure)
	return failure == nil
}

// refuse answers those in a hurry while it is not known what became of the commit before: what comes next must
// be compared with it.
func (f *file) refuse() {
	var noted []*change
	for _, c := range f.queue.take() {
		if c.noted {
			noted = append(noted, c)
			continue
		}
		c.done <- f.unwritable(unreachable(f.config, errUnsettled))
	}
	f.queue.giveBack(noted)
}

var errUnsettled = errors.New("it did not confirm the latest commit, and cannot be asked")

// tell answers everybody of a commit that was made, or was not.
func (f *file) tell(batch []*change, failure error) {
	var again []*change
	for _, c := range batch {
		switch {
		case failure == nil:
			c.keep()
			c.done <- c.err
		case c.noted:
			again = append(again, c)
		default:
			c.done <- failure
		}
	}
	f.queue.giveBack(again)
}

// endWriting leaves to the next run what was never settled.
func (f *file) endWriting() {
	if f.w.left != nil && !f.w.settleLeft() {
		for _, c := range f.w.left.batch {
			close(c.later)
		}
	}
	f.w.drop()
	_ = f.w.db.Close() // nothing is sent over it any more
}
