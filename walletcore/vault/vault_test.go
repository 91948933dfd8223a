package vault

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const password = "correct horse"

// empty is a vault at path without a daemon.
func empty(t testing.TB, path string) *Vault {
	t.Helper()
	v, err := Open(Config{
		Path:     path,
		Keystore: &keystore.Options{Params: keystore.Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true},
		Events:   new(event.Broadcaster), Logger: slog.New(slog.DiscardHandler),
		DaemonChain: func() ledger.ChainID { return ledger.ChainID{} }, OnUnlock: func(context.Context) {}, OnLock: func() {},
	})
	must(t, err)
	t.Cleanup(func() { v.Lock() })
	return v
}

// alone is an unlocked vault without a daemon, with the keys of names.
func alone(t testing.TB, names ...string) *Vault {
	t.Helper()
	v := empty(t, filepath.Join(ramdisk.Folder(t), "wallet.keys"))
	must(t, v.Create(context.Background(), password))
	must(t, v.store.Update(func(c *keystore.Contents) error {
		for i, name := range names {
			if err := c.AddKey(ledger.AccountID(i), keyOf(name)); err != nil {
				return err
			}
		}
		return nil
	}))
	return v
}

// keyOf is a key of its own for each name.
func keyOf(name string) ledger.PrivateKey { return ledger.DeriveKey("billfold sandbox "+name, 0) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
