package uitest

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/tui"
	"billfold/walletcore"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store/sqlite"
)

// Scene is what a test of the UI begins with. The zero value is the unlocked wallet of
// alice and savings-1, online to a ledger on which nothing has happened.
type Scene struct {
	Before  func(w *World) // happens on the ledger before there is a wallet
	Wallet  func(w *World) // happens in the wallet before there is a UI
	Index   bool           // the wallet keeps a history index
	Locked  bool
	Unmade  bool // the wallet has no password yet
	Options tui.Options
}

// World is a real wallet, online to a real sandbox by a websocket in memory, in the
// virtual time of a bubble: each run has the same ids, blocks and times. The sandbox
// makes a block every 5 s.
type World struct {
	T      *testing.T
	Ctx    context.Context // ends with the test
	Ledger *sandbox.Sandbox
	Wallet *walletcore.Wallet
	Index  *historyindex.Index // nil: none

	cancel context.CancelFunc
	wire   *network
	ended  []<-chan error
	close  []func() error // what is closed once everything has ended
}

// Play drives the UI on a scene, in a terminal of w by h cells.
func Play(t *testing.T, w, h int, s Scene, test func(d *Driver, w *World)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		world := s.begin(t)
		opt := s.Options
		opt.Clock.Now = func() time.Time { return time.Now().UTC() }
		start(t, w, h, tui.CoreOf(world.Wallet), opt, bubble{world.end}, func(d *Driver) { test(d, world) })
	})
}

// warmUp is how long the wallet runs before the UI starts.
const warmUp = 28 * time.Second

func (s Scene) begin(t *testing.T) *World {
	w := &World{T: t, wire: newNetwork()}
	w.Ctx, w.cancel = context.WithCancel(context.Background())
	t.Cleanup(w.end)
	w.Until(Start.Add(-age))
	w.Ledger = newSandbox(t, w.wire)
	if s.Before != nil {
		s.Before(w)
	}
	w.Until(Start.Add(-warmUp - untilFinal*blockTime))
	for range untilFinal { // what happened is final
		w.Mine()
		time.Sleep(blockTime)
	}
	w.run(w.Ledger.Run)
	s.open(w)
	if s.Wallet != nil {
		s.Wallet(w)
	}
	w.Until(Start)
	synctest.Wait()
	w.Wallet.Vault.Touch()
	return w
}

// open makes the wallet and brings it online.
func (s Scene) open(w *World) {
	dir := w.T.TempDir()
	client := daemonclient.New(daemonclient.Config{URLs: []string{"ws://127.0.0.1:8090"}, Dial: w.wire.dial})
	kept, err := sqlite.Open(filepath.Join(dir, sqlite.Name))
	Must(w.T, err)
	w.close = append(w.close, kept.Close)
	if s.Index {
		w.Index, err = historyindex.Open(filepath.Join(dir, "history.db"))
		Must(w.T, err)
		w.close = append(w.close, w.Index.Close)
	}
	w.Wallet, err = walletcore.Open(walletcore.Config{Path: filepath.Join(dir, "wallet.keys"), Daemon: client, Store: kept, Index: w.Index,
		Keystore: &keystore.Options{Params: keystore.Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true}})
	Must(w.T, err)
	w.run(client.Run)
	w.run(w.Wallet.Run)
	Must(w.T, client.WaitOnline(w.Ctx))
	if s.Unmade {
		return
	}
	w.Wallet.Vault.SetLockAfter(15 * time.Minute)
	Must(w.T, w.Wallet.Vault.Create(w.Ctx, Password))
	w.hold(Alice, keyOf(Alice.Name))
	w.hold(Savings, keyOf("nobody")) // a key that may do nothing: the account is watched
	if s.Locked {
		w.Wallet.Vault.Lock()
	}
}

// hold imports a key for an account.
func (w *World) hold(account ledgerview.AccountRef, key ledger.PrivateKey) {
	w.T.Helper()
	_, err := w.Wallet.Import.ImportSingleKey(w.Ctx, account.Name, key.WIF())
	Must(w.T, err)
}

// run runs a part until the end.
func (w *World) run(part func(context.Context) error) {
	done := make(chan error, 1)
	go func() { done <- part(w.Ctx) }()
	w.ended = append(w.ended, done)
}

// end ends wallet and ledger, and waits for them.
func (w *World) end() {
	w.cancel()
	for _, done := range w.ended {
		if err := <-done; err != nil {
			w.T.Errorf("ended with %v", err)
		}
	}
	for _, closed := range w.close {
		Must(w.T, closed())
	}
	w.ended, w.close = nil, nil
}

// Until lets time go by.
func (w *World) Until(at time.Time) { time.Sleep(time.Until(at)) }

// Mine makes a block at once.
func (w *World) Mine() {
	_, err := w.Ledger.Mine()
	Must(w.T, err)
}
