// Package testwallet gives tests a wallet that is online to a sandbox of its own: a ledger with the demo's accounts, a
// client and a wallet, all running as long as the test. Only tests import it.
package testwallet

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
)

const (
	// Password is the password that Hold sets.
	Password = "correct horse"
	// Patience limits every wait of a test. It is reached only if something is broken.
	Patience = time.Minute
)

// Wallet is a wallet with the client it uses and the ledger it is online to.
type Wallet struct {
	*walletcore.Wallet
	T      testing.TB
	Ctx    context.Context // ends with the test, after Patience at the latest
	Box    *sandbox.Sandbox
	Client *daemonclient.Client
}

// CheapKeys returns options with which trying a password takes microseconds.
func CheapKeys() *keystore.Options {
	return &keystore.Options{Params: keystore.Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true}
}

// Must fails the test if err is not nil.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Run runs part for as long as the test, or until stop is called. The test fails if part ends with an error.
func Run(t testing.TB, part func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- part(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("ended with %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// demoGenesis is made once: its twenty keys take most of the time to start a ledger.
var demoGenesis = sync.OnceValues(func() (*sandbox.Genesis, error) { return sandbox.DemoGenesis(time.Now()) })

// Genesis returns the demo's genesis, the same for all tests of a package.
func Genesis(t testing.TB) *sandbox.Genesis {
	t.Helper()
	genesis, err := demoGenesis()
	Must(t, err)
	return genesis
}

// Ledger starts a sandbox. Unless o has a genesis, it has the demo's accounts and no payments yet.
func Ledger(t testing.TB, o sandbox.Options) *sandbox.Sandbox {
	t.Helper()
	if o.Genesis == nil {
		o.Genesis = Genesis(t)
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	box, err := sandbox.New(o)
	Must(t, err)
	Run(t, box.Run)
	return box
}

// ClientConfig returns the configuration of a client of the daemon at url that reconnects at once.
func ClientConfig(url string) daemonclient.Config {
	return daemonclient.Config{URL: url, MinBackoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond}
}

// Connect runs a wallet on the key file at path, and a client of the daemon at url, which need not exist. change, if
// not nil, may change the configuration before the wallet is opened. A client that it puts there is run by the test.
func Connect(t testing.TB, path, url string, change func(*walletcore.Config)) *Wallet {
	t.Helper()
	client := daemonclient.New(ClientConfig(url))
	cfg := walletcore.Config{Path: path, Keystore: CheapKeys(), Daemon: client, OwnClock: true}
	if change != nil {
		change(&cfg)
	}
	w, err := walletcore.Open(cfg)
	Must(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	t.Cleanup(cancel)
	if cfg.Daemon == client {
		Run(t, client.Run)
	}
	Run(t, w.Run)
	return &Wallet{Wallet: w, T: t, Ctx: ctx, Client: cfg.Daemon}
}

// On returns a wallet without a password, online to box through url.
func On(t testing.TB, box *sandbox.Sandbox, url string, change func(*walletcore.Config)) *Wallet {
	t.Helper()
	w := Connect(t, filepath.Join(Folder(t), "wallet.keys"), url, change)
	w.Box = box
	Must(t, w.Client.WaitOnline(w.Ctx))
	return w
}

// New returns a wallet without a password on a ledger without blocks. change, if not nil, may change the wallet's
// configuration before it is opened.
func New(t testing.TB, change func(*walletcore.Config)) *Wallet {
	t.Helper()
	box := Ledger(t, sandbox.Options{})
	return On(t, box, box.URL(), change)
}

// Open returns an unlocked wallet with the keys of accounts, on a ledger of one block.
func Open(t testing.TB, accounts ...string) *Wallet {
	t.Helper()
	w := New(t, nil)
	w.Hold(accounts...)
	w.Mine()
	return w
}

// Keeping returns an unlocked wallet of alice with a store of its own in folder.
func Keeping(t testing.TB, folder string) (*Wallet, *store.Store) {
	t.Helper()
	kept, err := sqlite.Open(filepath.Join(folder, sqlite.Name))
	Must(t, err)
	t.Cleanup(func() { Must(t, kept.Close()) })
	w := New(t, func(cfg *walletcore.Config) { cfg.Store = kept })
	w.Hold("alice")
	return w, kept
}

// Hold creates the wallet with its password and the keys of accounts of the demo.
func (w *Wallet) Hold(accounts ...string) {
	w.T.Helper()
	Must(w.T, w.Vault.Create(w.Ctx, Password))
	for _, name := range accounts {
		w.ImportKey(name, Key(name))
	}
}

// ImportKey imports a key that acts for an account.
func (w *Wallet) ImportKey(account string, key ledger.PrivateKey) {
	w.T.Helper()
	if belongs, err := w.Import.ImportSingleKey(w.Ctx, account, key.WIF()); err != nil || !belongs {
		w.T.Fatalf("importing the key of %s: %v, %v", account, belongs, err)
	}
}

// Key returns the one key that an account of the demo has.
func Key(account string) ledger.PrivateKey { return ledger.DeriveKey("billfold sandbox "+account, 0) }

// Until waits until holds returns true, checking with each event of the wallet. what names it in the error.
func (w *Wallet) Until(what string, holds func() bool) {
	w.T.Helper()
	events, stop := w.Subscribe()
	defer stop()
	for !holds() {
		select {
		case <-events:
		case <-w.Ctx.Done():
			w.T.Fatalf("%s: it never happened", what)
		}
	}
}

// Mine makes a block and waits until the wallet has seen it.
func (w *Wallet) Mine() ledger.BlockID {
	w.T.Helper()
	id, err := w.Box.Mine()
	Must(w.T, err)
	w.Until("the block", func() bool { return w.Status().Head >= id.Num() })
	return id
}

// Folder returns all contents of the wallet's folder, so that no change goes unseen.
func (w *Wallet) Folder() string {
	w.T.Helper()
	dir := filepath.Dir(w.Vault.Path)
	entries, err := os.ReadDir(dir)
	Must(w.T, err)
	var all strings.Builder
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		Must(w.T, err)
		all.WriteString(e.Name() + "\n" + string(data) + "\n")
	}
	return all.String()
}
