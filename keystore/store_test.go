package keystore

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
)

// cheap makes trying a password take microseconds.
func cheap() *Options {
	return &Options{Params: Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true}
}

const password = "correct horse"

func testKey(n int) ledger.PrivateKey { return ledger.DeriveKey("KEYSTORE TEST", n) }

// filled creates a store with something of every kind in it.
func filled(t testing.TB, opts *Options) *Store {
	t.Helper()
	c := Contents{Secrets: &Secrets{}, Public: Public{ChainID: ledger.ChainID{1, 2, 3}}}
	c.AddAccount(34, "alice")
	c.AddAccount(7, "bobby")
	must(t, c.AddKey(34, testKey(0)))
	must(t, c.AddKey(34, testKey(1)))
	must(t, c.Secrets.AddPendingAccount("carol", testKey(2), testKey(3)))
	must(t, c.Secrets.SetPendingMiner("1.2.34", testKey(4)))
	must(t, c.Secrets.AddElGamal(ledger.ElGamalKey{Private: big.NewInt(123456789), Public: big.NewInt(987654321)}))
	s, err := Create(filepath.Join(ramdisk.Folder(t), "wallet", "keys"), password, c.Public, c.Secrets, opts)
	must(t, err)
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func want(t testing.TB, err, kind error) {
	t.Helper()
	var e *Error
	if !errors.Is(err, kind) || !errors.As(err, &e) || e.Hint == "" {
		t.Fatalf("got %v, want a hinted %q", err, kind)
	}
}

// dump returns the contents as text, for comparisons in tests.
func dump(t testing.TB, s *Store) string {
	t.Helper()
	out := fmt.Sprintln(s.Public())
	must(t, s.View(func(all *Secrets) error {
		for _, public := range all.PublicKeys() {
			key, _ := all.Key(public)
			out += fmt.Sprintln(public, key.WIF())
		}
		for _, pair := range all.ElGamalKeys() {
			out += fmt.Sprintln(pair.Public, ledger.BigText(pair.Private))
		}
		for _, p := range append(all.PendingAccounts(), all.PendingMiners()...) {
			for _, key := range p.Keys {
				out += fmt.Sprintln(p.Name, key.WIF())
			}
		}
		return nil
	}))
	return out
}

func reopened(t testing.TB, path, password string) *Store {
	t.Helper()
	s, err := OpenWith(path, cheap())
	must(t, err)
	must(t, s.Unlock(password))
	return s
}

func TestContentsComeBack(t *testing.T) {
	s := filled(t, cheap())
	again, err := OpenWith(s.Path(), cheap())
	must(t, err)
	if !again.IsLocked() || !reflect.DeepEqual(again.Public(), s.Public()) {
		t.Fatal("a locked store must show the public data")
	}
	if accounts := again.Public().Accounts; accounts[0] != (Account{7, "bobby"}) || accounts[1] != (Account{34, "alice"}) {
		t.Fatal("accounts are not in the order of their ids:", accounts)
	}
	if keys := again.PublicKeys(); len(keys) != 2 || !slices.IsSortedFunc(keys, ledger.ComparePublicKeys) {
		t.Fatal("public keys:", keys)
	}
	if _, ok := again.Key(testKey(0).Public()); ok {
		t.Fatal("a locked store gave a private key")
	}
	must(t, again.Unlock(password))
	if dump(t, again) != dump(t, s) {
		t.Fatal("contents differ after a round trip")
	}
	if again.Public().KeysOf(34) == nil || again.Public().KeysOf(7) != nil {
		t.Fatal("keys by account are wrong")
	}
}

func TestEmptyStore(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "keys")
	_, err := Create(path, password, Public{}, nil, cheap())
	must(t, err)
	if s := reopened(t, path, password); len(s.PublicKeys()) != 0 {
		t.Fatal("an empty store has keys")
	}
}

