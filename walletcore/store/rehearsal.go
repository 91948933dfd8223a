package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"billfold/ledger"
)

// Rehearsal describes what a payment may write: a row of each table, as a payment makes it. It is written with the statements of a
// payment and taken back, inside a commit that is made: whether it succeeds is whether a payment could be written now.
type Rehearsal struct {
	Entry Entry // a new payment
	Next  Entry // its next state
}

// NewRehearsal returns a rehearsal with a payment that nobody has made.
func NewRehearsal() Rehearsal {
	e := Entry{State: Prepared, Bytes: make([]byte, 120), Expiration: ledger.TimeOf(time.Now().Add(time.Minute)), RefBlock: 1,
		Prepared: time.Now().UTC(), Request: "rehearsal"}
	rand.Read(e.ID[:]) //nolint:errcheck // it never fails
	e.Key = "rehearsal " + e.ID.String()
	return rehearsalOf(e)
}

func rehearsalOf(e Entry) Rehearsal {
	next := e
	next.State, next.Sent = Sent, e.Prepared
	return Rehearsal{e, next}
}

// Rehearsing is a transaction with statements of its own for payments and records.
type Rehearsing interface {
	// Rehearse writes r and takes it back. It returns why r could not be written; failure means that the transaction is lost.
	Rehearse(r Rehearsal) (refusal, failure error)
}

// Change returns the change that makes the rehearsal, and is refused with the reason if that is not possible.
func (r Rehearsal) Change() Change {
	return Change{Trial: true, Apply: func(tx Tx) (refusal, failure error) {
		if own, ok := tx.(Rehearsing); ok {
			return own.Rehearse(r)
		}
		if _, failure = tx.Exec(`SAVEPOINT rehearsal`); failure != nil {
			return nil, failure
		}
		refusal = r.write(tx)
		for _, statement := range []string{`ROLLBACK TO SAVEPOINT rehearsal`, `RELEASE SAVEPOINT rehearsal`} {
			if _, err := tx.Exec(statement); err != nil { // a trigger may have taken back the whole transaction
				return nil, errors.Join(refusal, err)
			}
		}
		return refusal, nil
	}}
}

// write writes what a payment writes to a file.
func (r Rehearsal) write(tx Tx) error {
	var version int
	if err := tx.QueryRow(`SELECT version FROM journal_version`).Scan(&version); err != nil {
		return err
	}
	if known := len(Migrations()); version > known {
		return &NewerError{version, known}
	}
	refusal, err := add(tx, r.Entry)
	if held, is := errors.AsType[*HeldError](refusal); err != nil || is && held.Why == "" {
		return cmp.Or(err, ErrNotTaken)
	}
	if refusal == nil { // that it is held is told elsewhere
		if refusal, err := update(tx, &r.Next); err != nil || refusal != nil {
			return cmp.Or(err, ErrNotTaken)
		}
	}
	if err := r.WriteOthers(tx); err != nil {
		return err
	}
	if err := taken(tx.Exec(`INSERT INTO journal_commits (number, nonce) SELECT COALESCE(MAX(number), 0) + 1, ? FROM journal_commits`, "rehearsal")); err != nil {
		return err
	}
	if err := taken(tx.Exec(`UPDATE journal_log SET id = id, number = number, nonce = nonce`)); err != nil {
		return err
	}
	return taken(tx.Exec(`INSERT INTO audit (number, entry, hash) SELECT COALESCE(MAX(number), 0) + 1, ?, ? FROM audit`, "{}", r.Entry.ID.String()))
}

// ErrNotTaken means that the database took a row of a payment without an error, and has it not.
var ErrNotTaken = errors.New("the database takes what a payment writes without an error, and does not keep it; look for a trigger or a policy on its tables")

// taken returns ErrNotTaken if a statement changed no row.
func taken(result sql.Result, err error) error {
	if written, err := changedRow(result, err); err != nil || !written {
		return cmp.Or(err, ErrNotTaken)
	}
	return nil
}

