package rpcserver_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/rpcserver"
	"billfold/walletcore"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
)

// walletState is a wallet between two exchanges.
type walletState struct {
	file     []byte // the keystore, nil while the wallet is new
	password string
	open     bool
	building []call // the calls that made the transactions under construction, which no file keeps
}

// fixture is a wallet with its daemon and its server, at one exchange.
type fixture struct {
	t         testing.TB
	daemon    *recordedDaemon
	wallet    *walletcore.Wallet
	catalogue *walletapi.Catalogue
	server    *rpcserver.Server
	path      string
	state     walletState
	handles   []json.RawMessage // those that the wallet returned, at the places of those that the reference did: 0, 1, …
}

// play sets up the fixture for the exchange at, from the state before it, calls act with
// it, and closes everything.
func play(t testing.TB, rec *recording, at int, before walletState, act func(*fixture)) {
	t.Helper()
	s := &fixture{t: t, daemon: &recordedDaemon{rec: rec, at: at}, state: before}
	s.path = filepath.Join(testwallet.Folder(t), "keystore")
	if before.file != nil {
		s.must(os.WriteFile(s.path, before.file, 0o600))
	}
	url, stop := s.daemon.serve(t)
	defer stop()
	client := daemonclient.New(daemonclient.Config{URL: url})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	ended := make(chan error, 2)
	go func() { ended <- client.Run(ctx) }()
	s.must(client.WaitOnline(ctx))
	s.open(ctx, client)
	s.runSteps(before.building)
	go func() { ended <- s.server.Serve(ctx) }()
	act(s)
	cancel()
	for range 2 {
		s.must(<-ended)
	}
	s.wallet.Vault.Lock()
}

func (s *fixture) open(ctx context.Context, client *daemonclient.Client) {
	s.t.Helper()
	w, err := walletcore.Open(walletcore.Config{
		Path: s.path, Daemon: client, Now: s.daemon.now, OwnClock: true,
		Draw:     func(uint32) uint32 { return 0 }, // the expiration of the reference
		Keystore: &keystore.Options{Params: keystore.Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true},
	})
	s.must(err)
	if s.state.open {
		s.must(w.Vault.Unlock(ctx, s.state.password))
	}
	s.wallet = w
	s.catalogue = walletapi.New(walletapi.Core{Wallet: w, Versions: ledgerview.Versions{Version: "conformance", Build: "test"}})
	s.server, err = rpcserver.New(rpcserver.Options{
		HTTPAddr: "127.0.0.1:0", WSAddr: "127.0.0.1:0",
		Caller: rpcserver.CallerFunc(func(ctx context.Context, method string, p rpcserver.Params) (json.RawMessage, error) {
			return s.catalogue.Call(ctx, method, walletapi.Params{Positional: p.Positional, Named: p.Named})
		}),
	})
	s.must(err)
}

func (s *fixture) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// statesBefore replays all changes of the wallet in order, and returns the state before
// every exchange.
func statesBefore(t testing.TB, rec *recording) []walletState {
	t.Helper()
	states := make([]walletState, len(rec.exchanges))
	play(t, rec, 0, walletState{}, func(s *fixture) {
		for at := range rec.exchanges {
			states[at] = s.state
			if steps := changes(rec.exchanges[at].call()); steps != nil {
				s.daemon.move(at)
				if len(steps) > 1 { // as soon as the account exists
					s.daemon.move(at + 1)
				}
				s.runSteps(steps)
				if strings.HasSuffix(steps[0].Method, "_builder_transaction") {
					s.state.building = append(slices.Clip(s.state.building), steps...)
				}
				s.state.open = !s.wallet.Vault.IsLocked()
				s.state.file, _ = os.ReadFile(s.path)
			}
		}
	})
	return states
}

// changes returns the steps by which an exchange changes the wallet. They include the
// account made from a brain key, for which the reference stored the keys it had derived.
func changes(c call) []call {
	switch c.Method {
	case "set_password", "unlock", "lock", "import_key", "import_single_key",
		"begin_builder_transaction", "add_operation_to_builder_transaction", "replace_operation_in_builder_transaction",
		"set_fees_on_builder_transaction", "remove_builder_transaction":
		return []call{c}
	case "create_account_with_brain_key":
		var steps []call
		// the reference does not keep the owner key
		for _, key := range bobbyKeys()[1:] {
			steps = append(steps, call{"import_single_key", []json.RawMessage{[]byte(`"bobby"`), []byte(`"` + key.WIF() + `"`)}})
		}
		return steps
	}
	return nil
}

// runSteps executes steps. One that fails changes nothing, as in the recording.
func (s *fixture) runSteps(steps []call) {
	for _, step := range steps {
		out, err := s.catalogue.Call(s.t.Context(), step.Method, walletapi.Params{Positional: s.withHandle(step).Params})
		if err == nil && step.Method == beginBuilding {
			s.handles = append(s.handles, out)
		}
		if err == nil && (step.Method == "set_password" || step.Method == "unlock") {
			s.must(json.Unmarshal(step.Params[0], &s.state.password))
		}
	}
}

const beginBuilding = "begin_builder_transaction"

// withHandle returns a call with the handle that the wallet returned in place of the one that the reference did.
func (s *fixture) withHandle(c call) call {
	if !strings.Contains(c.Method, "_builder_transaction") || len(c.Params) == 0 {
		return c
	}
	var recorded int
	if json.Unmarshal(c.Params[0], &recorded) == nil && recorded < len(s.handles) {
		c.Params = append([]json.RawMessage{s.handles[recorded]}, c.Params[1:]...)
	}
	return c
}

// bodyWithHandle is withHandle for the text of a request.
func (s *fixture) bodyWithHandle(x *exchange) string {
	var members map[string]json.RawMessage
	ours := s.withHandle(x.call())
	if len(s.handles) == 0 || json.Unmarshal(x.Request, &members) != nil || len(ours.Params) == 0 ||
		string(ours.Params[0]) == string(x.call().Params[0]) {
		return x.body()
	}
	params, err := json.Marshal(ours.Params)
	s.must(err)
	members["params"] = params
	body, err := json.Marshal(members)
	s.must(err)
	return string(body)
}

// reply is an answer as received; the status is 0 over a websocket.
type reply struct {
	status int
	body   []byte
}

// overWS sends text as one message and returns the answer.
func (s *fixture) overWS(text string) reply {
	s.t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+s.server.WSAddr()+"/", nil)
	s.must(err)
	defer conn.Close()
	s.must(conn.WriteMessage(websocket.TextMessage, []byte(text)))
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, body, err := conn.ReadMessage()
	s.must(err)
	return reply{body: body}
}

// overHTTP posts text and returns the answer.
func (s *fixture) overHTTP(text string) reply {
	s.t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	r, err := client.Post("http://"+s.server.HTTPAddr()+"/rpc", "application/json", strings.NewReader(text))
	s.must(err)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	s.must(err)
	return reply{r.StatusCode, body}
}
