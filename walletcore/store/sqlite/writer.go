package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"
)

// Write makes changes in one commit, all or none, and waits for the disk.
func (f *file) Write(ctx context.Context, changes ...store.Change) error {
	return f.wait(ctx, commits.NewUrgent(changes))
}

// WriteSoon is Write that waits a moment to join another commit.
func (f *file) WriteSoon(ctx context.Context, changes ...store.Change) error {
	return f.wait(ctx, commits.New(changes))
}

// Note writes a change soon without waiting, unless the latest commit failed or too many changes are waiting.
func (f *file) Note(one store.Change) error {
	if f.db.Load() != nil && !f.failing.Load() {
		if f.queue.Put(commits.NewNote(one)) {
			return nil
		}
	}
	return f.Write(context.Background(), one)
}

// wait passes a change to the writer and waits for the commit. A caller that leaves early does not take its change back:
// it gets a *store.PendingError.
func (f *file) wait(ctx context.Context, c *commits.Change) error {
	select {
	case <-f.quit:
		return store.ErrClosed
	default:
	}
	f.queue.Put(c)
	return c.Await(ctx, f.done)
}

// write is the one writer: it puts everything that is waiting into one commit. What is not urgent waits a moment, so
// that it joins a commit that somebody waits for.
func (f *file) write() {
	defer close(f.done)
	defer f.endWriting()
	due := time.NewTimer(time.Hour)
	due.Stop()
	var at time.Time // when due fires; zero = it is not running
	for {
		select {
		case <-f.queue.Wake():
			if patience, _ := f.queue.Patience(f.linger); patience > 0 {
				if until := time.Now().Add(patience); at.IsZero() || until.Before(at) {
					at = until
					due.Reset(patience)
				}
				continue
			}
		case <-due.C:
		case <-f.quit:
			f.writeAll()
			return
		}
		due.Stop()
		at = time.Time{}
		kept := f.writeUrgent()
		if patience, waiting := f.queue.Patience(f.linger); kept && waiting {
			patience = max(patience, f.linger)
			at = time.Now().Add(patience)
			due.Reset(patience)
		}
	}
}

// writeUrgent writes what is waiting, and goes on while something is urgent. It reports false if the latest commit
// failed. What arrived meanwhile and is not urgent waits for another commit, or for the disk to recover.
func (f *file) writeUrgent() (kept bool) {
	kept = true
	for batch := f.queue.Take(); len(batch) > 0; batch = f.queue.Take() {
		if kept = f.writeBatch(batch); !f.queue.HasUrgent() {
			break
		}
	}
	return kept
}

// writeAll writes until nothing is waiting, or a commit failed and nothing is urgent.
func (f *file) writeAll() {
	for kept := f.writeUrgent(); kept && f.hasWaiting(); kept = f.writeUrgent() {
	}
}

// hasWaiting reports whether something is left to write.
func (f *file) hasWaiting() bool {
	_, waiting := f.queue.Patience(f.linger)
	return waiting
}

// writeBatch makes one commit of a batch and answers all callers; it reports false if the commit failed.
func (f *file) writeBatch(batch []*commits.Change) (kept bool) {
	began := time.Now()
	mark, failure, open := f.commit(batch)
	made := mark != store.Mark{} // a batch without changes makes none
	replaced := failure == nil && made || open && f.overwrite()
	open = open && !replaced
	if made || failure != nil {
		f.queue.NoteCommit(began, failure)
		f.failing.Store(failure != nil)
	}
	var again, meanwhile []*commits.Change
	if failure != nil { // taken before anyone is answered: later callers get a failure of their own
		meanwhile = f.queue.TakeCallers()
	}
	for _, c := range batch {
		switch {
		case failure == nil:
			c.Keep()
			c.Answer(c.Err)
		case c.Noted():
			again = append(again, c)
		case open:
			f.uncertain = append(f.uncertain, c)
			c.LeaveOpen(failure)
		default:
			c.Answer(failure)
		}
	}
	for _, c := range meanwhile {
		c.Answer(failure)
	}
	f.queue.PutBack(again)
	if failure == nil && made {
		f.recordCommit(mark)
	}
	if replaced {
		f.resolveUncertain()
	}
	return failure == nil
}

