// Package stagetest sets the stage for tests of what stands on a wallet: a
// sandbox with the demo's accounts, a line to it and a wallet, all running for
// the time of the test. Only tests import it; walletcore's own have a stage that
// reaches inside.
package stagetest

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/sandbox"
	"billfold/walletcore"
)

// Password is the one that Hold sets.
const Password = "correct horse"

// patience bounds a test's calls: it is reached only when something is broken.
const patience = time.Minute

// Stage is a wallet, and the ledger it is online to.
type Stage struct {
	Ctx    context.Context // ends with the test, after a minute at the latest
	Box    *sandbox.Sandbox
	Wallet *walletcore.Wallet
}

// genesis is made once: its twenty keys cost most of a ledger's start.
var genesis = sync.OnceValues(func() (*sandbox.Genesis, error) { return sandbox.DemoGenesis(time.Now()) })

// Begin starts a ledger without blocks and a wallet without a password. change,
// where it is not nil, sees the wallet's configuration before it is opened.
func Begin(t testing.TB, change func(*walletcore.Config)) *Stage {
	t.Helper()
	g, err := genesis()
	must(t, err)
	box, err := sandbox.New(sandbox.Options{Genesis: g, Listen: "127.0.0.1:0"})
	must(t, err)
	Run(t, box.Run)
	client := daemonclient.New(daemonclient.Config{URL: box.URL()})
	cfg := walletcore.Config{
		Path: filepath.Join(t.TempDir(), "wallet.keys"), Daemon: client, OwnClock: true,
		Keystore: &keystore.Options{Params: keystore.Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true},
	}
	if change != nil {
		change(&cfg)
	}
	w, err := walletcore.Open(cfg)
	must(t, err)
	Run(t, client.Run)
	Run(t, w.Run)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	must(t, client.WaitOnline(ctx))
	return &Stage{Ctx: ctx, Box: box, Wallet: w}
}

// Hold gives the wallet its password and the keys of accounts of the demo.
func (s *Stage) Hold(t testing.TB, accounts ...string) {
	t.Helper()
	must(t, s.Wallet.Vault.Create(s.Ctx, Password))
	keys := map[string]string{}
	for _, k := range sandbox.DemoKeys() {
		keys[k.Account] = k.Key.WIF()
	}
	for _, name := range accounts {
		if belongs, err := s.Wallet.Import.ImportSingleKey(s.Ctx, name, keys[name]); err != nil || !belongs {
			t.Fatalf("importing the key of %s: %v, %v", name, belongs, err)
		}
	}
}

// Run runs part for the time of the test, which fails when part ends with an error.
func Run(t testing.TB, part func(context.Context) error) {
	t.Helper()
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

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
