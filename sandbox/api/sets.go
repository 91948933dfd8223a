package api

import (
	"encoding/json"

	"billfold/sandbox/chain/nodeerr"
)

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
func (s *Session) Find(ref json.RawMessage) (*Set, *nodeerr.Fault) {
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
