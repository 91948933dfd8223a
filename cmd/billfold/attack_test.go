package main_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/rpcserver"
	"billfold/rpcserver/attack"
	"billfold/rpcserver/audit"
	"billfold/rpcserver/auth/certificate"
	"billfold/rpcserver/auth/token"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
)

// quick are limits that end slow clients soon; all others are the defaults.
var quick = rpcserver.Limits{HeaderTime: time.Second, ReadTime: 2 * time.Second, Connections: 64}

// serve runs a server until the test ends and returns it as a target.
func serve(t *testing.T, o rpcserver.Options) attack.Target {
	t.Helper()
	o.HTTPAddr, o.WSAddr, o.Limits = "127.0.0.1:0", "127.0.0.1:0", quick
	o.Caller = rpcserver.CallerFunc(func(ctx context.Context, method string, _ rpcserver.Params) (json.RawMessage, error) {
		if method == "wait_payment" {
			<-ctx.Done()
		}
		return json.RawMessage("true"), nil
	})
	o.Pace = func(method string) walletapi.Pace {
		return map[string]walletapi.Pace{"wait_payment": walletapi.PaceWaits}[method]
	}
	s, err := rpcserver.New(o)
	testwallet.Must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		testwallet.Must(t, <-served)
	})
	return attack.Target{HTTP: s.HTTPAddr(), WS: s.WSAddr(), Patience: 8 * time.Second, Waits: "order", Connections: 150}
}

// withTokens makes the tokens of an attack, and serves with an authenticator that knows them.
func withTokens(t *testing.T, o rpcserver.Options) attack.Target {
	t.Helper()
	store, err := token.OpenStore(filepath.Join(t.TempDir(), "rpc-tokens.json"))
	testwallet.Must(t, err)
	o.Authenticator = token.NewAuthenticator(store, nil, token.Ledger{})
	kept, err := sqlite.Open(filepath.Join(t.TempDir(), sqlite.Name))
	testwallet.Must(t, err)
	t.Cleanup(func() { testwallet.Must(t, kept.Close()) })
	o.Decider = audit.NewDecider(audit.Rules{Spends: audit.Allow, Keys: audit.Deny, Guarded: true}, audit.NewLog(kept.Audit), nil)
	target := serve(t, o)
	for method, credential := range map[string]*string{"is_locked": &target.Token, "is_new": &target.Narrow, "about": &target.Revoked} {
		scope := token.Scope{Methods: []string{method}}
		if method == "is_locked" {
			scope.Methods = append(scope.Methods, "wait_payment")
		}
		_, *credential, err = store.New(method, scope)
		testwallet.Must(t, err)
	}
	_, target.Keys, err = store.New("keys", token.Scope{Groups: []string{"all:all"}})
	testwallet.Must(t, err)
	_, target.Reader, err = store.New("reader", token.Scope{Groups: []string{"Accounts"}})
	testwallet.Must(t, err)
	_, err = store.Revoke("about")
	testwallet.Must(t, err)
	return target
}

// The everyday suite makes those attacks that need no token: see TestAttacksWithoutTokensAreSkipped.
func TestEveryAttackIsRefused(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	findings, err := attack.Run(t.Context(), withTokens(t, rpcserver.Options{AllowedHosts: []string{"pay.example"}, AllowedOrigins: []string{"https://pay.example"}}))
	testwallet.Must(t, err)
	for _, f := range findings {
		if f.Outcome != attack.Refused || f.Detail == "" {
			t.Errorf("%s: %s: %d %s", f.Port, f.Attack, f.Outcome, f.Detail)
		}
	}
	if len(findings) < 56 {
		t.Errorf("only %d attacks were tried", len(findings))
	}
}

// A port refuses with TLS what it refuses without, since the same handlers serve both.
func TestEveryAttackIsRefusedOverTLS(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	id, err := certificate.Own(t.TempDir(), nil, nil)
	testwallet.Must(t, err)
	target := withTokens(t, rpcserver.Options{TLS: id.Config()})
	target.TLS = trusting()
	findings, err := attack.Run(t.Context(), target)
	testwallet.Must(t, err)
	for _, f := range findings {
		if f.Outcome != attack.Refused {
			t.Errorf("%s: %s: %d %s", f.Port, f.Attack, f.Outcome, f.Detail)
		}
	}
}

