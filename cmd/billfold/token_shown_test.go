package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/walletcore/testwallet"
)

// newToken makes a token with billfold token new.
func newToken(t *testing.T, folder string, args ...string) string {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command(program, append([]string{"token", "new", "--data-dir", folder}, args...)...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "HOME="+folder)
	text, err := cmd.Output()
	must(t, err)
	return strings.TrimSpace(string(text))
}

// Without --rpc-auth a caller without a token is "anybody", but a token that is sent is
// still checked, over HTTP and on the unix socket.
func TestSentTokenIsAlwaysChecked(t *testing.T) {
	t.Parallel()
	folder, socket := t.TempDir(), filepath.Join(testwallet.SocketFolder(t), "s")
	limited := newToken(t, folder, "few", "--methods", "is_locked,transfer", "--per-payment", "5 DCT")
	p := start(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--rpc-socket="+socket, "--data-dir", folder)
	url := p.line(`wallet API over HTTP on (\S+)`)
	p.line(`(1 token exists, but programs need none: --rpc-auth asks for it)`)
	revoked := newToken(t, folder, "gone")
	program, err := os.Executable()
	must(t, err)
	revoke := exec.Command(program, "token", "revoke", "gone", "--data-dir", folder)
	revoke.Env = append(os.Environ(), asProgram+"=1", "HOME="+folder)
	must(t, revoke.Run())

	local := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}
	for via, client := range map[string]*http.Client{"HTTP": {Timeout: 20 * time.Second}, "the socket": {Timeout: 20 * time.Second,
		Transport: local}} {
		defer client.CloseIdleConnections()
		if text := ask(t, client, url, "", "unlock", `["sandbox"]`); strings.Contains(text, `"error"`) {
			t.Fatalf("over %s who shows nothing is told %s", via, text)
		}
		for _, c := range []struct{ credential, method, params, want string }{
			{limited, "is_locked", `[]`, `"result":false`},
			{limited, "transfer", `["alice","bobby","4","DCT","",false]`, `"result":{`},
			{limited, "transfer", `["alice","bobby","6","DCT","",false]`, `"name":"forbidden"`},
			{limited, "dump_private_keys", `[]`, `"name":"forbidden"`},
			{"billfold_wrong", "is_locked", `[]`, `"name":"unauthorized"`},
			{limited + "x", "is_locked", `[]`, `"name":"unauthorized"`},
			{revoked, "is_locked", `[]`, `"name":"unauthorized"`},
			{" ", "is_locked", `[]`, `"name":"unauthorized"`},
			{"", "transfer", `["alice","bobby","6","DCT","",false]`, `"result":{`},
		} {
			if text := ask(t, client, url, c.credential, c.method, c.params); !strings.Contains(text, c.want) {
				t.Errorf("over %s, %q calls %s%s: %.200s, want %s", via, c.credential, c.method, c.params, text, c.want)
			}
		}
	}
}
