package keystore

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
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

// all returns the private keys in s, of every kind.
func all(s *Secrets) (keys []ledger.PrivateKey, pairs []ledger.ElGamalKey) {
	keys = slices.Collect(maps.Values(s.keys))
	for _, each := range s.pendingAccounts {
		keys = append(keys, each...)
	}
	return slices.AppendSeq(keys, maps.Values(s.pendingMiners)), slices.Collect(maps.Values(s.elGamal))
}

// The copies of keys that a change works on are wiped when it ends, however it ends. What the store itself holds stays.
func TestWhatAChangeWorkedOnIsWiped(t *testing.T) {
	no := errors.New("no")
	for name, c := range map[string]struct {
		change func(*Contents) error
		err    bool
	}{
		"nothing":         {func(*Contents) error { return nil }, false},
		"an account":      {func(c *Contents) error { c.AddAccount(99, "new"); return nil }, false},
		"no":              {func(*Contents) error { return no }, true},
		"a key wiped":     {func(c *Contents) error { c.Secrets.keys[c.Secrets.PublicKeys()[0]].Wipe(); return nil }, true},
		"another chain":   {func(c *Contents) error { c.Public.ChainID = ledger.ChainID{9}; return nil }, true},
		"others' secrets": {func(c *Contents) error { c.Secrets = &Secrets{}; return nil }, false},
	} {
		s := filled(t, cheap())
		var keys []ledger.PrivateKey
		var pairs []ledger.ElGamalKey
		err := s.Update(func(work *Contents) error {
			keys, pairs = all(work.Secrets)
			return c.change(work)
		})
		if (err != nil) != c.err {
			t.Errorf("%s: %v", name, err)
		}
		if len(keys) != 5 || len(pairs) != 1 {
			t.Fatalf("%s: %d keys and %d pairs are worked on", name, len(keys), len(pairs))
		}
		for _, key := range keys {
			if !key.IsNull() {
				t.Errorf("%s: a key is left behind", name)
			}
		}
		if pairs[0].Private.Sign() != 0 {
			t.Errorf("%s: a pair is left behind", name)
		}
		if _, held := s.Key(testKey(0).Public()); held != (name != "others' secrets") {
			t.Errorf("%s: the store has its key: %v", name, held)
		}
	}
}

// A key that is removed or replaced is wiped, and so is every other when its place is emptied.
func TestWhatIsRemovedIsWiped(t *testing.T) {
	for name, remove := range map[string]func(s *Secrets, key, pending, miner ledger.PrivateKey) ledger.PrivateKey{
		"RemoveKey": func(s *Secrets, key, _, _ ledger.PrivateKey) ledger.PrivateKey {
			s.RemoveKey(testKey(0).Public())
			return key
		},
		"RemovePendingAccount": func(s *Secrets, _, pending, _ ledger.PrivateKey) ledger.PrivateKey {
			s.RemovePendingAccount("carol")
			return pending
		},
		"RemovePendingMiner": func(s *Secrets, _, _, miner ledger.PrivateKey) ledger.PrivateKey {
			s.RemovePendingMiner("1.2.34")
			return miner
		},
		"SetPendingMiner": func(s *Secrets, _, _, miner ledger.PrivateKey) ledger.PrivateKey {
			must(t, s.SetPendingMiner("1.2.34", testKey(5)))
			return miner
		},
		"Wipe, a key":      func(s *Secrets, key, _, _ ledger.PrivateKey) ledger.PrivateKey { s.Wipe(); return key },
		"Wipe, an account": func(s *Secrets, _, pending, _ ledger.PrivateKey) ledger.PrivateKey { s.Wipe(); return pending },
		"Wipe, a miner":    func(s *Secrets, _, _, miner ledger.PrivateKey) ledger.PrivateKey { s.Wipe(); return miner },
	} {
		s := &Secrets{}
		_, err := s.AddKey(testKey(0))
		must(t, err)
		must(t, s.AddPendingAccount("carol", testKey(2)))
		must(t, s.SetPendingMiner("1.2.34", testKey(4)))
		gone := remove(s, s.keys[testKey(0).Public()], s.pendingAccounts["carol"][0], s.pendingMiners["1.2.34"])
		if !gone.IsNull() {
			t.Errorf("%s leaves the key behind", name)
		}
		keys, _ := all(s)
		for _, key := range keys {
			if key.IsNull() {
				t.Errorf("%s wipes another key", name)
			}
		}
	}
}
