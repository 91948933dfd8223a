package sandbox

import "billfold/sandbox/chain"

var loginSet = apiSet{name: "login", methods: map[string]method{
	"info":              with0(func(*session) (any, error) { return "login_api", nil }),
	"login":             with2(func(s *session, _, _ string) (any, error) { s.loggedIn = true; return true, nil }),
	"database":          enable(&databaseSet),
	"history":           enable(&historySet),
	"network_broadcast": enable(&broadcastSet),
	"network_node":      enable(nil),
	"crypto":            enable(nil),
	"messaging":         enable(nil),
	"monitoring":        enable(nil),
}}

// enable answers the id of the set on this connection. Before login, and for
// sets that the sandbox does not have, it refuses with code 204.
func enable(set *apiSet) method {
	return with0(func(s *session) (any, error) {
		if !s.loggedIn {
			return nil, chain.NewFault(chain.CodeAPINotAvailable, "enable_api", "_api.valid(): log in first", nil)
		}
		if set == nil {
			return nil, chain.NewFault(chain.CodeAPINotAvailable, "enable_api", "_api.valid(): the sandbox does not have this set", nil)
		}
		return s.enable(set), nil
	})
}
