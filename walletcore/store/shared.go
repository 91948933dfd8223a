package store

import "context"

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

// SharedMark is what store.mark begins with in the folder of a server that shares its store. A program that
// would open a store of its own beside it must not: what was paid is in the shared one.
const SharedMark = "billfold shared store mark 1"
