package walletcore_test

import (
	"strings"
	"testing"

	"billfold/walletcore/spelling"
)

func TestNearest(t *testing.T) {
	names := []string{"rpc-auth", "rpc-tls", "rpc-tls-cert", "theme", "tui", "data-dir"}
	for written, want := range map[string]string{
		"rpc-auht": "rpc-auth", "RPC_AUTH": "rpc-auth", "rpcauth": "rpc-auth", "rpc.auth": "rpc-auth", "rpc-tsl-cert": "rpc-tls-cert",
		"them": "theme", "tiu": "tui", "datadir": "data-dir", "password": "", "x": "", "": "", strings.Repeat("rpc-auth", 100): "",
	} {
		if got := spelling.Nearest(written, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", written, got, want)
		}
	}
}

// A word of a request counts as misspelt only if few letters differ: most unknown words were meant as written.
func TestNearestWithinALimit(t *testing.T) {
	for _, c := range []struct {
		written, word string
		letters       int
		want          bool
	}{
		{"parms", "params", 2, true},
		{"Prams", "params", 2, true},
		{"dryRun", "dry_run", 1, true},
		{"parent", "params", 2, false},
		{"requestId", "request_key", 1, false},
		{strings.Repeat("p", 1<<20), "params", 2, false},
	} {
		if got := spelling.Within(c.written, c.word, c.letters); got != c.want {
			t.Errorf("%.20q, %q: %v", c.written, c.word, got)
		}
	}
}

func FuzzDistance(f *testing.F) {
	f.Add("alice", "alcie")
	f.Add("", "x")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 63 || len(b) > 63 {
			return
		}
		d := spelling.Distance(a, b)
		if back := spelling.Distance(b, a); d != back {
			t.Errorf("%q %q: %d one way, %d the other", a, b, d, back)
		}
		if (d == 0) != (a == b) {
			t.Errorf("%q %q: %d", a, b, d)
		}
	})
}
