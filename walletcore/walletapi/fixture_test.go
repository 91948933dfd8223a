package walletapi

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const password = "correct horse"

// fixture is a catalogue over a wallet on a sandbox ledger of its own.
type fixture struct {
	t   testing.TB
	ctx context.Context
	box *sandbox.Sandbox
	api *Catalogue
	on  *testwallet.Wallet

	handle string // of the transaction under construction, once furnished
}

// newFixture starts a ledger and a new wallet on it.
func newFixture(t testing.TB) *fixture { return newFixtureWith(t, nil) }

// newFixtureWith is newFixture with a wallet whose configuration change may alter.
func newFixtureWith(t testing.TB, change func(*walletcore.Config)) *fixture {
	t.Helper()
	on := testwallet.New(t, change)
	_, err := on.Box.Mine()
	must(t, err)
	return &fixture{t: t, ctx: on.Ctx, box: on.Box, api: New(Core{Wallet: on.Wallet, Versions: ledgerview.Versions{Version: "test"}}), on: on, handle: exampleHandle}
}

// open returns a fixture with an unlocked wallet that holds alice's key.
func open(t testing.TB) *fixture {
	t.Helper()
	return newFixture(t).unlock()
}

func (s *fixture) unlock() *fixture {
	s.t.Helper()
	s.ok("set_password", quoted(password))
	s.ok("unlock", quoted(password))
	s.ok("import_single_key", `"alice"`, quoted(sandbox.DemoKeys()[0].Key.WIF()))
	return s
}

// furnished is open on a ledger that has the objects which the spends of testdata/operations.txt use.
func furnished(t testing.TB) *fixture {
	t.Helper()
	s := open(t)
	s.handle = s.on.Furnish()
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

func (s *fixture) ok(method string, params ...string) string {
	s.t.Helper()
	out, err := s.api.Call(s.ctx, method, positional(params...))
	if err != nil {
		s.t.Fatalf("%s %v: %v", method, params, err)
	}
	return string(out)
}

func (s *fixture) refused(code fault.Code, method string, p Params) *fault.Error {
	s.t.Helper()
	out, err := s.api.Call(s.ctx, method, p)
	var e *fault.Error
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
