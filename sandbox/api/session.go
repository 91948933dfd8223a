package api

import (
	"encoding/json"
	"slices"
	"sync"

	"billfold/ledger"
	"billfold/sandbox/chain"
)

// Method carries out one call with its raw arguments.
type Method func(s *Session, args []json.RawMessage) (any, error)

// Set is a set of methods with the name by which a client enables it. It is
// immutable.
type Set struct {
	name    string
	methods map[string]Method
}

// NewSet returns a set of the methods.
func NewSet(name string, methods map[string]Method) *Set { return &Set{name, methods} }

// Method returns the method with that name, or nil.
func (a *Set) Method(name string) Method { return a.methods[name] }

// Listing returns the names with their numbers, which the node adds to the error
// for an unknown method.
func (a *Set) Listing() []any {
	names := make([]string, 0, len(a.methods))
	for name := range a.methods {
		names = append(names, name)
	}
	slices.Sort(names)
	list := make([]any, len(names))
	for i, name := range names {
		list[i] = []any{name, i}
	}
	return list
}

// hasName reports whether name is the set's, with or without "_api".
func (a *Set) hasName(name string) bool { return name == a.name || name == a.name+"_api" }

// Node is what the methods of all connections share.
type Node struct {
	Chain     *chain.Chain
	Access    *Access
	Monitor   *Monitor
	Identity  Identity
	Developer *Set // called by name without being enabled
}

// Identity is what the node reports about itself.
type Identity interface {
	// ChainID returns the chain id that the node claims.
	ChainID() ledger.ChainID
	// OwnClock reports whether the age of the head block means nothing.
	OwnClock() bool
	// Now returns the time by which blocks are made.
	Now() ledger.Time
	// ListensOn returns the address with port, or "".
	ListensOn() string
}

// Broadcaster adds transactions from one connection to the pending ones.
type Broadcaster interface {
	// Broadcast adds a transaction. Unless callback is nil, it also requests a
	// notice to the callback for when the transaction is in a block.
	Broadcast(tx *ledger.SignedTransaction, callback *uint64) error
}

// Session is the state of one connection: the sets it may call and the notices it
// wants. Calls come one after another; Callbacks may be read at any time.
type Session struct {
	*Node
	Callbacks   Callbacks
	broadcaster Broadcaster
	granted     []string // names of the sets that logins have granted
	sets        []*Set   // enabled sets, by their ids on this connection
}

// Callbacks are the client's numbers for the notices it wants. They are safe for
// concurrent use.
type Callbacks struct {
	mu              sync.Mutex
	onBlock, onPend *uint64
}

func (c *Callbacks) setBlock(n uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onBlock = &n
}

func (c *Callbacks) setPending(n uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onPend = &n
}

// Block returns the callback for new blocks, or nil.
func (c *Callbacks) Block() *uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.onBlock
}

// Pending returns the callback for new pending transactions, or nil.
func (c *Callbacks) Pending() *uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.onPend
}
