package attack

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"billfold/rpcserver"
	"billfold/rpcserver/certificate"
	"billfold/rpcserver/token"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// quick limits end slow clients soon; everything else is as it is served.
var quick = rpcserver.Limits{HeaderTime: time.Second, ReadTime: 2 * time.Second}

// serve runs a server until the test ends and gives it as a target.
func serve(t *testing.T, o rpcserver.Options) Target {
	t.Helper()
	o.HTTPAddr, o.WSAddr, o.Limits = "127.0.0.1:0", "127.0.0.1:0", quick
	o.Caller = rpcserver.CallerFunc(func(context.Context, string, rpcserver.Params) (json.RawMessage, error) {
		return json.RawMessage("true"), nil
	})
	s, err := rpcserver.New(o)
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		must(t, <-served)
	})
	return Target{HTTP: s.HTTPAddr(), WS: s.WSAddr(), Patience: 8 * time.Second}
}

// withTokens makes the tokens of an attack and the gate that knows them.
func withTokens(t *testing.T, o rpcserver.Options) Target {
	t.Helper()
	store, err := token.OpenStore(filepath.Join(t.TempDir(), "rpc-tokens.json"))
	must(t, err)
	o.Door = token.NewGate(store, nil, nil)
	target := serve(t, o)
	for method, credential := range map[string]*string{"is_locked": &target.Token, "is_new": &target.Narrow, "about": &target.Revoked} {
		_, *credential, err = store.New(method, token.Scope{Methods: []string{method}})
		must(t, err)
	}
	_, err = store.Revoke("about")
	must(t, err)
	return target
}

func TestEveryAttackIsRefused(t *testing.T) {
	t.Parallel()
	findings, err := Run(t.Context(), withTokens(t, rpcserver.Options{AllowedHosts: []string{"pay.example"}, AllowedOrigins: []string{"https://pay.example"}}))
	must(t, err)
	for _, f := range findings {
		if f.Outcome != Refused || f.Detail == "" {
			t.Errorf("%s: %s: %d %s", f.Port, f.Attack, f.Outcome, f.Detail)
		}
	}
	if len(findings) < 40 {
		t.Errorf("only %d attacks were tried", len(findings))
	}
}

func TestEveryAttackIsRefusedOverTLS(t *testing.T) {
	t.Parallel()
	id, err := certificate.Own(t.TempDir(), nil)
	must(t, err)
	target := withTokens(t, rpcserver.Options{TLS: id.Config()})
	target.TLS = trusting()
	findings, err := Run(t.Context(), target)
	must(t, err)
	for _, f := range findings {
		if f.Outcome != Refused {
			t.Errorf("%s: %s: %d %s", f.Port, f.Attack, f.Outcome, f.Detail)
		}
	}
}

func TestWithoutTokensThatIsSaid(t *testing.T) {
	t.Parallel()
	findings, err := Run(t.Context(), serve(t, rpcserver.Options{}))
	must(t, err)
	skipped := 0
	for _, f := range findings {
		if f.Outcome == Skipped && strings.Contains(f.Detail, "--rpc-auth") {
			skipped++
		} else if f.Outcome != Refused {
			t.Errorf("%s: %s: %d %s", f.Port, f.Attack, f.Outcome, f.Detail)
		}
	}
	if skipped != 8 {
		t.Errorf("%d attacks were skipped", skipped)
	}
}

// naive is a server as they have been: it answers everything.
func naive(w http.ResponseWriter, r *http.Request) {
	for name, value := range map[string]string{"Origin": "*", "Headers": "*", "Methods": "POST"} {
		w.Header().Set("Access-Control-Allow-"+name, value)
	}
	if !websocket.IsWebSocketUpgrade(r) {
		if _, err := io.Copy(io.Discard, r.Body); err == nil {
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":true}`)
		}
		return
	}
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	for {
		if _, _, err := conn.ReadMessage(); err != nil {
			return
		}
		if conn.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"result":true}`)) != nil {
			return
		}
	}
}

// An attack that cannot succeed proves nothing.
func TestEveryAttackSucceedsOnANaiveServer(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(naive))
	s.Config.MaxHeaderBytes = 8 << 20
	s.Start()
	defer s.Close()
	addr := strings.TrimPrefix(s.URL, "http://")
	target := Target{HTTP: addr, WS: addr, Patience: 1500 * time.Millisecond, Token: "billfold_a_b", Revoked: "billfold_c_d", Narrow: "billfold_e_f"}
	findings, err := Run(t.Context(), target)
	must(t, err)
	for _, f := range findings {
		if f.Outcome != Succeeded {
			t.Errorf("%s: %s: %d %s", f.Port, f.Attack, f.Outcome, f.Detail)
		}
	}
}

func TestOnlyThisMachineIsAttacked(t *testing.T) {
	for _, target := range []Target{{}, {HTTP: "192.0.2.1:80"}, {HTTP: "127.0.0.1:1", WS: "192.0.2.1:80"}, {WS: "0.0.0.0:80"}, {HTTP: "nowhere"}, {HTTP: "127.0.0.1:1"}} {
		if findings, err := Run(t.Context(), target); err == nil {
			t.Errorf("%+v was attacked: %v", target, findings)
		}
	}
}

// trusting is an attacker's view of certificates.
func trusting() *tls.Config { return &tls.Config{InsecureSkipVerify: true} }
