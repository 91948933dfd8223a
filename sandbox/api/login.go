package api

import (
	"slices"

	"billfold/sandbox/chain/nodeerr"
)

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