// WriteOthers writes what may be written with a payment, besides the payment and the record of the audit log.
func (r Rehearsal) WriteOthers(tx Tx) error {
	id := r.Entry.ID.String()
	if err := insertSpend(tx, Spend{Token: id, Asset: ledger.CoreAsset, Amount: 1, Key: r.Entry.Key}, r.Entry.Prepared); err != nil {
		return err
	}
	if err := taken(tx.Exec(`INSERT INTO payout_rows (payer, number, fingerprint, plan, request_key, label) VALUES (?, ?, ?, ?, ?, ?)`,
		int64(-1), r.Entry.Prepared.UnixNano(), id, id, r.Entry.Key, "")); err != nil {
		return err
	}
	return taken(tx.Exec(`INSERT INTO object_states (chain, object, number, kind, state, transaction_id, expires, since)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, id, "1.2.0", int64(1), int64(0), "{}", id, int64(0), int64(0)))
}

const (
	// readyFor is the time for which the outcome of an attempt to write a payment, or of a rehearsal, stands for that of the next one.
	readyFor = 2 * time.Second

	// readyPatience is the time for which a rehearsal is waited for.
	readyPatience = 3 * time.Second
)

// readiness holds what the latest attempts to write a payment said.
type readiness struct {
	mu     sync.Mutex
	at     time.Time     // of the latest attempt; zero = the next question makes one
	err    error         // its outcome
	failed *Entry        // the latest payment that could not be written; nil = none, or one could since
	flight chan struct{} // closed when the rehearsal under way has ended; nil = there is none
}

// note records the outcome of an attempt to write a payment. Which errors are those of the database need not be known: the same
// payment is rehearsed when somebody asks.
func (r *readiness) note(e Entry, err error) {
	switch {
	case errors.Is(err, ErrBadKey), errors.Is(err, ErrKeyTaken), errors.Is(err, ErrIDTaken), errors.Is(err, ErrObjectChanged), errors.Is(err, ErrClosed):
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.at, r.err, r.failed = time.Now(), nil, nil
		return
	}
	r.at, r.failed = time.Time{}, &e
}

// noteUpdate records that new states may not have been written: the next question makes an attempt.
func (r *readiness) noteUpdate(err error) error {
	if err == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at = time.Time{}
	return err
}

// lateError means that a rehearsal takes long.
type lateError struct{}

func (e lateError) Error() string { return "the store " + e.Cause() }

// Cause returns the cause for CauseOf.
func (lateError) Cause() string {
	return fmt.Sprintf("has not confirmed a write within %d s", int(readyPatience.Seconds()))
}

// Ready returns why a payment could not be written now; nil if it could. It goes by what the latest attempts said and, if the
// last was a while ago or failed, makes one itself: it writes what a payment writes, and takes it back, in a commit that is made, and reads as one does.
// A store that was never written to is not created for that.
func (j *Journal) Ready(ctx context.Context) error {
	r := &j.ready
	r.mu.Lock()
	if j.engine.Reader() == nil && r.failed == nil || !r.at.IsZero() && time.Since(r.at) < readyFor {
		defer r.mu.Unlock()
		return r.err
	}
	if r.flight == nil {
		r.flight = make(chan struct{})
		go j.rehearse(r.flight, r.failed)
	}
	flight := r.flight
	r.mu.Unlock()
	late := time.NewTimer(readyPatience)
	defer late.Stop()
	select {
	case <-flight:
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.err
	case <-late.C:
		return lateError{}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// rehearse makes a rehearsal, and one of the payment that failed, if any.
func (j *Journal) rehearse(flight chan struct{}, failed *Entry) {
	trial := NewRehearsal()
	changes := []Change{trial.Change()}
	if failed != nil {
		changes = append(changes, rehearsalOf(*failed).Change())
	}
	err := j.engine.Write(context.Background(), changes...)
	if err == nil { // a payment is looked for first, by the other connections
		ctx, cancel := context.WithTimeout(context.Background(), readyPatience)
		if _, unread := j.ByKey(ctx, trial.Entry.Key); !errors.Is(unread, ErrNotFound) {
			err = unread
		}
		cancel()
	}
	r := &j.ready
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at, r.err, r.flight = time.Now(), j.engine.Explain(err), nil; err == nil && r.failed == failed {
		r.failed = nil
	}
	close(flight)
}
