package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"billfold/ledger"
)

const (
	queueSize  = 1024 // changes that may wait for the writer
	mostAtOnce = 256  // changes that go into one commit
)

// change is one thing to write; done gets its outcome after the commit. apply
// tells a refusal, which concerns it alone, from a fault of the file, after
// which nothing of the commit counts: SQLite may have rolled it back already,
// and what follows would be on its own.
type change struct {
	apply func(tx *sql.Tx) (refusal, fault error)
	err   error
	done  chan error
}

// statements are what the writer says again and again: preparing them takes
// longer than carrying them out.
type statements struct{ find, insert, state, update *sql.Stmt }

func (s *statements) prepare(db *sql.DB) (err error) {
	for _, p := range []struct {
		to   **sql.Stmt
		text string
	}{
		{&s.find, `SELECT id, request_key FROM payments WHERE id = ? OR request_key = ?`},
		{&s.insert, `INSERT INTO payments (` + columns + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&s.state, `SELECT state FROM payments WHERE id = ?`},
		{&s.update, `UPDATE payments SET state = ?, block = ?, trx_in_block = ?, code = ?, reason = ?, sent_at = ?, in_block_at = ?, proven = ? WHERE id = ?`},
	} {
		if *p.to, err = db.Prepare(p.text); err != nil {
			return err
		}
	}
	return nil
}

// Add writes a new payment. When it returns nil the payment survives power
// loss. When it returns an error there is no such payment in the journal, so it
// does not leave early when ctx ends. Errors: ErrKeyTaken, ErrIDTaken.
func (j *Journal) Add(ctx context.Context, e Entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return j.wait(context.WithoutCancel(ctx), func(tx *sql.Tx) (refusal, fault error) {
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
// request and bytes. Error: *RefusedError, for those whose state may not become that
// (State.May) and for unknown ones (ErrNotFound).
func (j *Journal) Update(ctx context.Context, entries ...Entry) error {
	return j.wait(ctx, func(tx *sql.Tx) (refusal, fault error) {
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
func (j *Journal) update(tx *sql.Tx, e *Entry) (why, fault error) {
	var state State
	err := tx.Stmt(j.ready.state).QueryRow(e.ID.String()).Scan(&state)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNotFound, nil
	case err != nil:
		return nil, err
	case !state.May(e.State):
		return fmt.Errorf("payment %s is %s, it cannot become %s", e.ID, state, e.State), nil
	}
	_, err = tx.Stmt(j.ready.update).Exec(
		string(e.State), int64(e.Block), int64(e.TrxInBlock), e.Code, e.Reason, millis(e.Sent), millis(e.InBlock), e.proven(), e.ID.String())
	return nil, err
}

// wait hands apply to the writer and waits for the commit. A caller that
// leaves early does not take its change back.
func (j *Journal) wait(ctx context.Context, apply func(*sql.Tx) (refusal, fault error)) error {
	c := &change{apply: apply, done: make(chan error, 1)}
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
	case <-j.done: // closed in between: it was written just before, or not at all
		select {
		case err := <-c.done:
			return err
		default:
			return ErrClosed
		}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write is the one writer: it takes everything that waits into one commit.
func (j *Journal) write() {
	defer close(j.done)
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
	fault := j.commit(batch)
	for _, c := range batch {
		if fault != nil {
			c.err = fault
		}
		c.done <- c.err
	}
}

// commit applies a batch in one transaction. A change that is refused leaves the
// others alone; a fault fails them all, and none is written.
func (j *Journal) commit(batch []*change) error {
	if j.db.Load() == nil {
		if err := j.start(); err != nil {
			return err
		}
	}
	tx, err := j.db.Load().Begin()
	if err != nil {
		return unwritable(err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	for _, c := range batch {
		var fault error
		if c.err, fault = c.apply(tx); fault != nil {
			return unwritable(fault)
		}
	}
	if err := tx.Commit(); err != nil {
		return unwritable(err)
	}
	return nil
}

func unwritable(err error) error {
	return fmt.Errorf("the payment journal cannot be written: %w", err)
}
