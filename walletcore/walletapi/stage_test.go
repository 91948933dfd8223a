package walletapi

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/sandbox"
	"billfold/walletcore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const password = "correct horse"

// stage is a catalogue over a wallet of alice, on a ledger of its own.
type stage struct {
	t   testing.TB
	ctx context.Context
	box *sandbox.Sandbox
	api *Catalogue
}

func run(t testing.TB, part func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- part(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("ended with %v", err)
		}
	})
}

// begin starts a ledger and a new wallet on it.
func begin(t testing.TB) *stage {
	t.Helper()
	genesis, err := sandbox.DemoGenesis(time.Now())
	must(t, err)
	box, err := sandbox.New(sandbox.Options{Genesis: genesis, Listen: "127.0.0.1:0"})
	must(t, err)
	run(t, box.Run)
	client := daemonclient.New(daemonclient.Config{URL: box.URL()})
	w, err := walletcore.Open(walletcore.Config{
		Path: filepath.Join(t.TempDir(), "wallet.keys"), Daemon: client,
		Keystore: &keystore.Options{Params: keystore.Params{MemoryKiB: 64, Time: 1, Threads: 1}, AllowWeak: true},
	})
	must(t, err)
	run(t, client.Run)
	run(t, w.Run)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	must(t, client.WaitOnline(ctx))
	_, err = box.Mine()
	must(t, err)
	return &stage{t, ctx, box, New(w, walletcore.Versions{Version: "test"})}
}

// open is begin with an unlocked wallet that holds alice's key.
func open(t testing.TB) *stage {
	t.Helper()
	s := begin(t)
	s.ok("set_password", quoted(password))
	s.ok("unlock", quoted(password))
	s.ok("import_single_key", `"alice"`, quoted(sandbox.DemoKeys()[0].Key.WIF()))
	return s
}

func quoted(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}

func positional(params ...string) Params {
	var p Params
	for _, text := range params {
		p.Positional = append(p.Positional, json.RawMessage(text))
	}
	return p
}

func (s *stage) ok(method string, params ...string) string {
	s.t.Helper()
	out, err := s.api.Call(s.ctx, method, positional(params...))
	if err != nil {
		s.t.Fatalf("%s %v: %v", method, params, err)
	}
	return string(out)
}

func (s *stage) refused(code walletcore.Code, method string, p Params) *walletcore.Error {
	s.t.Helper()
	out, err := s.api.Call(s.ctx, method, p)
	var e *walletcore.Error
	if !errors.As(err, &e) || e.Code != code || e.Op != method || e.Message == "" {
		s.t.Fatalf("%s: %s, %#v, want %s", method, out, err, code)
	}
	return e
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func containsAll(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
