package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/database"
)

const (
	queueSize  = 1024 // changes that may wait for the writer
	mostAtOnce = 256  // changes that go into one commit
)

// change is one thing to write. apply tells a refusal, which concerns it alone,
// from a fault of the file, after which nothing of the commit counts: SQLite may
// have rolled it back already, and what follows would be on its own.
type change struct {
	apply func(tx *sql.Tx) (refusal, failure error)
	err   error
	done  chan error // takes the outcome of the commit, perhaps a *PendingError
	later chan error // takes what became of a commit that was left open; closed when that is never known
}

// ErrUncertain says that the journal was closed before it was known what became of a
// change: the file may hold it.
var ErrUncertain = errors.New("it is not known whether the payment journal has it")

// PendingError is the third outcome of a change: nobody knows yet whether the file
// has it. Either the caller's time ran out, which does not take the change back, or
// the disk failed in the middle of the commit and may have kept it.
type PendingError struct {
	Err     error // why nobody knows
	outcome func() error
}

func (e *PendingError) Error() string {
	return "whether the payment journal has it is not known yet: " + e.Err.Error()
}

// Unwrap returns why nobody knows.
func (e *PendingError) Unwrap() error { return e.Err }

// Outcome waits until it is known and returns what Add or Update would have
// returned; ErrUncertain when the journal is closed before.
func (e *PendingError) Outcome() error { return e.outcome() }

// statements are what the writer says again and again: preparing them takes
// longer than carrying them out.
type statements struct{ find, insert, state, update, commit *sql.Stmt }

func (s *statements) prepare(db *sql.DB) (err error) {
	for _, p := range []struct {
		to   **sql.Stmt
		text string
	}{
		{&s.find, `SELECT id, request_key FROM payments WHERE id = ? OR request_key = ?`},
		{&s.insert, `INSERT INTO payments (` + columns + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&s.state, `SELECT state FROM payments WHERE id = ?`},
		{&s.commit, `INSERT INTO journal_commits (number, nonce) VALUES (?, ?)`},
		{&s.update, `UPDATE payments SET state = ?, block = ?, trx_in_block = ?, code = ?, reason = ?, sent_at = ?, in_block_at = ?, proven = ? WHERE id = ?`},
	} {
		if *p.to, err = db.Prepare(p.text); err != nil {
			return err
		}
	}
	return nil
}

// Add writes a new payment. When it returns nil the payment survives power
// loss. When it returns an error there is no such payment in the journal, unless
// that is a *PendingError: then it may be there, now or later. Other errors:
// ErrKeyTaken, ErrIDTaken, ErrClosed, that of ctx.
func (j *Journal) Add(ctx context.Context, e Entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return j.wait(ctx, func(tx *sql.Tx) (refusal, failure error) {
		var id string
		var key sql.NullString
		err := tx.Stmt(j.ready.find).QueryRow(e.ID.String(), e.key()).Scan(&id, &key)
		switch {
		case err == nil && e.Key != "" && key.String == e.Key:
			return ErrKeyTaken, nil
		case err == nil:
			return ErrIDTaken, nil
		case !errors.Is(err, sql.ErrNoRows):
			return nil, err
		}
		_, err = tx.Stmt(j.ready.insert).Exec(e.values()...)
		return nil, err
	})
}

// RefusedError names the payments that Update left as they are, because the
// journal knows better or does not know them. The others were written.
type RefusedError struct {
	IDs []ledger.TransactionID
	Why error // of the first
}

func (e *RefusedError) Error() string { return e.Why.Error() }
func (e *RefusedError) Unwrap() error { return e.Why }

// Update writes what became of payments: everything but id, chain, key,
// request and bytes. Errors: *RefusedError, for those whose state may not become that
// (State.May) and for unknown ones (ErrNotFound); *PendingError, as in Add.
func (j *Journal) Update(ctx context.Context, entries ...Entry) error {
	return j.wait(ctx, func(tx *sql.Tx) (refusal, failure error) {
		var refused *RefusedError
		for i := range entries {
			why, err := j.update(tx, &entries[i])
			if err != nil {
				return nil, err
			}
			if why == nil {
				continue
			}
			if refused == nil {
				refused = &RefusedError{Why: why}
			}
			refused.IDs = append(refused.IDs, entries[i].ID)
		}
		if refused != nil {
			return refused, nil
		}
		return nil, nil
	})
}

// update writes one payment unless it may not become that: why says so.
func (j *Journal) update(tx *sql.Tx, e *Entry) (why, failure error) {
	var state State
	err := tx.Stmt(j.ready.state).QueryRow(e.ID.String()).Scan(&state)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNotFound, nil
	case err != nil:
		return nil, err
	case !state.May(e.State) && !(e.State == Rejected && e.Proven && !state.Final()):
		return fmt.Errorf("payment %s is %s, it cannot become %s", e.ID, state, e.State), nil
	}
	_, err = tx.Stmt(j.ready.update).Exec(
		string(e.State), int64(e.Block), int64(e.TrxInBlock), e.Code, e.Reason, millis(e.Sent), millis(e.InBlock), e.proven(), e.ID.String())
	return nil, err
}

// wait hands apply to the writer and waits for the commit. A caller that
// leaves early does not take its change back: it gets a *PendingError.
func (j *Journal) wait(ctx context.Context, apply func(*sql.Tx) (refusal, failure error)) error {
	c := &change{apply: apply, done: make(chan error, 1), later: make(chan error, 1)}
	select {
	case <-j.quit:
		return ErrClosed
	default:
	}
	select {
	case j.queue <- c:
	case <-j.quit:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-c.done:
		return err
	case <-j.done:
		return j.afterClose(c)
	case <-ctx.Done():
		return &PendingError{Err: ctx.Err(), outcome: func() error { return j.outcome(c) }}
	}
}

