package walletcore

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	password = "correct horse"
	// patience bounds every wait: it is reached only when something is broken.
	patience = 20 * time.Second
)

// cheap makes trying a password take microseconds.
func cheap() *keystore.Options {
	return &keystore.Options{Params: keystore.Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true}
}

// stage is a wallet, the line it uses and the ledger behind, all running.
type stage struct {
	t      testing.TB
	ctx    context.Context
	box    *sandbox.Sandbox
	client *daemonclient.Client
	wallet *Wallet
}

// run runs something for the time of the test and waits for its end.
func run(t testing.TB, part func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- part(ctx) }()
	ended := false
	stop = func() {
		if cancel(); ended {
			return
		}
		ended = true
		if err := <-done; err != nil {
			t.Errorf("ended with %v", err)
		}
	}
	t.Cleanup(stop)
	return stop
}

// demoGenesis is made once: its twenty keys cost most of a ledger's start.
var demoGenesis = sync.OnceValues(func() (*sandbox.Genesis, error) { return sandbox.DemoGenesis(time.Now()) })

// ledgerOf starts a sandbox with the demo's accounts and no payments yet.
func ledgerOf(t testing.TB, o sandbox.Options) *sandbox.Sandbox {
	t.Helper()
	if o.Genesis == nil {
		genesis, err := demoGenesis()
		must(t, err)
		o.Genesis = genesis
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	box, err := sandbox.New(o)
	must(t, err)
	run(t, box.Run)
	return box
}

// connect gives a new wallet a running line to url.
func connect(t testing.TB, path, url string, change func(*Config)) *stage {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	client := daemonclient.New(daemonclient.Config{URL: url, MinBackoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond})
	cfg := Config{Path: path, Keystore: cheap(), Daemon: client, OwnClock: true}
	if change != nil {
		change(&cfg)
	}
	w, err := Open(cfg)
	must(t, err)
	run(t, client.Run)
	run(t, w.Run)
	return &stage{t: t, ctx: ctx, client: client, wallet: w}
}

// begin starts a ledger and a new wallet on it.
func begin(t testing.TB) *stage {
	t.Helper()
	box := ledgerOf(t, sandbox.Options{})
	return beginAt(t, box, box.URL())
}

func beginAt(t testing.TB, box *sandbox.Sandbox, url string) *stage {
	t.Helper()
	s := connect(t, filepath.Join(t.TempDir(), "wallet.keys"), url, nil)
	s.box = box
	must(t, s.client.WaitOnline(s.ctx))
	return s
}

// open starts a ledger and an unlocked wallet that holds the keys of accounts.
func open(t testing.TB, accounts ...string) *stage {
	t.Helper()
	s := begin(t)
	s.hold(accounts...)
	return s
}

// hold creates the keystore with the keys of accounts.
func (s *stage) hold(accounts ...string) {
	s.t.Helper()
	must(s.t, s.wallet.Vault.Create(s.ctx, password))
	for _, name := range accounts {
		s.importKey(name, keyOf(name))
	}
	s.mine()
}

func (s *stage) importKey(name string, key ledger.PrivateKey) {
	s.t.Helper()
	if belongs, err := s.wallet.Import.ImportSingleKey(s.ctx, name, key.WIF()); err != nil || !belongs {
		s.t.Fatalf("importing the key of %s: %v, %v", name, belongs, err)
	}
}

// keyOf is the one key that a demo account has.
func keyOf(name string) ledger.PrivateKey { return ledger.DeriveKey("billfold sandbox "+name, 0) }

// until waits for what changes with an event of the wallet.
func (s *stage) until(what string, holds func() bool) {
	s.t.Helper()
	events, stop := s.wallet.Subscribe()
	defer stop()
	for !holds() {
		select {
		case <-events:
		case <-s.ctx.Done():
			s.t.Fatalf("%s: it never came", what)
		}
	}
}

// mine makes a block and waits until the wallet has seen it.
func (s *stage) mine() ledger.BlockID {
	s.t.Helper()
	id, err := s.box.Mine()
	must(s.t, err)
	s.until("the block", func() bool { return s.wallet.Status().Head >= id.Num() })
	return id
}

func (s *stage) account(name string) *ledger.Account {
	s.t.Helper()
	a, err := s.wallet.View.Accounts.Get(s.ctx, name)
	must(s.t, err)
	return a
}

// dct is what an account holds of the core asset.
func (s *stage) dct(name string) int64 {
	s.t.Helper()
	rows, err := s.wallet.View.Assets.Balances(s.ctx, s.account(name).ID)
	must(s.t, err)
	for _, row := range rows {
		if row.Asset.ID == ledger.CoreAsset {
			return row.Amount
		}
	}
	return 0
}

func (s *stage) pay(from, to, amount, memo string) *build.Signed {
	s.t.Helper()
	info, err := s.wallet.Payments.Spend(s.ctx,
		build.NewRequest("transfer", build.TransferParams{From: from, To: to, Amount: amount, Asset: "DCT", Memo: memo}, build.Transfer),
		payment.Sending{Broadcast: true})
	must(s.t, err)
	return info
}

// payment finds a payment of this run of the wallet.
func (s *stage) payment(id ledger.TransactionID) payment.Payment {
	s.t.Helper()
	for _, p := range s.wallet.Payments.Recent() {
		if p.ID == id {
			return p
		}
	}
	s.t.Fatalf("no payment %s", id)
	return payment.Payment{}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused checks that err is the core's own, of this code, and in words.
func refused(t testing.TB, err error, code fault.Code) *fault.Error {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an error of code %s", err, code)
	}
	if e.Code != code || e.Message == "" || e.Op == "" {
		t.Fatalf("got %s of %q: %s, want %s", e.Code, e.Op, e.Message, code)
	}
	return e
}

// given is a request of ready operations, in no words but those that it takes to name who
// pays, who is paid and how much.
func given(ops ...ledger.Operation) build.Request {
	return build.NewRequest("given", struct{}{}, func(ctx context.Context, b *build.Builder, _ struct{}) ([]ledger.Operation, error) {
		for _, op := range ops {
			if _, err := b.Payer(ctx, op.Body.FeePayer().String()); err != nil {
				return nil, err
			}
			for _, m := range op.Moves() {
				asset, err := b.Asset(ctx, m.Amount.AssetID.String())
				if err == nil {
					_, err = b.Recipient(ctx, m.To.String())
				}
				if err == nil {
					_, err = b.Amount(asset.Decimals(m.Amount.Amount), asset)
				}
				if err != nil {
					return nil, err
				}
			}
		}
		return ops, nil
	})
}

// sendGiven broadcasts ready operations.
func (s *stage) sendGiven(ops ...ledger.Operation) {
	s.t.Helper()
	_, err := s.wallet.Payments.Spend(s.ctx, given(ops...), payment.Sending{Broadcast: true})
	must(s.t, err)
}

var oneDCT = build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}

// clock is the sandbox's time, set by the test.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Now()} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// openBehindRelay is an unlocked wallet of alice that reaches its ledger through a relay.
func openBehindRelay(t testing.TB) (*stage, *relay, *clock) {
	t.Helper()
	now := newClock()
	box := ledgerOf(t, sandbox.Options{Now: now.now})
	r := relayTo(t, box.URL())
	s := connect(t, filepath.Join(t.TempDir(), "wallet.keys"), r.url, func(cfg *Config) { cfg.Now = now.now })
	s.box = box
	must(t, s.client.WaitOnline(s.ctx))
	s.hold("alice")
	return s, r, now
}

func (s *stage) draft(req build.TransferParams) *build.Prepared {
	s.t.Helper()
	d, err := s.wallet.Payments.Prepare(s.ctx, build.NewRequest("transfer", req, build.Transfer))
	must(s.t, err)
	return d
}
