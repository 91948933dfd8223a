package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Sharing is an engine whose store several servers use at once. Each follows the payments that it
// owns: those that it made, and those that it took over from servers whose lease ended.
type Sharing interface {
	// Server is the id of this one.
	Server() string

	// TakeOver moves to this server the open payments of those that are gone, as unknown where
	// they may have been sent; false when there were none. After an error they may be its own.
	TakeOver(ctx context.Context) (bool, error)

	// Follow makes known whether this server can follow payments; one that cannot leaves its own to those that can.
	Follow(ctx context.Context, able bool) error

	// Fault returns why nothing can be written now; nil when all is well.
	Fault() error
}

// Holding is an engine that keeps its servers from paying anything new while it may have forgotten something.
type Holding interface {
	// Hold reads why nothing new is paid; the zero Hold when it is.
	Hold(ctx context.Context) (Hold, error)

	// NoteRewritten notes that this server has written again what it remembers. Ambiguous, if not "", is what no program
	// can decide; the hold then ends with Renew alone.
	NoteRewritten(ctx context.Context, ambiguous string) error

	// EndHold ends h, together with other changes, once the ledger was searched and every server that is waited for has
	// compared what it knows. Error: ErrStillHeld.
	EndHold(ctx context.Context, h Hold, with ...Change) error

	// NoteAnswered notes, before anybody is answered with it, that a payment stands for its request key for ever that somebody claimed.
	NoteAnswered(ctx context.Context, id string) error

	// Generation counts the holds that have ended, and reports whether there are payments that were found and not claimed.
	Generation() (n int64, found bool)
}

// Hold is why nothing new is paid.
type Hold struct {
	Why    string
	Since  time.Time // by the database's clock
	Search bool      // it ends once the ledger was searched for what is missing
	From   uint32    // a block from before what is missing; 0 = nobody knows one
}

// ErrStillHeld means that somebody is waited for, or that only a person may end a hold.
var ErrStillHeld = errors.New("the store is still held")

// AwayError means that the database does not answer: nothing is known of what it holds.
type AwayError struct {
	At, Why   string
	Refuses   bool   // it answers, and does not serve: Why says what to do
	CauseText string // what Why is about, as CauseOf says it; "" = it does not answer
	Err       error  // what the connection said
}

func (e *AwayError) Error() string {
	if e.Refuses {
		return "the store at " + e.At + " cannot be used: " + e.Why
	}
	return "the store at " + e.At + " does not answer: " + e.Why
}

// Unwrap returns what the connection said.
func (e *AwayError) Unwrap() error { return e.Err }

// Cause is that of CauseOf.
func (e *AwayError) Cause() string { return e.CauseText }

// Advice returns what to do about a change that was not made.
func (e *AwayError) Advice() string { return "make the same request again once the store is back" }

// SlowError means that the database takes changes, and has confirmed none for a while.
type SlowError struct {
	At        string
	For       time.Duration
	CauseText string // why, as CauseOf says it; "" = nobody knows
}

func (e *SlowError) Error() string {
	text := fmt.Sprintf("the store at %s has confirmed nothing for %d s", e.At, int(e.For.Seconds()))
	if e.CauseText != "" {
		text += ", and " + e.CauseText
	}
	return text
}

// Cause is that of CauseOf.
func (e *SlowError) Cause() string { return e.CauseText }

// Advice returns what to do about a change that was not made.
func (e *SlowError) Advice() string { return "make the same request again once the store is back" }

// CauseOf returns why a store takes no changes, in words that go on after "the store" and name no address, no user and no file: anybody
// may read them. "" where err does not say.
func CauseOf(err error) string {
	type caused interface {
		error
		Cause() string
	}
	if e, is := errors.AsType[caused](err); is {
		return e.Cause()
	}
	return ""
}

// IsAway reports whether an error is that of a database that does not answer.
func IsAway(err error) bool {
	_, away := errors.AsType[*AwayError](err)
	return away
}

// ErrPlaceTaken means that another program writes in the place of this one, as a copy of its folder does.
var ErrPlaceTaken = errors.New("another program has the place of this one")

// SharedMark is what store.mark begins with in the folder of a server that shares its store. A program that
// would open a store of its own beside it must not: what was paid is in the shared one.
const SharedMark = "billfold shared store mark 1"

// OwnMark is what it begins with where the wallet has a store of its own.
const OwnMark = "billfold store mark 1"
