package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Sharing is an engine whose store several servers use at once. Each follows the payments that it owns: those that it
// made, and those that it took over from servers whose lease ended.
type Sharing interface {
	// Server returns the id of this server.
	Server() string

	// TakeOver moves the open payments of servers that are gone to this one, as unknown if they may have been sent. It
	// reports false if there were none. After an error they may be this server's.
	TakeOver(ctx context.Context) (bool, error)

	// Report records whether this server can follow payments, and whether its wallet is locked. One that cannot follow leaves its own to
	// those that can.
	Report(ctx context.Context, able, locked bool) error
}

// Holding is an engine that pays nothing new while it may lack payments that were made.
type Holding interface {
	// Fault returns why nothing can be written or paid now; nil if everything is well.
	Fault() error

	// Hold returns why nothing new is paid; the zero Hold if new payments are made.
	Hold(ctx context.Context) (Hold, error)

	// NoteAnswered records, before a claimed payment is returned to any request, that it belongs to its request key for ever.
	NoteAnswered(ctx context.Context, id string) error

	// Generation returns the number of holds that have ended, and whether there are found payments that are not claimed.
	Generation() (n int64, found bool)
}

// Recovering is an engine that several servers use, which ends a hold by itself where it can.
type Recovering interface {
	// NoteRewritten records that this server has written back what it remembers. Ambiguous, if not "", is what no
	// program can decide; the hold then ends only with Renew.
	NoteRewritten(ctx context.Context, ambiguous string) error

	// EndHold ends h, together with other changes, once the ledger was searched from h.From on and every server that is waited for has
	// compared what it knows. Error: ErrStillHeld, also where more turned out to be missing meanwhile.
	EndHold(ctx context.Context, h Hold, with ...Change) error
}

// Hold is the reason why nothing new is paid.
type Hold struct {
	Why    string
	Since  time.Time // by the database's clock
	Search bool      // it ends once the ledger was searched for what is missing
	From   uint32    // a block from before what is missing; 0 = none is known
}

// ErrStillHeld means that a server is still waited for, that more is to be searched for, or that only a person can end the hold.
var ErrStillHeld = errors.New("the store is still held")

// AwayError means that the database does not answer: nothing is known about what it holds.
type AwayError struct {
	At, Why   string
	Refuses   bool   // it answers, but does not serve; Why says what to do
	Passing   bool   // it does not serve at the moment, as while it starts, and may without anybody's doing
	CauseText string // what CauseOf returns; "" = it does not answer
	Err       error  // error of the connection
}

func (e *AwayError) Error() string {
	if e.Refuses {
		return "the store at " + e.At + " cannot be used: " + e.Why
	}
	return "the store at " + e.At + " does not answer: " + e.Why
}

// Public returns the sentence for callers, without addresses and the role.
func (e *AwayError) Public() string {
	return "the store that the servers share " + cmp.Or(e.CauseText, "does not answer")
}

// Unwrap returns the error of the connection.
func (e *AwayError) Unwrap() error { return e.Err }

// Cause returns the cause for CauseOf.
func (e *AwayError) Cause() string { return e.CauseText }

// Advice returns what to do about a change that was not made.
func (e *AwayError) Advice() string { return "make the same request again once the store is back" }

// SlowError means that the database accepts changes but has confirmed none for a while.
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

// Cause returns the cause for CauseOf.
func (e *SlowError) Cause() string { return e.CauseText }

// Advice returns what to do about a change that was not made.
func (e *SlowError) Advice() string { return "make the same request again once the store is back" }

// CauseOf returns why a store accepts no changes, in words that continue "the store" and name no address, user or file,
// so that anybody may read them. It returns "" if err does not say.
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

// IsAway reports whether err is that of a database that does not answer.
func IsAway(err error) bool {
	_, away := errors.AsType[*AwayError](err)
	return away
}

// ErrPlaceTaken means that another program writes in place of this one, as a copy of its folder would.
var ErrPlaceTaken = errors.New("another program has the place of this one")

// SharedMark is the beginning of store.mark in the folder of a server that shares its store. A program must not open a store
// of its own beside it, because that would lack what was paid in the shared one.
const SharedMark = "billfold shared store mark 1"

// OwnMark is the beginning of store.mark if the wallet has a store of its own.
const OwnMark = "billfold store mark 1"

// ofServers reports whether an engine's store is one that several servers share, whether or not the engine is one of them.
func ofServers(e Engine) bool {
	_, shared := e.(interface{ KeepsTokens() })
	return shared
}