func TestModesAreForTheOwnerOnly(t *testing.T) {
	s := filled(t, cheap())
	must(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(9)) }))
	for name, mode := range map[string]os.FileMode{s.Path(): 0o600, s.Path() + ".1": 0o600, filepath.Dir(s.Path()): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v %v, want %v", name, info.Mode().Perm(), err, mode)
		}
	}
}

func TestUnlockAndLock(t *testing.T) {
	s := filled(t, cheap())
	key, ok := s.Key(testKey(0).Public())
	if !ok || !key.Equal(testKey(0)) {
		t.Fatal("the key is not there")
	}
	if !s.Lock() || s.Lock() || !s.IsLocked() {
		t.Fatal("the first Lock says true, the second false")
	}
	if !key.IsNull() {
		t.Fatal("locking left a key in memory")
	}
	want(t, s.View(func(*Secrets) error { return nil }), ErrLocked)
	want(t, s.Update(func(*Contents) error { return nil }), ErrLocked)
	want(t, s.Unlock(""), ErrEmptyPassword)
	want(t, s.Unlock("wrong"), ErrWrongPassword)
	if !s.IsLocked() {
		t.Fatal("a wrong password unlocked the store")
	}
	must(t, s.Unlock(password))
	must(t, s.Unlock(password))
	want(t, s.Unlock("wrong"), ErrWrongPassword)
	if s.IsLocked() {
		t.Fatal("a wrong password locked an unlocked store")
	}
}

func TestCreateRefuses(t *testing.T) {
	s := filled(t, cheap())
	before, _ := os.ReadFile(s.Path())
	_, err := Create(s.Path(), password, Public{}, nil, cheap())
	want(t, err, ErrExists)
	dir := ramdisk.Folder(t)
	link := filepath.Join(dir, "link")
	must(t, os.Symlink(filepath.Join(dir, "nowhere"), link))
	_, err = Create(link, password, Public{}, nil, cheap())
	want(t, err, ErrExists)
	_, err = Create(filepath.Join(dir, "a"), "", Public{}, nil, cheap())
	want(t, err, ErrEmptyPassword)
	_, err = Create(filepath.Join(dir, "a"), password, Public{}, nil, &Options{Params: cheap().Params})
	want(t, err, ErrWeak)
	_, err = Create(filepath.Join(dir, "a"), password, Public{}, nil, &Options{Params: Params{1 << 30, 3, 1}})
	want(t, err, ErrWeak)
	_, err = Create(filepath.Join(dir, "a"), password, Public{Accounts: []Account{{1, "x\xff"}}}, nil, cheap())
	want(t, err, ErrInvalid)
	_, err = Create(filepath.Join(dir, "a"), password, Public{Accounts: []Account{{1, "x"}, {1, "y"}}}, nil, cheap())
	want(t, err, ErrInvalid)
	if after, _ := os.ReadFile(s.Path()); string(after) != string(before) {
		t.Fatal("the existing file was touched")
	}
	if _, err := os.Lstat(filepath.Join(dir, "a")); !os.IsNotExist(err) {
		t.Fatal("a refused Create left a file")
	}
}

