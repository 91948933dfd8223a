package rpcserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"billfold/rpcserver"
	"billfold/rpcserver/auth/token"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

var here = netip.MustParseAddr("127.0.0.1")

// tokenGate requires tokens in front of a wallet with alice's key, on a ledger of its own.
type tokenGate struct {
	t      testing.TB
	ctx    context.Context
	folder string
	wallet *walletcore.Wallet
	box    *sandbox.Sandbox
	api    *walletapi.Catalogue
	store  *token.Store
	kept   *store.Store
	sums   *laterSums
	auth   *token.Authenticator
}

func newTokenGate(t testing.TB) *tokenGate {
	t.Helper()
	s := &tokenGate{t: t, folder: testwallet.Folder(t)}
	on, kept := testwallet.Keeping(t, s.folder)
	s.ctx, s.wallet, s.box, s.kept = on.Ctx, on.Wallet, on.Box, kept
	s.sums = &laterSums{Limits: s.kept.Limits}
	on.Mine()
	s.api = walletapi.New(walletapi.Core{Wallet: s.wallet, Versions: ledgerview.Versions{Version: "test"}})
	s.reopen()
	return s
}

// reopen restarts everything that concerns tokens.
func (s *tokenGate) reopen() {
	s.t.Helper()
	var err error
	s.store, err = token.OpenStore(filepath.Join(s.folder, "rpc-tokens.json"))
	must(s.t, err)
	s.auth = token.NewAuthenticator(s.store, token.NewSpent(s.sums, s.wallet.Payments.LedgerTime), token.LedgerOf(s.wallet))
}

// laterSums are the sums of tokens with a clock that can be advanced, and a disk that can fail.
type laterSums struct {
	*store.Limits
	by   time.Duration
	fail error // of what is counted from now on; nil = none
}

func (l *laterSums) Spent(ctx context.Context, s store.Spend, at time.Time) (sum int64, known bool, err error) {
	return l.Limits.Spent(ctx, s, at.Add(l.by))
}

func (l *laterSums) Reserve(ctx context.Context, unit *store.CallBatch, r *store.Reservation) error {
	if r.At = r.At.Add(l.by); l.fail != nil {
		return l.fail
	}
	return l.Limits.Reserve(ctx, unit, r)
}

func (l *laterSums) Confirm(ctx context.Context, s store.Spend, at time.Time) error {
	return l.Limits.Confirm(ctx, s, at.Add(l.by))
}

// walletParams returns parameters that are texts.
func walletParams(texts ...string) walletapi.Params {
	var p walletapi.Params
	for _, text := range texts {
		raw, _ := json.Marshal(text)
		p.Positional = append(p.Positional, raw)
	}
	return p
}

// limits parses limits such as "12.5 DCT".
func limits(texts ...string) (list []token.Limit) {
	for _, text := range texts {
		l, err := token.ParseLimit(text)
		if err != nil {
			panic(err)
		}
		list = append(list, l)
	}
	return list
}

// token makes a token and authenticates with it.
func (s *tokenGate) token(scope token.Scope) rpcserver.Principal {
	s.t.Helper()
	_, credential, err := s.store.New("t"+time.Now().Format("150405.000000000"), scope)
	must(s.t, err)
	v, err := s.auth.Authenticate(credential, here)
	must(s.t, err)
	return v
}

// call makes a call as the server does.
func (s *tokenGate) call(v rpcserver.Principal, method string, params ...string) (json.RawMessage, error) {
	p := walletapi.Params{Exact: true}
	for _, text := range params {
		raw, _ := json.Marshal(text)
		p.Positional = append(p.Positional, raw)
	}
	ctx := store.WithCallBatch(s.ctx)
	grant, err := v.Authorize(ctx, method, p)
	if err != nil {
		return nil, err
	}
	out, err := s.api.Call(ctx, method, grant.Params)
	grant.RecordOutcome(err)
	return out, err
}

func (s *tokenGate) ok(v rpcserver.Principal, method string, params ...string) string {
	s.t.Helper()
	out, err := s.call(v, method, params...)
	if err != nil {
		s.t.Fatalf("%s %v: %v", method, params, err)
	}
	return string(out)
}

func (s *tokenGate) denied(v rpcserver.Principal, method string, params ...string) {
	s.t.Helper()
	out, err := s.call(v, method, params...)
	if no, ok := errors.AsType[*rpcserver.Denied](err); !ok || no.Message == "" {
		s.t.Errorf("%s %v: %s, %v, want it denied", method, params, out, err)
	}
}

func (s *tokenGate) refused(code fault.Code, v rpcserver.Principal, method string, params ...string) {
	s.t.Helper()
	if out, err := s.call(v, method, params...); fault.CodeOf(err) != code || err == nil {
		s.t.Errorf("%s %v: %s, %v, want %s", method, params, out, err, code)
	}
}

func (s *tokenGate) pay(v rpcserver.Principal, amount string) error {
	_, err := s.call(v, "transfer", "alice", "bobby", amount, "DCT", "", "true")
	return err
}