// resolveUncertain answers the changes whose commit was left open: the file does not have them,
// because a later commit is in their place.
func (f *file) resolveUncertain() {
	for _, c := range f.uncertain {
		c.Resolve(f.unwritable(errLost))
	}
	f.uncertain = nil
}

var errLost = errors.New("the disk failed, and the change was not saved")

// endWriting leaves what was never resolved to the next run.
func (f *file) endWriting() {
	for _, c := range f.uncertain {
		c.Abandon()
	}
	if db := f.db.Load(); db != nil && !f.isInPlace() {
		f.keepLog(context.Background(), db)
	}
	f.dropWriter()
}

// keepLog leaves the log beside a file that is not the wallet's own. It takes the writer's connection where there is one: another may be
// opened only now, on the other file. Of a file that cannot be read any more nothing is copied.
func (f *file) keepLog(ctx context.Context, db *sql.DB) {
	if f.writer != nil {
		_ = database.KeepLog(ctx, f.writer.conn)
		return
	}
	if one, err := db.Conn(ctx); err == nil {
		_ = errors.Join(database.KeepLog(ctx, one), one.Close())
	}
}

// commit makes a batch in one transaction. A change that is refused leaves the others alone; a failure fails them all.
// open reports that the disk failed while it was writing them: a program that recovers the file may find them there.
func (f *file) commit(batch []*commits.Change) (mark store.Mark, failure error, open bool) {
	if isEmpty(batch) {
		return mark, nil, false
	}
	tx, err := f.begin()
	if err != nil {
		return mark, err, false
	}
	for _, c := range batch {
		if c.Err, failure = apply(c, tx); failure != nil {
			tx.rollback()
			f.dropWriter()
			return mark, f.unwritable(failure), false
		}
	}
	if isTrial(batch) {
		return f.completeTrial(tx)
	}
	return f.complete(tx)
}

// isTrial reports whether all that is to be written leaves nothing behind.
func isTrial(batch []*commits.Change) bool {
	for _, c := range batch {
		if slices.ContainsFunc(c.Parts, func(part store.Change) bool { return !part.Trial }) {
			return false
		}
	}
	return true
}

// isEmpty reports whether there is nothing to write: a caller only waits for what was noted before.
func isEmpty(batch []*commits.Change) bool {
	for _, c := range batch {
		if len(c.Parts) > 0 {
			return false
		}
	}
	return true
}

// apply makes the parts of a change, those marked Last at the end. If one is refused, none of them is made.
func apply(c *commits.Change, tx *transaction) (refusal, failure error) {
	refusal, failure = applyFirst(c.Parts, tx)
	for _, part := range c.Parts {
		if refusal != nil || failure != nil {
			break
		}
		if part.Last { // never refused
			_, failure = part.Apply(tx)
		}
	}
	return refusal, failure
}

// applyFirst makes the parts that may be refused. A savepoint costs two statements, so a single
// part goes without: there is nothing to undo.
func applyFirst(parts []store.Change, tx *transaction) (refusal, failure error) {
	several := refusable(parts) > 1
	if several {
		failure = tx.run(`SAVEPOINT parts`)
	}
	for _, part := range parts {
		if refusal != nil || failure != nil {
			break
		}
		if !part.Last {
			refusal, failure = part.Apply(tx)
		}
	}
	switch {
	case failure != nil || !several:
	case refusal != nil:
		failure = tx.run(`ROLLBACK TO SAVEPOINT parts`)
	default:
		failure = tx.run(`RELEASE SAVEPOINT parts`)
	}
	return refusal, failure
}

// refusable counts the parts that may be refused.
func refusable(parts []store.Change) (n int) {
	for _, part := range parts {
		if !part.Last {
			n++
		}
	}
	return n
}

// complete numbers a transaction and commits it. A lost journal prunes no commits: the one that
// differs from the mark shows that it is lost.
func (f *file) complete(tx *transaction) (mark store.Mark, failure error, open bool) {
	mark, err := tx.numberCommit()
	if err == nil && (mark.ID == "" || f.state.hasMark) {
		err = tx.prune(mark)
	}
	if err != nil {
		tx.rollback()
		f.dropWriter()
		return mark, f.unwritable(err), false
	}
	if err := tx.commit(); err != nil {
		f.dropWriter()
		return mark, f.unwritable(err), true
	}
	return mark, nil, false
}

