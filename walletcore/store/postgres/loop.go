package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"
)

// Write makes changes in one commit, all or none, and waits for the database. While the database confirms nothing, new
// callers are refused at once.
func (f *file) Write(ctx context.Context, changes ...store.Change) error {
	if slow := f.health.slowError(f.Path()); slow != nil && ctx.Done() != nil { // a call, which may write more than once
		return f.unwritable(slow)
	}
	return f.wait(ctx, commits.NewUrgent(changes))
}

// WriteSoon is Write that waits a moment to join another commit.
func (f *file) WriteSoon(ctx context.Context, changes ...store.Change) error {
	return f.wait(ctx, commits.New(changes))
}

// Note writes a change soon without waiting, unless the latest commit failed or too many changes are waiting. It does
// not wait for a slow commit either: the outcome of a call is noted, and its caller is waiting.
func (f *file) Note(one store.Change) error {
	err := f.Fault()
	_, slow := errors.AsType[*store.SlowError](err)
	if (err == nil || slow || errors.Is(err, errNoStandby)) && f.queue.Put(commits.NewNote(one)) {
		return nil
	}
	return f.Write(context.Background(), one)
}

// answerWithin is the time that the caller of a change waits for the database. After that the change goes on without the caller.
const answerWithin = 10 * time.Second

var errSlow = fmt.Errorf("the store has not confirmed it within %d s", int(answerWithin.Seconds()))

// wait passes a change to the writer and waits for the commit. A caller that leaves early, or is answered before there
// is a commit, does not take its change back: it gets a *store.PendingError.
func (f *file) wait(ctx context.Context, c *commits.Change) error {
	select {
	case <-f.quit:
		return store.ErrClosed
	default:
	}
	ctx, cancel := context.WithTimeoutCause(ctx, answerWithin, errSlow)
	defer cancel()
	f.queue.Put(c)
	return c.Await(ctx, f.done)
}

// settlePause is the pause between two attempts to find out what became of a commit.
const settlePause = 300 * time.Millisecond

// write is the one writer of this server: it puts everything that is waiting into one commit.
func (f *file) write() {
	defer close(f.done)
	defer f.endWriting()
	for {
		patience, any := f.queue.Patience(f.opt.Linger)
		select {
		case <-f.quit: // notes that cannot be written do not delay the end
			patience, any = 0, false
		default:
		}
		var due <-chan time.Time
		switch {
		case f.w.unconfirmed != nil:
			due = time.After(settlePause)
		case any && patience == 0:
			f.writeBatch()
			continue
		case any:
			due = time.After(patience)
		}
		select {
		case <-f.queue.Wake():
			if patience, any := f.queue.Patience(f.opt.Linger); any && patience == 0 {
				f.writeBatch()
			}
		case <-due:
			f.writeBatch()
		case <-f.quit:
			for _, any := f.queue.Patience(0); any && f.writeBatch(); _, any = f.queue.Patience(0) {
			}
			return
		}
	}
}

// writeBatch makes one commit of what is waiting and answers all callers; it reports false if the commit failed.
func (f *file) writeBatch() (kept bool) {
	defer f.health.startWaiting(&f.health.writing)()
	if !f.w.resolveUnconfirmed() {
		f.refuseCallers()
		return false
	}
	batch := f.queue.Take()
	began := time.Now()
	failure, open := f.w.commit(batch)
	if !isEmpty(batch) {
		f.queue.NoteCommit(began, failure)
	}
	if _, unfit := errors.AsType[*UnfitError](failure); unfit || isConnectionError(failure) || errors.Is(failure, store.ErrPlaceTaken) ||
		isCode(failure, lockNotAvailable) {
		f.health.recordRefusal(blocked(failure))
	}
	if open {
		for _, c := range batch {
			c.LeaveOpen(failure)
		}
		return false
	}
	f.answerBatch(batch, failure)
	return failure == nil
}

// refuseCallers refuses all callers while the outcome of the commit before is unknown: the next one must be compared with it.
func (f *file) refuseCallers() {
	for _, c := range f.queue.TakeCallers() {
		c.Answer(f.unwritable(unreachable(f.config, errUnsettled)))
	}
}

var errUnsettled = errors.New("it did not confirm the latest commit, and cannot be asked")

// answerBatch answers everyone in a batch whose commit was made, or was not.
func (f *file) answerBatch(batch []*commits.Change, failure error) {
	if failure == nil {
		f.hints.record(batch)
	}
	var again, meanwhile []*commits.Change
	if _, fenced := errors.AsType[fencedError](failure); failure != nil && !fenced { // after a fence they are written in the new epoch
		// taken before anyone is answered: later callers get a failure of their own
		meanwhile = f.queue.TakeCallers()
	}
	for _, c := range batch {
		switch {
		case failure == nil:
			c.Keep()
			c.Answer(c.Err)
		case c.Noted():
			again = append(again, c)
		default:
			c.Answer(failure)
		}
	}
	for _, c := range meanwhile {
		c.Answer(failure)
	}
	f.queue.PutBack(again)
}

// endWriting leaves what was never resolved to the next run.
func (f *file) endWriting() {
	if f.w.unconfirmed != nil && !f.w.resolveUnconfirmed() {
		for _, c := range f.w.unconfirmed.batch {
			c.Abandon()
		}
	}
	f.w.drop()
	_ = f.w.db.Close() // nothing is sent over it any more
}
