package sandbox

import (
	"slices"

	"billfold/sandbox/chain/nodeerr"
)

var loginSet = apiSet{name: "login", methods: map[string]method{
	"info":              with0(func(*session) (any, error) { return "login_api", nil }),
	"login":             with2(login),
	"database":          enable(&databaseSet),
	"history":           enable(&historySet),
	"network_broadcast": enable(&broadcastSet),
	"network_node":      enable(&networkNodeSet),
	"crypto":            enable(&cryptoSet),
	"messaging":         enable(&messagingSet),
	"monitoring":        enable(&monitoringSet),
}}

// login grants sets to the connection; what an earlier login granted stays.
func login(s *session, user, password string) (any, error) {
	sets, ok := s.sandbox.access.admit(user, password)
	s.granted = append(s.granted, sets...)
	return ok, nil
}

// enable answers the id of the set on this connection. Before login, and for
// sets that the user may not use, it refuses with code 204.
func enable(set *apiSet) method {
	return with0(func(s *session) (any, error) {
		if !slices.Contains(s.granted, set) {
			return nil, nodeerr.New(nodeerr.CodeAPINotAvailable, set.name, "_"+set.name+"_api.valid(): ", nil)
		}
		return s.enable(set), nil
	})
}
