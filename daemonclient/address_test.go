package daemonclient_test

import (
	"strings"
	"testing"

	"billfold/daemonclient"
)

// One daemon under two spellings is not two, and its answer never counts twice.
func TestOneDaemonUnderTwoSpellings(t *testing.T) {
	for _, same := range [][]string{
		{"ws://127.0.0.1:22002", "ws://127.0.0.1:22002", "ws://localhost:22002", "ws://LOCALHOST:22002/", "WS://127.0.0.1:22002", "ws://127.0.0.1:022002",
			"ws://127.0.0.2:22002", "ws://[::1]:22002", "ws://[0:0:0:0:0:0:0:1]:22002", "ws://[::ffff:127.0.0.1]:22002", "ws://0.0.0.0:22002", "ws://[::]:22002",
			"ws://localhost.:22002", "ws://a.localhost:22002", "wss://127.0.0.1:22002", "ws://127.0.0.1:22002/other"},
		{"wss://node.example", "wss://NODE.example:443", "wss://node.example./", "wss://node.example:443/ws"},
		{"ws://node.example", "ws://node.example:80"},
		{"ws://[2001:db8::1]:1", "ws://[2001:DB8:0::1]:1"},
		{"ws://192.0.2.1:1", "ws://[::ffff:192.0.2.1]:1"},
	} {
		for _, other := range same[1:] {
			list := []string{same[0], other}
			err := daemonclient.CheckAddresses(list)
			if err == nil || !strings.Contains(err.Error(), " twice") || !strings.Contains(err.Error(), same[0]) ||
				!strings.Contains(strings.ToLower(err.Error()), strings.ToLower(other)) {
				t.Errorf("%q: %v", list, err)
			}
			if err := daemonclient.CheckQuorum(2, list); err == nil || !strings.Contains(err.Error(), "--daemon-url names 1;") {
				t.Errorf("%q as a quorum: %v", list, err)
			}
			if other != same[0] {
				if err := daemonclient.New(
					daemonclient.Config{URLs: list}).Run(
					t.Context(),
				); err == nil ||
					!strings.Contains(err.Error(), " twice") {
					t.Errorf("%q run: %v", list, err)
				}
			}
		}
	}
	different := []string{"ws://127.0.0.1:1", "ws://127.0.0.1:2", "ws://one.example", "ws://two.example", "wss://one.example", "ws://192.0.2.1:1", "ws://192.0.2.2:1",
		"ws://[2001:db8::1]:1", "ws://localhost.example:1"}
	if err := daemonclient.CheckAddresses(different); err != nil {
		t.Error(err)
	}
	if err := daemonclient.CheckQuorum(len(different), different); err != nil {
		t.Error(err)
	}
}

func TestAddressesThatAreNone(t *testing.T) {
	for _, address := range []string{
		"", "node.example", "localhost:8090", "http://a:1", "://secret", "ws:a", "ws:", "ws://", "ws:///path", "ws://:1", "ws://a:", "ws://a:0", "ws://a:65536",
		"ws://127.0.0.1:220011", "ws://a:-1", "ws://a:secret", "ws://a:1;ws://b:2", "ws://a;ws://b", "ws://a;b:1", "ws://a b:1", "ws://a:1 ", "ws://a%20b:1", "ws://a..b:1",
		"ws://-a:1", "ws://127.1:1", "ws://2130706433:1", "ws://0x7f.1:1", "ws://0x7f000001:1", "ws://127.0.0.1.:1", "ws://[::1", "ws://[localhost]:1", "ws://ä:1",
		"ws://a:1#b", "ws://a:1#", "ws://a:1?x=secret", "ws://a:1?", "ws://ann:secret@a:1", "ws://secret@a:1", "ws://a:1/secret@b", "wss://a:1\n", "ws://*:1",
	} {
		err := daemonclient.CheckAddress(address)
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, address := range []string{"ws://127.0.0.1:8090", "wss://node.example", "wss://Node-1.example:8090/", "ws://a:1/ws/", "ws://[::1]:65535", "ws://a_b:1", "ws://xn--4ca:1"} {
		if err := daemonclient.CheckAddress(address); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
}
