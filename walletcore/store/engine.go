package store

import (
	"context"
	"database/sql"
	"errors"
)

// Change is one write.
type Change struct {
	// Apply makes the change. A refusal concerns this change and those written with it. A failure is one of the
	// database, after which nothing of the commit counts; Apply may then be called again.
	Apply func(tx Tx) (refusal, failure error)

	// Kept, if not nil, is called once the commit is on disk, before any caller gets an answer.
	Kept func()

	// Late marks a change that nobody waits for and that may wait a second for another commit.
	Late bool

	// Add and Update say what Apply does, if it does nothing else. A remote database gets everything that is waiting in
	// one statement, and Apply is not called.
	Add    *Entry
	Update []Entry

	// Proof is the token that authorizes Add, as it must still be at the commit if tokens are in the store; nil = none.
	Proof *TokenProof

	// Tokens marks a change of the tokens: until the commit, no payment that one of them authorizes is written.
	Tokens bool

	// Token names the token whose limits Apply counts against, or something else that one server at a time may change;
	// "" = none. It is locked first.
	Token string

	// Trial marks a change that leaves nothing behind. A file does not count a commit of such changes alone, so that a copy from
	// before it is as good as one from after.
	Trial bool

	// Last marks a change that is never refused and locks what every commit needs. It may be made after everything else
	// in the commit, and is not made if the rest of its Write is refused.
	Last bool
}

// Engine is a database with one writer, which puts everything that is waiting into one commit.
type Engine interface {
	// Write makes the changes in one commit, all or none, and waits for the disk. Errors: a refusal, *PendingError,
	// ErrClosed, those of the database and of ctx.
	Write(ctx context.Context, changes ...Change) error

	// WriteSoon is Write for a caller that is in no hurry: the change waits a moment to join another commit.
	WriteSoon(ctx context.Context, changes ...Change) error

	// Note writes a change soon, without waiting for the disk. If its commit fails, it goes into the next one. While the
	// latest commit failed, or too many changes are waiting, Note behaves like Write.
	Note(c Change) error

	// Reader returns the database for reading; nil until something was written.
	Reader() *sql.DB

	// Explain turns an error of the database into a sentence.
	Explain(err error) error
}

// ErrClosed means that the store was closed.
var ErrClosed = errors.New("the payment journal is closed")

// ErrUncertain means that the store was closed before the outcome of a change was known: the file may hold it.
var ErrUncertain = errors.New("it is not known whether the payment journal has it")

// ErrReplaced means that the open file is no longer the one at its path: the next run would not find what is written.
var ErrReplaced = errors.New("its file was moved, removed, replaced or written over while this program used it; " +
	"end the program, put payments.db back into its folder as it was, with its -wal file, and start it again; " +
	"if it is gone, billfold journal status says how to go on")

// PendingError is the third outcome of a change: it is not known yet whether the file has it. Either the caller's time
// ran out, which does not undo the change, or the disk failed in the middle of the commit and may have kept it.
type PendingError struct {
	Err  error        // why that is unknown
	Wait func() error // blocks until it is known, see Outcome
}

func (e *PendingError) Error() string {
	return "it is not known yet whether the payment journal has it: " + e.Why()
}

// Why returns why that is unknown, in words.
func (e *PendingError) Why() string {
	switch {
	case errors.Is(e.Err, context.DeadlineExceeded):
		return "the disk took longer than the call may"
	case errors.Is(e.Err, context.Canceled):
		return "the call was cancelled while it was written"
	}
	return e.Err.Error()
}

// Advice returns what to do about it.
func (e *PendingError) Advice() string { return "make the same request again" }

// Unwrap returns why the outcome is unknown.
func (e *PendingError) Unwrap() error { return e.Err }

// Outcome waits until the outcome is known and returns what Write would have returned; ErrUncertain if the store is closed before.
func (e *PendingError) Outcome() error { return e.Wait() }

// change makes one change that is never refused.
func change(ctx context.Context, e Engine, apply func(Tx) error) error {
	return e.Write(ctx, Change{Apply: func(tx Tx) (refusal, failure error) { return nil, apply(tx) }})
}

// Tx is a transaction of the one writer. The next transaction is the same value only if everything of this one was
// committed and nobody else has written since. Each statement is prepared once, and the prepared statement is reused.
type Tx interface {
	Exec(query string, args ...any) (sql.Result, error)
	QueryRow(query string, args ...any) *sql.Row
}

// locking is a transaction beside which other servers may write.
type locking interface {
	// LockToken keeps them from counting against limits of the token, or from changing what else it stands for, until the commit.
	LockToken(token string) error
}

// SharedTx is a transaction of a store that several servers use at once.
type SharedTx interface {
	Tx
	locking

	// LastRecord returns the latest record of the audit log, to which nobody else appends until the commit. AddRecord appends one.
	LastRecord() (AuditRecord, error)
	AddRecord(r AuditRecord)
}

// AuditRecord is one row of the audit log, whose hash also covers the record before.
type AuditRecord struct {
	Number     int64 // from 1, without gaps
	Text, Hash string
	Lost       string // the archive, given up, that had the records up to this number, which is none itself; "" = it is a record
}
