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
	"billfold/tui"
	"billfold/walletcore"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store/sqlite"
)

// Scene is what a test of the UI begins with. The zero value is the unlocked wallet of
// alice, who watches savings-1, online to a ledger on which nothing has happened.
type Scene struct {
	Before func(w *World) // happens on the ledger before there is a wallet
	Wallet func(w *World) // happens in the wallet before there is a UI
	Index  bool           // the wallet keeps a history index
	Locked bool
	Unmade bool // the wallet has no password yet

	OwnClock bool              // the wallet lets the sandbox have a clock of its own
	Core     func(c *tui.Core) // changes the wallet as the UI sees it; nil: nothing
	Options  tui.Options
	Setup    func(o *tui.Options) // adds to Options what has to be made at the time of the test; nil: nothing
}

// Play drives the UI on a scene, in a terminal of w by h cells.
func Play(t *testing.T, w, h int, s Scene, test func(d *Driver, w *World)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t, s)
		opt := s.Options
		if s.Setup != nil {
			s.Setup(&opt)
		}
		opt.Clock.Now = func() time.Time { return time.Now().UTC() } // whatever the zone of this machine
		core := tui.CoreOf(world.Wallet)
		if s.Core != nil {
			s.Core(&core)
		}
		start(t, w, h, core, opt, bubble{world.end}, func(d *Driver) { test(d, world) })
	})
}

// warmUp is how long the wallet runs before the UI starts, at Start.
const warmUp = 28 * time.Second

func newWorld(t *testing.T, s Scene) *World {
	w := &World{T: t, Ctx: context.Background(), dir: t.TempDir(), wire: newNetwork()}
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
	w.ledger.run(w.Ctx, w.Ledger.Run)
	w.again = func() { w.open(s) }
	w.again()
	synctest.Wait()
	if !s.Unmade {
		w.Fill()
	}
	if s.Wallet != nil {
		s.Wallet(w)
	}
	if s.Locked {
		w.Wallet.Vault.Lock()
	}
	w.Until(Start)
	synctest.Wait()
	w.Wallet.Vault.Touch()
	return w
}

// open opens the wallet in its folder, and runs it.
func (w *World) open(s Scene) {
	client := daemonclient.New(daemonclient.Config{URLs: []string{"ws://127.0.0.1:8090"}, Dial: w.wire.dial, OwnClock: s.OwnClock})
	kept, err := sqlite.Open(filepath.Join(w.dir, sqlite.Name))
	Must(w.T, err)
	w.wallet.close = append(w.wallet.close, kept.Close)
	if s.Index {
		w.Index, err = historyindex.Open(filepath.Join(w.dir, "history.db"))
		Must(w.T, err)
		w.wallet.close = append(w.wallet.close, w.Index.Close)
	}
	w.Wallet, err = walletcore.Open(walletcore.Config{
		Path: filepath.Join(w.dir, "wallet.keys"), Daemon: client, Store: kept, Index: w.Index, OwnClock: s.OwnClock,
		Keystore: &keystore.Options{Params: keystore.Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true},
	})
	Must(w.T, err)
	w.Wallet.Vault.SetLockAfter(15 * time.Minute)
	w.wallet.run(w.Ctx, client.Run, w.Wallet.Run)
}

// Fill gives the wallet its password and keys.
func (w *World) Fill() {
	Must(w.T, w.Wallet.Vault.Create(w.Ctx, Password))
	w.hold(Alice, KeyOf(Alice.Name))
	w.hold(Savings, KeyOf("nobody")) // a key that may do nothing: the account is watched
}

// hold imports a key for an account.
func (w *World) hold(account ledgerview.AccountRef, key ledger.PrivateKey) {
	w.T.Helper()
	_, err := w.Wallet.Import.ImportSingleKey(w.Ctx, account.Name, key.WIF())
	Must(w.T, err)
}

// Reopen ends the wallet, has its files changed, and opens it again.
func (w *World) Reopen(change func(dir string)) {
	w.T.Helper()
	w.wallet.end(w.T)
	change(w.dir)
	w.again()
	synctest.Wait()
	Must(w.T, w.Wallet.Vault.Unlock(w.Ctx, Password))
}
