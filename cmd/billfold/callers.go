package main

import (
	"fmt"
	"strings"

	"billfold/rpcserver/audit"
	"billfold/rpcserver/auth/token"
)

// describeCallers describes in one line who may call the wallet, over which listeners and under
// which policy, such as
//
//	rpc: http 127.0.0.1:8093: any program of this machine, no token; spends allowed
//
// Web pages are named only for websockets and the unix socket: over HTTP a browser sends a
// pre-flight request first, which the wallet refuses.
func (s *settings) describeCallers(v *service) string {
	var parts []string
	encrypted := ""
	if v.identity != nil {
		encrypted = " (TLS)"
		if s.clientCA != "" {
			encrypted = " (TLS, with a client's certificate)"
		}
	}
	http, ws := v.HTTPAddr(), v.WSAddr()
	atHTTP, atWS := s.callersAt(http, nil), s.callersAt(ws, s.origins)
	switch {
	case http != "" && ws != "" && atHTTP == atWS:
		parts = append(parts, "http "+http+" and websocket "+ws+encrypted+": "+atHTTP)
	default:
		if http != "" {
			parts = append(parts, "http "+http+encrypted+": "+atHTTP)
		}
		if ws != "" {
			parts = append(parts, "websocket "+ws+encrypted+": "+atWS)
		}
	}
	if path := v.Socket(); path != "" {
		who := "socket " + path + ": programs of this user" + webPages(s.origins) + ", no token"
		if s.socketGroup != 0 {
			who += fmt.Sprintf("; programs of the group %d, %s", s.socketGroup, map[bool]string{true: "with a token", false: "no token"}[s.rpcAuth])
		}
		parts = append(parts, who)
	}
	parts = append(parts, s.policies()...)
	if !s.rpcAuth && (http != "" || ws != "") {
		parts = append(parts, unusedTokens(v.tokens)...)
	}
	return "rpc: " + strings.Join(parts, "; ")
}

// unusedTokens returns a note if tokens exist although none is required.
func unusedTokens(tokens *token.Store) []string {
	list, err := tokens.List()
	switch {
	case err != nil || len(list) == 0:
		return nil
	case len(list) == 1:
		return []string{"1 token exists, but programs need none: --rpc-auth asks for it"}
	}
	return []string{fmt.Sprintf("%d tokens exist, but programs need none: --rpc-auth asks for them", len(list))}
}

// callersAt describes who may call a port, with the web pages that may.
func (s *settings) callersAt(addr string, pages []string) string {
	from := "of this machine"
	if addr != "" && beyondLoopback(addr) {
		from = "of any machine that reaches it"
	}
	who := "any program " + from + webPages(pages) + ", no token"
	if s.rpcAuth {
		who = "programs " + from + webPages(pages) + ", with a token"
	}
	if len(s.hosts) > 0 {
		who += ", also under the host name " + strings.Join(s.hosts, ", ")
	}
	return who
}

func webPages(origins []string) string {
	if len(origins) == 0 {
		return ""
	}
	return " and web pages of " + strings.Join(origins, ", ")
}

// policies describes what callers may do. The socket requires no token, so no limit applies
// there to a caller without one.
func (s *settings) policies() []string {
	spends := s.policyAbout("spends", s.spends)
	switch {
	case s.spends != audit.Allow || !s.rpcAuth:
	case s.rpcSocket == "":
		spends += " within each token's limits"
	default:
		spends += " within each token's limits, and without limits over the socket without a token"
	}
	return []string{spends, s.policyAbout("keys and password", s.keys)}
}

func (s *settings) policyAbout(what string, policy audit.Policy) string {
	switch {
	case policy == audit.Allow:
		return what + " allowed"
	case policy == audit.Ask && (s.tui || s.linear):
		return what + " asked for at the terminal"
	case policy == audit.Ask:
		return what + " denied (nobody can be asked without --tui)"
	}
	return what + " denied"
}