// completeTrial commits a transaction that leaves nothing behind, without a number: SQLite writes the first page of the file, so the
// disk is tried as well.
func (f *file) completeTrial(tx *transaction) (mark store.Mark, failure error, open bool) {
	err := tx.readLast()
	if err == nil {
		err = tx.noteLog(tx.last.Commit + 1)
	}
	if err == nil {
		err = tx.run(`PRAGMA user_version = 0`) // as it is
	}
	if err != nil {
		tx.rollback()
		f.dropWriter()
		return mark, f.unwritable(err), false
	}
	if err := tx.commit(); err != nil {
		f.dropWriter()
		return mark, f.unwritable(err), true
	}
	return tx.last, nil, false
}

// overwrite commits without any changes. What SQLite wrote of a commit that failed lies in its log where the next commit
// goes, so once that is written the failed one is gone for good.
func (f *file) overwrite() bool {
	tx, err := f.begin()
	if err != nil {
		return false
	}
	mark, failure, _ := f.complete(tx)
	if failure == nil {
		f.recordCommit(mark)
	}
	return failure == nil
}

// begin starts a transaction of the writer, creating the file if there is none.
func (f *file) begin() (*transaction, error) {
	if f.db.Load() == nil {
		if err := f.start(); err != nil {
			return nil, err
		}
	}
	if f.writer == nil {
		if err := f.openWriter(); err != nil {
			return nil, f.unwritable(err)
		}
	}
	for range beginTries {
		if err := f.checkInPlace(); err != nil {
			return nil, f.unwritable(err)
		}
		tx, err := f.beginHere()
		if err != nil {
			f.dropWriter()
			return nil, f.unwritable(err)
		}
		if tx != nil {
			return tx, nil
		}
	}
	return nil, f.unwritable(store.ErrReplaced)
}

// beginTries is the number of attempts to begin a transaction while others copy the log into the file.
const beginTries = 10

// beginHere begins a transaction. It may have waited for somebody else's, and whoever that was may have replaced or moved
// the file meanwhile: it returns nil if the file is not the one any more that was checked before.
func (f *file) beginHere() (*transaction, error) {
	before := f.writer.latest
	tx, err := f.writer.begin()
	if err != nil {
		return nil, err
	}
	now, err := os.Stat(f.path)
	same := err == nil && os.SameFile(now, f.state.file) && now.Size() == f.state.size && now.ModTime().Equal(f.state.changed)
	if tx == before && same {
		return tx, nil // nobody else has written
	}
	if err := checkStays(tx, f.path); err != nil { // which names the place, also where the file was renamed since
		tx.rollback()
		return nil, err
	}
	if !same {
		tx.rollback()
		return nil, nil
	}
	return tx, f.noteSchema(tx)
}

// openWriter opens the writer's own connection to the file. After a fault the connection is closed,
// with whatever transaction it was left in.
func (f *file) openWriter() error {
	if err := f.checkInPlace(); err != nil {
		return err // opening it would create another file
	}
	c, err := connectThrough(f.between, f.path)
	if err == nil {
		if err = f.initState(c); err != nil {
			_ = c.close() // the fault that counts is the one before
		}
	}
	switch {
	case database.Damaged(err):
		return store.ErrReplaced // it was undamaged when it was opened
	case err != nil:
		return err
	}
	f.writer = c
	return nil
}

func (f *file) dropWriter() {
	if f.writer != nil {
		_ = f.writer.close() // its transaction ends with it
	}
	f.writer = nil
}

// unwritable returns the error for a change that was not made. Of a file that has moved it says where it went.
func (f *file) unwritable(err error) error {
	if database.TooShort(err) && !errors.Is(err, store.ErrReplaced) {
		err = fmt.Errorf("%w (%w)", store.ErrReplaced, err)
	}
	if errors.Is(err, store.ErrReplaced) {
		f.forgetHold()
		if h, unread := f.held(); unread == nil && h.moved != nil {
			err = h.moved
		}
	}
	return fmt.Errorf("the payment journal cannot be written: %w", explain(f.path, err))
}
