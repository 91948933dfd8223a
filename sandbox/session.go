package sandbox

import (
	"encoding/json"
	"sync"
	"time"

	"billfold/ledger/codec"
	"billfold/sandbox/chain/nodeerr"
)

// session is what one connection may call and wants to be told. Its methods
// run on the connection's reader alone, except those of callbacks.
type session struct {
	sandbox   *Sandbox
	line      *line     // nil over HTTP
	granted   []*apiSet // by logins
	sets      []*apiSet // by the id this connection knows them by
	callbacks callbacks
	developer bool          // faults do not concern it
	lag       time.Duration // of the last answer, because of its method
}

// newSession begins with the database set as 0 and the login set as 1; over
// HTTP, which keeps no session, with the database set alone.
func newSession(s *Sandbox, l *line) *session {
	if l == nil {
		return &session{sandbox: s, sets: []*apiSet{&databaseSet}}
	}
	return &session{sandbox: s, line: l, sets: []*apiSet{&databaseSet, &loginSet}}
}

// enable gives the id of a set on this connection, a new one the first time.
func (s *session) enable(set *apiSet) int {
	for id, have := range s.sets {
		if have == set {
			return id
		}
	}
	s.sets = append(s.sets, set)
	return len(s.sets) - 1
}

// setOf finds the set that a call names by id, or by name with or without "_api".
func (s *session) setOf(ref json.RawMessage) (*apiSet, *nodeerr.Fault) {
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
	if name == developerSet.name || name == developerSet.name+"_api" {
		return &developerSet, nil
	}
	for _, set := range s.sets {
		if name == set.name || name == set.name+"_api" {
			return set, nil
		}
	}
	return nil, nodeerr.New(nodeerr.CodeNoAPIName, "get_api_id_from_name", "api_id < _local_apis.size(): API name: ${name}", nodeerr.Data{"name": name})
}

// notice sends args to a callback of the client; nil asks for none.
func (s *session) notice(callback *uint64, arg any) {
	if callback == nil || s.line == nil {
		return
	}
	frame, err := codec.Marshal(notice{Method: "notice", Params: []any{*callback, []any{arg}}})
	if err == nil {
		s.line.notice(frame)
	}
}

type notice struct {
	Method string `json:"method"`
	Params []any  `json:"params"`
}

// callbacks are the numbers a client gave for what it wants to be told.
type callbacks struct {
	mu              sync.Mutex
	onBlock, onPend *uint64
}

func (c *callbacks) setBlock(n uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onBlock = &n
}

func (c *callbacks) setPending(n uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onPend = &n
}

func (c *callbacks) block() *uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.onBlock
}

func (c *callbacks) pending() *uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.onPend
}
