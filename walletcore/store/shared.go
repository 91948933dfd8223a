package store

import (
	"context"
	"errors"
)

// Sharing is an engine whose store several servers use at once. Each follows the payments that it
// owns: those that it made, and those that it took over from servers whose lease ended.
type Sharing interface {
	// Server is the id of this one.
	Server() string

	// TakeOver gives this server the open payments of those that are gone, as unknown where
	// they may have been sent; false when there were none. After an error they may be its own.
	TakeOver(ctx context.Context) (bool, error)

	// Fault says why nothing can be written now; nil when all is well.
	Fault() error
}

// AwayError means that the database does not answer: nothing is known of what it holds.
type AwayError struct {
	At, Why string
	Err     error // what the connection said
}

func (e *AwayError) Error() string { return "the store at " + e.At + " does not answer: " + e.Why }

// Unwrap returns what the connection said.
func (e *AwayError) Unwrap() error { return e.Err }

// IsAway reports whether an error is that of a database that does not answer.
func IsAway(err error) bool {
	_, away := errors.AsType[*AwayError](err)
	return away
}

// SharedMark is what store.mark begins with in the folder of a server that shares its store. A program that
// would open a store of its own beside it must not: what was paid is in the shared one.
const SharedMark = "billfold shared store mark 1"