func TestUpdateSavesOrChangesNothing(t *testing.T) {
	s := filled(t, cheap())
	before := dump(t, s)
	kept, _ := s.Key(testKey(0).Public())
	removed, _ := s.Key(testKey(1).Public())
	boom := errors.New("boom")
	fail := func(change func(*Contents) error, kind error) {
		t.Helper()
		if err := s.Update(change); !errors.Is(err, kind) {
			t.Fatalf("got %v, want %v", err, kind)
		}
		if dump(t, s) != before || dump(t, reopened(t, s.Path(), password)) != before {
			t.Fatal("a failed update changed something")
		}
	}
	fail(func(c *Contents) error { c.Secrets.RemoveKey(testKey(0).Public()); return boom }, boom)
	fail(func(c *Contents) error { c.Public.ChainID[0]++; return nil }, ErrChain)
	fail(func(c *Contents) error { c.AddAccount(1, "\xff"); return nil }, ErrInvalid)
	fail(func(c *Contents) error { k, _ := c.Secrets.Key(testKey(0).Public()); k.Wipe(); return nil }, ErrInvalid)
	fail(func(c *Contents) error { return c.AddKey(1, ledger.PrivateKey{}) }, ErrInvalid)

	must(t, s.Update(func(c *Contents) error {
		for _, p := range c.Secrets.PendingAccounts() {
			for _, key := range p.Keys {
				must(t, c.AddKey(88, key))
			}
			c.Secrets.RemovePendingAccount(p.Name)
		}
		c.Secrets.RemovePendingMiner("1.2.34")
		c.Secrets.RemoveKey(testKey(1).Public())
		c.RemoveAccount(7)
		c.AddAccount(34, "alice-2")
		return nil
	}))
	if again := reopened(t, s.Path(), password); dump(t, again) != dump(t, s) || dump(t, s) == before {
		t.Fatal("an update was not saved")
	}
	if got, ok := s.Key(testKey(3).Public()); !ok || !got.Equal(testKey(3)) {
		t.Fatal("a claimed key is missing")
	}
	if !kept.Equal(testKey(0)) || !removed.IsNull() {
		t.Fatal("a kept key was wiped, or a removed one was not")
	}
}

func TestUpdateWithoutChangeWritesNothing(t *testing.T) {
	s := filled(t, cheap())
	before, _ := os.ReadFile(s.Path())
	must(t, s.Update(func(c *Contents) error { return c.AddKey(34, testKey(0)) }))
	if after, _ := os.ReadFile(s.Path()); string(after) != string(before) {
		t.Fatal("the file was written again")
	}
}

func TestLockDuringUpdateStillSavesTheKeys(t *testing.T) {
	s := filled(t, cheap())
	must(t, s.Update(func(c *Contents) error {
		s.Lock()
		return c.AddKey(34, testKey(9))
	}))
	if !s.IsLocked() {
		t.Fatal("the update unlocked the store again")
	}
	again := reopened(t, s.Path(), password)
	for _, n := range []int{0, 1, 9} {
		if key, ok := again.Key(testKey(n).Public()); !ok || !key.Equal(testKey(n)) {
			t.Fatal("key", n, "was lost")
		}
	}
}

func TestManyGoroutines(t *testing.T) {
	opts := cheap()
	opts.freeTries = true
	s := filled(t, opts)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			must(t, s.Update(func(c *Contents) error { return c.AddKey(34, testKey(100+n)) }))
			s.Key(testKey(0).Public())
			s.Public()
			if err := s.CheckPassword("wrong"); !errors.Is(err, ErrWrongPassword) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := len(reopened(t, s.Path(), password).PublicKeys()); got != 10 {
		t.Fatal("10 keys expected, got", got)
	}
}

func TestChainCheck(t *testing.T) {
	p := Public{}
	must(t, p.CheckChain(ledger.ChainID{9}))
	p.ChainID[0] = 9
	must(t, p.CheckChain(ledger.ChainID{9}))
	want(t, p.CheckChain(ledger.ChainID{8}), ErrChain)
}

