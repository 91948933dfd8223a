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
