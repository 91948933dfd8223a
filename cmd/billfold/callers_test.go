package main

import (
	"slices"
	"strings"
	"testing"
)

// The start line names everybody who may call, including web pages and other host names.
func TestStartLineNamesAllWhoMayCall(t *testing.T) {
	t.Parallel()
	p := start(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--rpc-ws=127.0.0.1:0", "--rpc-allow-origin=HTTPS://shop.example:443", "--rpc-allow-host=wallet.example")
	p.line(`^(rpc: http \S+: any program of this machine, no token, also under the host name wallet\.example; ` +
		`websocket \S+: any program of this machine and web pages of https://shop\.example, no token, also under the host name wallet\.example; spends allowed;)`)
}

func TestPoliciesOfTheStartLine(t *testing.T) {
	for flags, want := range map[string]string{
		"--rpc-http":                                     "spends allowed",
		"--rpc-http --rpc-auth":                          "spends allowed within each token's limits",
		"--rpc-socket --rpc-auth":                        "spends allowed within each token's limits, and without limits over the socket without a token",
		"--rpc-http --rpc-socket --rpc-auth":             "spends allowed within each token's limits, and without limits over the socket without a token",
		"--rpc-socket --rpc-auth --rpc-spends=deny":      "spends denied",
		"--rpc-http --rpc-socket=/x/y --rpc-spends=deny": "spends denied",
	} {
		s, err := readSettings(t, "", strings.Fields(flags)...)
		must(t, err)
		if got := s.policies()[0]; got != want {
			t.Errorf("%s: %q", flags, got)
		}
	}
}

func TestOrigins(t *testing.T) {
	for text, want := range map[string]string{
		"https://shop.example": "https://shop.example", "https://Shop.Example:443": "https://shop.example", "http://localhost:80": "http://localhost",
		"http://localhost:3000": "http://localhost:3000", "https://shop.example:80": "https://shop.example:80", "http://[::1]:3000": "http://[::1]:3000",
		"http://[::1]": "http://[::1]", "HTTP://127.0.0.1:08080": "http://127.0.0.1:8080",
	} {
		if got := origins([]string{text}); checkOrigin(text) != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%s is %q", text, got)
		}
	}
	for _, text := range []string{"", "null", "*", "shop.example", "htps://shop.example", "ws://shop.example", "https://", "https:///", "https://shop.example/", "https://a/b",
		"https://*.example", "https://a:0", "https://a:65536", "https://a:", "https://a:b", "https://ann@a", "https://a;b", "https://::1", "https://[a]", "https://ä.example", "https://a?b", "https://a#b"} {
		if checkOrigin(text) == nil || len(origins([]string{text})) != 0 {
			t.Errorf("%q is taken for an origin", text)
		}
	}
	for _, host := range []string{"localhost:9000", "wallet.example", "[::1]:1", "192.0.2.1"} {
		must(t, checkHost(host))
	}
	for _, host := range []string{"", "*", "a:0", "a:", "a:99999", "http://a", "a/b", "a;b", "::1"} {
		if checkHost(host) == nil {
			t.Errorf("%q is taken for a host", host)
		}
	}
}