// outcome waits for the commit of a change that is queued, however long it takes.
func (j *Journal) outcome(c *change) error {
	var err error
	select {
	case err = <-c.done:
	case <-j.done:
		err = j.afterClose(c)
	}
	if open, ok := errors.AsType[*PendingError](err); ok {
		return open.Outcome()
	}
	return err
}

// afterClose is the outcome once the writer has ended: the change was written just
// before, or not at all.
func (j *Journal) afterClose(c *change) error {
	select {
	case err := <-c.done:
		return err
	default:
		return ErrClosed
	}
}

// write is the one writer: it takes everything that waits into one commit.
func (j *Journal) write() {
	defer close(j.done)
	defer j.endWriting()
	for {
		select {
		case first := <-j.queue:
			j.writeBatch(j.gather(first))
		case <-j.quit:
			for len(j.queue) > 0 {
				j.writeBatch(j.gather(<-j.queue))
			}
			return
		}
	}
}

// gather adds to first what waits behind it.
func (j *Journal) gather(first *change) []*change {
	batch := []*change{first}
	for len(batch) < mostAtOnce {
		select {
		case c := <-j.queue:
			batch = append(batch, c)
		default:
			return batch
		}
	}
	return batch
}

func (j *Journal) writeBatch(batch []*change) {
	failure, open := j.commit(batch)
	replaced := failure == nil || open && j.overwrite()
	open = open && !replaced
	for _, c := range batch {
		switch {
		case failure == nil:
			c.done <- c.err
		case open:
			j.open = append(j.open, c)
			c.done <- &PendingError{Err: failure, outcome: func() error { return c.left() }}
		default:
			c.done <- failure
		}
	}
	if replaced {
		j.settleOpen()
	}
}

// left waits for what became of a change whose commit was left open.
func (c *change) left() error {
	if err, known := <-c.later; known {
		return err
	}
	return ErrUncertain
}

// settleOpen tells those whose commit was left open that the file does not have them:
// a later commit is in their place.
func (j *Journal) settleOpen() {
	for _, c := range j.open {
		c.later <- j.unwritable(errLost)
	}
	j.open = nil
}

var errLost = errors.New("the disk failed, and it was not kept")

// endWriting leaves to the next run what was never settled.
func (j *Journal) endWriting() {
	for _, c := range j.open {
		close(c.later)
	}
	j.dropWriter()
}

// commit applies a batch in one transaction. A change that is refused leaves the
// others alone; a fault fails them all. Open says that the disk failed while it kept
// them: a program that recovers the file may find them there.
func (j *Journal) commit(batch []*change) (failure error, open bool) {
	tx, err := j.begin()
	if err != nil {
		return err, false
	}
	for _, c := range batch {
		var failure error
		if c.err, failure = c.apply(tx); failure != nil {
			_ = tx.Rollback() // the fault before counts
			j.dropWriter()
			return j.unwritable(failure), false
		}
	}
	return j.complete(tx)
}

// complete numbers a transaction, commits it and advances the mark.
func (j *Journal) complete(tx *sql.Tx) (failure error, open bool) {
	mark, err := j.number(tx)
	if err != nil {
		_ = tx.Rollback() // the fault before counts
		j.dropWriter()
		return j.unwritable(err), false
	}
	if err := tx.Commit(); err != nil {
		j.dropWriter()
		return j.unwritable(err), true
	}
	if mark.ID != "" {
		_ = j.mark.advance(mark) // it may lag; one that is missing is noticed at the next start
	}
	j.stepped(mark)
	return nil, false
}

// overwrite commits without changes of its own. What SQLite had written of a commit
// that failed lies in its log where the next commit goes, so once that one is
// there the other is gone for good.
func (j *Journal) overwrite() bool {
	tx, err := j.begin()
	if err != nil {
		return false
	}
	failure, _ := j.complete(tx)
	return failure == nil
}

// begin starts a transaction of the writer, making the file when there is none.
func (j *Journal) begin() (*sql.Tx, error) {
	if j.db.Load() == nil {
		if err := j.start(); err != nil {
			return nil, err
		}
	}
	if j.writer == nil {
		if err := j.openWriter(); err != nil {
			return nil, j.unwritable(err)
		}
	}
	if err := j.inPlace(); err != nil {
		return nil, j.unwritable(err)
	}
	tx, err := j.writer.Begin()
	if err != nil {
		j.dropWriter()
		return nil, j.unwritable(err)
	}
	return tx, nil
}

// openWriter opens the writer's own door to the file: after a fault it is closed, with
// whatever transaction it was left in.
func (j *Journal) openWriter() error {
	if err := j.inPlace(); err != nil {
		return err // opening it would make another
	}
	db, err := database.Open(j.path, database.Durable)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	err = j.ready.prepare(db)
	if err == nil {
		err = j.stand(db)
	}
	if err != nil {
		_ = db.Close() // the fault that counts is the one before
		if database.Damaged(err) {
			return ErrReplaced // it was whole when it was opened
		}
		return err
	}
	j.writer = db
	return nil
}

func (j *Journal) dropWriter() {
	if j.writer != nil {
		_ = j.writer.Close() // its transaction ends with it
	}
	j.writer = nil
}

func (j *Journal) unwritable(err error) error {
	return fmt.Errorf("the payment journal cannot be written: %w", database.Explain(j.path, err))
}