// What cannot be a wallet is not made one, and leaves nothing on the disk.
func TestAWalletThatCannotBeIsNotCreated(t *testing.T) {
	wiped := &Secrets{}
	public, err := wiped.AddKey(testKey(0))
	must(t, err)
	wiped.keys[public].Wipe()
	long := strings.Repeat("x", maxText+1)
	pending := func(name string) *Secrets {
		s := &Secrets{}
		must(t, s.AddPendingAccount(name, testKey(1)))
		return s
	}
	for name, c := range map[string]struct {
		public  Public
		secrets *Secrets
	}{
		"a wiped key":                    {Public{}, wiped},
		"an account twice":               {Public{Accounts: []Account{{1, "alice"}, {1, "bobby"}}}, nil},
		"too long a name":                {Public{Accounts: []Account{{1, long}}}, nil},
		"a name that is no text":         {Public{Accounts: []Account{{1, "\xff"}}}, nil},
		"a registration twice":           {Public{Waiting: []Registration{{Name: "a"}, {Name: "a"}}}, nil},
		"too long a registration":        {Public{Waiting: []Registration{{Name: long}}}, nil},
		"a registration of no text":      {Public{Waiting: []Registration{{Name: "\xff"}}}, nil},
		"keys of an account twice":       {Public{AccountKeys: []AccountKeys{{Account: 1}, {Account: 1}}}, nil},
		"too long a name that waits":     {Public{}, pending(long)},
		"a waiting name that is no text": {Public{}, pending("\xff")},
	} {
		path := filepath.Join(ramdisk.Folder(t), "keys")
		if s, err := Create(path, password, c.public, c.secrets, cheap()); err == nil || s != nil {
			t.Errorf("with %s: a wallet was made, %v", name, err)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("with %s: a file is there, %v", name, err)
		}
	}
}

// A key that is empty or was wiped is never kept, in any place: it would be a lost one.
func TestAnEmptyKeyIsNotKept(t *testing.T) {
	s, none := &Secrets{}, ledger.PrivateKey{}
	_, asKey := s.AddKey(none)
	for place, err := range map[string]error{
		"a key": asKey, "an account's": s.AddPendingAccount("carol", none), "a miner's": s.SetPendingMiner("1.2.34", none),
		"no private number": s.AddElGamal(ledger.ElGamalKey{Public: big.NewInt(1)}), "no public number": s.AddElGamal(ledger.ElGamalKey{Private: big.NewInt(1)}),
		"a private zero": s.AddElGamal(ledger.ElGamalKey{Public: big.NewInt(1), Private: new(big.Int)}),
		"a public zero":  s.AddElGamal(ledger.ElGamalKey{Public: new(big.Int), Private: big.NewInt(1)}),
	} {
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("%s is kept: %v", place, err)
		}
	}
	if keys, pairs := all(s); len(keys)+len(pairs) > 0 {
		t.Errorf("%d keys and %d pairs are kept", len(keys), len(pairs))
	}
}

// A count in a payload is read whole, and refused where fewer bytes follow than that many items have.
func TestCountsOfAPayload(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		size int
		want int
		ok   bool
	}{
		"nothing":         {nil, 1, 0, false},
		"none":            {[]byte{0}, 1, 0, true},
		"as many":         {[]byte{2, 9, 9, 9, 9}, 2, 2, true},
		"too many":        {[]byte{4, 9, 9, 9, 9, 9}, 2, 0, false},
		"half a number":   {[]byte{0x80}, 1, 0, false},
		"more than there": {[]byte{0xff, 0xff, 0xff, 0xff, 0x0f, 9}, 1, 0, false},
		"no number":       {[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 9}, 1, 0, false},
	} {
		r := &payloadReader{rest: c.data}
		if got := r.count(c.size); got != c.want || r.failed == c.ok || !c.ok && len(r.rest) > 0 {
			t.Errorf("%s: %d, failed %v, %d bytes left", name, got, r.failed, len(r.rest))
		}
	}
}

// The public keys of a file are in their order, each once: the private ones are found by their places.
func TestPublicKeysAreInOrder(t *testing.T) {
	a, b := testKey(0).Public(), testKey(1).Public()
	if ledger.ComparePublicKeys(a, b) > 0 {
		a, b = b, a
	}
	for name, c := range map[string]struct {
		keys []ledger.PublicKey
		ok   bool
	}{"in order": {[]ledger.PublicKey{a, b}, true}, "one": {[]ledger.PublicKey{a}, true}, "none": {nil, true}, "the wrong way": {[]ledger.PublicKey{b, a}, false},
		"one twice": {[]ledger.PublicKey{a, a}, false}, "one twice, in between": {[]ledger.PublicKey{a, b, b}, false}} {
		if err := (Public{Keys: c.keys}).check(); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