func TestAttacksWithoutTokensAreSkipped(t *testing.T) {
	t.Parallel()
	findings, err := attack.Run(t.Context(), serve(t, rpcserver.Options{}))
	testwallet.Must(t, err)
	skipped := 0
	for _, f := range findings {
		if f.Outcome == attack.Skipped && strings.Contains(f.Detail, "--rpc-auth") {
			skipped++
		} else if f.Outcome != attack.Refused {
			t.Errorf("%s: %s: %d %s", f.Port, f.Attack, f.Outcome, f.Detail)
		}
	}
	if skipped != 18 {
		t.Errorf("%d attacks were skipped", skipped)
	}
}

// naive is a server without any protection: it answers everything, one call at a time.
type naive struct{ one sync.Mutex }

func (n *naive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range map[string]string{"Origin": "*", "Headers": "*", "Methods": "POST"} {
		w.Header().Set("Access-Control-Allow-"+name, value)
	}
	if !websocket.IsWebSocketUpgrade(r) {
		if _, err := io.Copy(io.Discard, r.Body); err == nil {
			n.one.Lock()
			defer n.one.Unlock()
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
		_, text, err := conn.ReadMessage()
		if err != nil {
			return
		}
		if strings.Contains(string(text), "wait_payment") {
			n.one.Lock()
			for err == nil { // until the client leaves
				_, _, err = conn.ReadMessage()
			}
			n.one.Unlock()
			return
		}
		if conn.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"result":true}`)) != nil {
			return
		}
	}
}

// narrowListener accepts no more than a few connections at a time.
type narrowListener struct {
	net.Listener
	places chan struct{}
}

func (l *narrowListener) Accept() (net.Conn, error) {
	l.places <- struct{}{}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &narrowConn{Conn: conn, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

type narrowConn struct {
	net.Conn
	leave func()
}

func (c *narrowConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// Every attack must succeed on a naive server, since an attack that cannot succeed proves nothing.
func TestEveryAttackSucceedsOnANaiveServer(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(new(naive))
	s.Listener = &narrowListener{s.Listener, make(chan struct{}, 30)}
	s.Config.MaxHeaderBytes = 8 << 20
	s.Start()
	defer s.Close()
	addr := strings.TrimPrefix(s.URL, "http://")
	target := attack.Target{
		HTTP: addr, WS: addr, Patience: 1500 * time.Millisecond, Token: "billfold_a_b",
		Revoked: "billfold_c_d", Narrow: "billfold_e_f", Keys: "billfold_g_h", Reader: "billfold_i_j",
		Waits: "order", Connections: 40,
	}
	findings, err := attack.Run(t.Context(), target)
	testwallet.Must(t, err)
	for _, f := range findings {
		if f.Outcome != attack.Succeeded {
			t.Errorf("%s: %s: %d %s", f.Port, f.Attack, f.Outcome, f.Detail)
		}
	}
}

// A wallet that lets programs use keys is reported. If its settings say so, the attack is skipped.
func TestKeysOpenToProgramsAreAFinding(t *testing.T) {
	t.Parallel()
	target := serve(t, rpcserver.Options{})
	target.Patience, target.Connections, target.Waits = time.Second/2, 1, "" // slow attacks and floods are of no interest here
	open := target
	target.Keys, open.KeysOpen = "billfold_g_h", "the settings say so"
	ofKeys := []string{"a private key is exported", "a private key is imported", "the password is changed"}
	for outcome, target := range map[attack.Outcome]attack.Target{attack.Succeeded: target, attack.Skipped: open} {
		t.Run(fmt.Sprint(outcome), func(t *testing.T) {
			t.Parallel()
			findings, err := attack.Run(t.Context(), target)
			testwallet.Must(t, err)
			found := 0
			for _, f := range findings {
				if !slices.Contains(ofKeys, f.Attack) {
					continue
				}
				if found++; f.Outcome != outcome || f.Detail == "" || outcome == attack.Skipped && f.Detail != open.KeysOpen {
					t.Errorf("%s: %s: %d %s", f.Port, f.Attack, f.Outcome, f.Detail)
				}
			}
			if found != 6 {
				t.Errorf("%d attacks were for keys", found)
			}
		})
	}
}

func TestOnlyThisMachineIsAttacked(t *testing.T) {
	for _, target := range []attack.Target{{}, {HTTP: "192.0.2.1:80"}, {HTTP: "127.0.0.1:1", WS: "192.0.2.1:80"}, {WS: "0.0.0.0:80"},
		{HTTP: "nowhere"}, {HTTP: "127.0.0.1:1"}} {
		if findings, err := attack.Run(t.Context(), target); err == nil {
			t.Errorf("%+v was attacked: %v", target, findings)
		}
	}
}

// trusting returns a TLS configuration that accepts any certificate.
func trusting() *tls.Config { return &tls.Config{InsecureSkipVerify: true} }
