package token

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"billfold/rpcserver"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var here = netip.MustParseAddr("127.0.0.1")

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fixture is a gate in front of a wallet with alice's key, on a ledger of its own.
type fixture struct {
	t      testing.TB
	ctx    context.Context
	folder string
	wallet *walletcore.Wallet
	box    *sandbox.Sandbox
	api    *walletapi.Catalogue
	store  *Store
	spent  *Spent
	kept   *store.Store
	gate   *Authenticator
	now    time.Time
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	s := &fixture{t: t, folder: t.TempDir(), now: time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)}
	var err error
	s.kept, err = sqlite.Open(filepath.Join(s.folder, "payments?.db"))
	must(t, err)
	t.Cleanup(func() { must(t, s.kept.Close()) })
	on := testwallet.New(t, func(cfg *walletcore.Config) { cfg.Store = s.kept })
	on.Hold("alice")
	s.ctx, s.wallet, s.box = on.Ctx, on.Wallet, on.Box
	_, err = on.Box.Mine()
	must(t, err)
	s.api = walletapi.New(walletapi.Core{Wallet: s.wallet, Versions: ledgerview.Versions{Version: "test"}})
	s.reopen()
	return s
}

// reopen is a restart of everything that concerns tokens.
func (s *fixture) reopen() {
	s.t.Helper()
	var err error
	s.store, err = OpenStore(filepath.Join(s.folder, "rpc-tokens.json"))
	must(s.t, err)
	s.spent = NewSpent(s.kept.Limits)
	s.gate = NewAuthenticator(s.store, s.spent, LedgerOf(s.wallet))
	clock := func() time.Time { return s.now }
	s.store.now, s.spent.now, s.gate.now = clock, clock, clock
}

// token makes a token and comes in with it.
func (s *fixture) token(scope Scope) rpcserver.Principal {
	s.t.Helper()
	_, credential, err := s.store.New("t"+time.Now().Format("150405.000000000"), scope)
	must(s.t, err)
	v, err := s.gate.Authenticate(credential, here)
	must(s.t, err)
	return v
}

// call does what the server does.
func (s *fixture) call(v rpcserver.Principal, method string, params ...string) (json.RawMessage, error) {
	p := walletapi.Params{Exact: true}
	for _, text := range params {
		raw, _ := json.Marshal(text)
		p.Positional = append(p.Positional, raw)
	}
	ctx := store.WithUnit(s.ctx)
	grant, err := v.Authorize(ctx, method, p)
	if err != nil {
		return nil, err
	}
	out, err := s.api.Call(ctx, method, grant.Params)
	grant.RecordOutcome(err)
	return out, err
}

func (s *fixture) ok(v rpcserver.Principal, method string, params ...string) string {
	s.t.Helper()
	out, err := s.call(v, method, params...)
	if err != nil {
		s.t.Fatalf("%s %v: %v", method, params, err)
	}
	return string(out)
}

func (s *fixture) denied(v rpcserver.Principal, method string, params ...string) {
	s.t.Helper()
	out, err := s.call(v, method, params...)
	if no, ok := errors.AsType[*rpcserver.Denied](err); !ok || no.Message == "" {
		s.t.Errorf("%s %v: %s, %v, want it denied", method, params, out, err)
	}
}

func (s *fixture) refused(code fault.Code, v rpcserver.Principal, method string, params ...string) {
	s.t.Helper()
	if out, err := s.call(v, method, params...); fault.CodeOf(err) != code || err == nil {
		s.t.Errorf("%s %v: %s, %v, want %s", method, params, out, err, code)
	}
}

func (s *fixture) pay(v rpcserver.Principal, amount string) error {
	_, err := s.call(v, "transfer", "alice", "bobby", amount, "DCT", "", "true")
	return err
}
