package main

import (
	"fmt"
	"net"
	"strings"

	"billfold/rpcserver/audit"
	"billfold/rpcserver/token"
)

// callers says in one line who may call the wallet, over what, and under which
// policy, such as
//
//	rpc: http 127.0.0.1:8093: any program of this machine, no token; spends allowed
func (s *settings) callers(v *service) string {
	var parts []string
	encrypted := ""
	if v.identity != nil {
		encrypted = " (TLS)"
	}
	http, ws := v.HTTPAddr(), v.WSAddr()
	switch {
	case http != "" && ws != "" && s.callersAt(http) == s.callersAt(ws):
		parts = append(parts, "http "+http+" and websocket "+ws+encrypted+": "+s.callersAt(http))
	default:
		if http != "" {
			parts = append(parts, "http "+http+encrypted+": "+s.callersAt(http))
		}
		if ws != "" {
			parts = append(parts, "websocket "+ws+encrypted+": "+s.callersAt(ws))
		}
	}
	if path := v.Socket(); path != "" {
		parts = append(parts, "socket "+path+": programs of this user, no token")
	}
	parts = append(parts, s.policies()...)
	if !s.rpcAuth && (http != "" || ws != "") {
		parts = append(parts, unasked(v.tokens)...)
	}
	return "rpc: " + strings.Join(parts, "; ")
}

// unasked says that tokens were made and nobody is asked for one.
func unasked(tokens *token.Store) []string {
	list, err := tokens.List()
	switch {
	case err != nil || len(list) == 0:
		return nil
	case len(list) == 1:
		return []string{"1 token exists, but programs need none: --rpc-auth asks for it"}
	}
	return []string{fmt.Sprintf("%d tokens exist, but programs need none: --rpc-auth asks for them", len(list))}
}

func (s *settings) callersAt(addr string) string {
	from := "of this machine"
	if host, _, err := net.SplitHostPort(addr); err == nil && !net.ParseIP(host).IsLoopback() {
		from = "of any machine that reaches it"
	}
	if s.rpcAuth {
		return "programs " + from + " with a token"
	}
	return "any program " + from + ", no token"
}

// policies says what those who may call may do.
func (s *settings) policies() []string {
	spends := s.policyAbout("spends", s.spends)
	if s.spends == audit.Allow && s.rpcAuth {
		spends += " within each token's limits"
	}
	return []string{spends, s.policyAbout("keys and password", s.keys)}
}

func (s *settings) policyAbout(what string, policy audit.Policy) string {
	switch {
	case policy == audit.Allow:
		return what + " allowed"
	case policy == audit.Ask && s.tui:
		return what + " asked for at the terminal"
	case policy == audit.Ask:
		return what + " denied (nobody can be asked without --tui)"
	}
	return what + " denied"
}
