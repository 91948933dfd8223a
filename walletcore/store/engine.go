package store

import (
	"context"
	"database/sql"
	"errors"
)

// Change is one thing to write.
type Change struct {
	// Apply writes it. A refusal concerns this change and those that are written with it; a
	// failure is one of the file, after which nothing of the commit counts. It may be called again
	// after a failure.
	Apply func(tx Tx) (refusal, failure error)

	// Kept, if not nil, is called once the commit is on disk, before anybody hears of it.
	Kept func()

	// Late says that a change which nobody waits for may wait a second for another commit.
	Late bool

	// What Apply does, where it does nothing else: a database that is far away is told of all that waits in one
	// statement, and Apply is not called.
	Add    *Entry
	Update []Entry

	// Proof is the token that Add is made with, as it must be at the commit where tokens are in the store; nil = none.
	Proof *TokenProof

	// Tokens says that Apply changes the tokens: until the commit nothing is written that one of them makes.
	Tokens bool

	// Token is whose limits Apply counts against; "" = nobody's. It is locked before.
	Token string

	// Last is a change that is never refused and locks what everybody needs: it may be made after
	// everything else in the commit, and is not made where the rest of its Write is refused.
	Last bool
}

// Engine is a database of some kind with one writer: what waits goes into one commit.
type Engine interface {
	// Write makes the changes in one commit, all of them or none, and waits for the
	// disk. Errors: a refusal, *PendingError, ErrClosed, those of the file and of ctx.
	Write(ctx context.Context, changes ...Change) error

	// WriteSoon is Write for a caller who is in no hurry: for a moment the change waits
	// for another commit to go along with.
	WriteSoon(ctx context.Context, changes ...Change) error

	// Note writes a change without waiting for the disk, soon. What a commit could not keep
	// goes into the next one. When the latest commit failed, or very much waits, it is Write.
	Note(c Change) error

	// Reader is for reading; nil while nothing was ever written.
	Reader() *sql.DB

	// Explain makes a sentence of an error of the database.
	Explain(err error) error
}

// ErrClosed means that the store was closed.
var ErrClosed = errors.New("the payment journal is closed")

// ErrUncertain means that the store was closed before it was known what became of a
// change: the file may hold it.
var ErrUncertain = errors.New("it is not known whether the payment journal has it")

// ErrReplaced means that the open file is no longer the one at its path: the
// next run would not find what is written.
var ErrReplaced = errors.New("its file was moved, removed, replaced or written over while this program used it; " +
	"end the program and put the file back")

// PendingError is the third outcome of a change: nobody knows yet whether the file
// has it. Either the caller's time ran out, which does not take the change back, or
// the disk failed in the middle of the commit and may have kept it.
type PendingError struct {
	Err  error        // why nobody knows
	Wait func() error // see Outcome
}

func (e *PendingError) Error() string {
	return "whether the payment journal has it is not known yet: " + e.Err.Error()
}

// Advice returns what to do about it.
func (e *PendingError) Advice() string { return "make the same request again" }

// Unwrap returns why nobody knows.
func (e *PendingError) Unwrap() error { return e.Err }

// Outcome waits until it is known and returns what Write would have returned;
// ErrUncertain when the store is closed before.
func (e *PendingError) Outcome() error { return e.Wait() }

// change makes one change that is never refused.
func change(ctx context.Context, e Engine, apply func(Tx) error) error {
	return e.Write(ctx, Change{Apply: func(tx Tx) (refusal, failure error) { return nil, apply(tx) }})
}
