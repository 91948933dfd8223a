package keystore

import (
	"errors"
	"path/filepath"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
)

// What another program writes is taken over: keys while the store is open, public
// data also while it is locked, and nothing of a file under another password.
func TestReread(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "wallet.keys")
	cheap := &Options{Params: Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true}
	own, err := Create(path, "one", Public{}, nil, cheap)
	if err != nil {
		t.Fatal(err)
	}
	other, err := OpenWith(path, cheap)
	if err != nil {
		t.Fatal(err)
	}
	reread := func(want bool, kind error) {
		t.Helper()
		if changed, err := own.Reread(); changed != want || !errors.Is(err, kind) {
			t.Fatalf("changed: %v, error: %v", changed, err)
		}
	}
	add := func(seed string, id ledger.AccountID) ledger.PrivateKey {
		t.Helper()
		key := ledger.DeriveKey(seed, 0)
		if err := other.Update(func(c *Contents) error {
			c.AddAccount(id, seed)
			return c.AddKey(id, key)
		}); err != nil {
			t.Fatal(err)
		}
		return key
	}
	reread(false, nil)
	if err := other.Unlock("one"); err != nil {
		t.Fatal(err)
	}
	first := add("first", 7)
	reread(true, nil)
	reread(false, nil)
	if key, held := own.Key(first.Public()); !held || key.Public() != first.Public() || len(own.Public().Accounts) != 1 {
		t.Error("the key of another program is not there")
	}
	if err := own.Update(func(c *Contents) error { c.AddAccount(9, "ninth"); return nil }); err != nil {
		t.Errorf("after that the store cannot be changed: %v", err)
	}
	reread(false, nil)

	own.Lock()
	if _, err := other.Reread(); err != nil {
		t.Fatal(err)
	}
	second := add("second", 8)
	reread(true, nil)
	if _, held := own.Key(second.Public()); held || len(own.PublicKeys()) != 2 || len(own.Public().Accounts) != 3 {
		t.Errorf("locked, it has %d keys and %d accounts", len(own.PublicKeys()), len(own.Public().Accounts))
	}
	if err := own.Unlock("one"); err != nil {
		t.Fatal(err)
	}
	if err := other.ChangePassword("one", "two"); err != nil {
		t.Fatal(err)
	}
	reread(false, ErrChanged)
	if _, held := own.Key(first.Public()); !held {
		t.Error("a file under another password took the keys away")
	}
}
