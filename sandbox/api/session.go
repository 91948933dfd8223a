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

// Set is a set of methods under the name that a client enables it by. It never
// changes.
type Set struct {
	name    string
	methods map[string]Method
}

// NewSet returns a set of the methods.
func NewSet(name string, methods map[string]Method) *Set { return &Set{name, methods} }

// Method returns the method of that name, or nil.
func (a *Set) Method(name string) Method { return a.methods[name] }

// Listing is what the node adds to "no such method": names with their numbers.
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

// is reports whether the name is the set's, with or without "_api".
func (a *Set) is(name string) bool { return name == a.name || name == a.name+"_api" }

// Node is what the methods of all connections work with.
type Node struct {
	Chain     *chain.Chain
	Access    *Access
	Monitor   *Monitor
	Identity  Identity
	Developer *Set // is called by name without being enabled
}

// Identity is what the node reports about itself.
type Identity interface {
	// ChainID is the chain id that the node claims.
	ChainID() ledger.ChainID
	// OwnClock reports whether the age of the head block means nothing.
	OwnClock() bool
	// Now is the time that blocks are made by.
	Now() ledger.Time
	// ListensOn is the address with port, or "".
	ListensOn() string
}

// Broadcaster puts transactions of one connection into the pending list.
type Broadcaster interface {
	// Broadcast also asks for a notice to the callback when the transaction is in
	// a block, unless callback is nil.
	Broadcast(tx *ledger.SignedTransaction, callback *uint64) error
}

// Session is what one connection may call and is notified of. Calls come one
// after another; Callbacks may be read meanwhile.
type Session struct {
	*Node
	Callbacks   Callbacks
	broadcaster Broadcaster
	granted     []string // names of sets, by logins
	sets        []*Set   // by the id this connection knows them by
}

// Callbacks are the numbers that a client gave for the notices it wants.
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

// Block is the callback for new blocks, or nil.
func (c *Callbacks) Block() *uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.onBlock
}

// Pending is the callback for new pending transactions, or nil.
func (c *Callbacks) Pending() *uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.onPend
}
