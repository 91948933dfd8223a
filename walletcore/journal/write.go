package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const (
	queueSize  = 1024 // changes that may wait for the writer
	mostAtOnce = 256  // changes that go into one commit
)

// change is one thing to write; done gets its outcome after the commit.
type change struct {
	apply func(tx *sql.Tx) error
	err   error
	done  chan error
}

// Add writes a new payment. When it returns nil the payment survives power
// loss. Error: ErrKeyTaken.
func (j *Journal) Add(ctx context.Context, e Entry) error {
	return j.wait(ctx, func(tx *sql.Tx) error {
		if e.Key != "" {
			var other string
			err := tx.QueryRow(`SELECT id FROM payments WHERE request_key = ?`, e.Key).Scan(&other)
			if err == nil {
				return ErrKeyTaken
			}
			if !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
		_, err := tx.Exec(`INSERT INTO payments (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.values()...)
		return err
	})
}

// Update writes what became of payments: everything but id, key and bytes. A
// final state is never left again; such a change is an error, and then none of
// them is written. Error: ErrNotFound.
func (j *Journal) Update(ctx context.Context, entries ...Entry) error {
	return j.wait(ctx, func(tx *sql.Tx) error {
		for i := range entries {
			if err := checkUpdate(tx, &entries[i]); err != nil {
				return err
			}
		}
		for i := range entries {
			if err := update(tx, &entries[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func checkUpdate(tx *sql.Tx, e *Entry) error {
	var state State
	err := tx.QueryRow(`SELECT state FROM payments WHERE id = ?`, e.ID.String()).Scan(&state)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNotFound
	case err != nil:
		return err
	case state.Final() && state != e.State:
		return fmt.Errorf("payment %s is %s for good, it cannot become %s", e.ID, state, e.State)
	}
	return nil
}

func update(tx *sql.Tx, e *Entry) error {
	_, err := tx.Exec(`UPDATE payments SET state = ?, block = ?, trx_in_block = ?, code = ?, reason = ?, sent_at = ?, in_block_at = ? WHERE id = ?`,
		string(e.State), int64(e.Block), int64(e.TrxInBlock), e.Code, e.Reason, millis(e.Sent), millis(e.InBlock), e.ID.String())
	return err
}

// wait hands apply to the writer and waits for the commit. A caller that
// leaves early does not take its change back.
func (j *Journal) wait(ctx context.Context, apply func(*sql.Tx) error) error {
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
		if c.err == nil {
			c.err = fault
		}
		c.done <- c.err
	}
}

// commit applies a batch in one transaction. A change that fails leaves the
// others alone; a commit that fails fails them all.
func (j *Journal) commit(batch []*change) error {
	if j.db.Load() == nil {
		if err := j.start(); err != nil {
			return err
		}
	}
	tx, err := j.db.Load().Begin()
	if err != nil {
		return fmt.Errorf("the payment journal cannot be written: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	for _, c := range batch {
		c.err = c.apply(tx)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("the payment journal cannot be written: %w", err)
	}
	return nil
}
