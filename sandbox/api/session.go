package api

import (
	"encoding/json"
	"slices"
	"sync"

	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/nodeerr"
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

// Node holds what the methods of all connections share.
type Node struct {
	Chain     *chain.Chain
	Access    *Access
	Monitor   *Monitor
	Identity  Identity
	Developer *Set // called by name without being enabled
}

// Identity offers what the node reports about itself.
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

// Database returns the set of calls that name none.
func Database() *Set { return &databaseSet }

// NewSession returns the session of a websocket, with the database set as 0 and
// the login set as 1.
func NewSession(n *Node, b Broadcaster) *Session {
	return &Session{Node: n, broadcaster: b, sets: []*Set{&databaseSet, &loginSet}}
}

// NewPost returns the session of a single call over HTTP, which has only the
// database set.
func NewPost(n *Node) *Session {
	return &Session{Node: n, sets: []*Set{&databaseSet}}
}

// Find returns the set that a call names by id, or by name with or without "_api".
func (s *Session) Find(ref json.RawMessage) (*Set, *nodeerr.Error) {
	var name string
	var id uint64
	if json.Unmarshal(ref, &id) == nil {
		if id < uint64(len(s.sets)) {
			return s.sets[id], nil
		}
		return nil, nodeerr.New(nodeerr.CodeNoAPI, "receive_call", "api_id < _local_apis.size(): ", nil)
	}
	if json.Unmarshal(ref, &name) != nil {
		return nil, nodeerr.New(nodeerr.CodeBadCast, "receive_call", "Invalid cast to an api id or name", nil)
	}
	if s.Developer.hasName(name) {
		return s.Developer, nil
	}
	for _, set := range s.sets {
		if set.hasName(name) {
			return set, nil
		}
	}
	return nil, nodeerr.New(nodeerr.CodeNoAPIName, "get_api_id_from_name", "api_id < _local_apis.size(): API name: ${name}",
		nodeerr.Data{"name": name})
}

var loginSet = Set{name: "login", methods: map[string]Method{
	"info":              With0(func(*Session) (any, error) { return "login_api", nil }),
	"login":             With2(login),
	"database":          enable(&databaseSet),
	"history":           enable(&historySet),
	"network_broadcast": enable(&broadcastSet),
	"network_node":      enable(&networkNodeSet),
	"crypto":            enable(&cryptoSet),
	"messaging":         enable(&messagingSet),
	"monitoring":        enable(&monitoringSet),
}}

// login grants sets to the connection, in addition to those of earlier logins.
func login(s *Session, user, password string) (any, error) {
	sets, ok := s.Access.login(user, password)
	s.granted = append(s.granted, sets...)
	return ok, nil
}

// enable makes a method that returns the id of the set on this connection, which it
// assigns on the first call. Before login, and for sets that the user may not use,
// it fails with code 204.
func enable(set *Set) Method {
	return With0(func(s *Session) (any, error) {
		if !slices.ContainsFunc(s.granted, set.hasName) {
			return nil, nodeerr.New(nodeerr.CodeAPINotAvailable, set.name, "_"+set.name+"_api.valid(): ", nil)
		}
		if id := slices.Index(s.sets, set); id >= 0 {
			return id, nil
		}
		s.sets = append(s.sets, set)
		return len(s.sets) - 1, nil
	})
}
