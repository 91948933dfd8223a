package token

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"billfold/rpcserver"
	"billfold/walletcore/walletapi"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openStore(t testing.TB) *Store {
	t.Helper()
	s, err := OpenStore(filepath.Join(t.TempDir(), "folder", "rpc-tokens.json"))
	must(t, err)
	return s
}

// pathOf returns the path of the token file.
func pathOf(s *Store) string { return s.backend.(*fileBackend).path }

func TestOnlyTheHashIsStored(t *testing.T) {
	s := openStore(t)
	_, credential, err := s.New("till", Scope{Methods: []string{"transfer"}})
	must(t, err)
	text, err := os.ReadFile(pathOf(s))
	must(t, err)
	secret := credential[strings.LastIndex(credential, "_")+1:]
	if len(secret) < 50 || strings.Contains(string(text), secret) {
		t.Errorf("the file shows the secret %q: %s", secret, text)
	}
	info, err := os.Stat(pathOf(s))
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v", info.Mode())
	}
	again, err := OpenStore(pathOf(s))
	must(t, err)
	list, err := again.List()
	must(t, err)
	if len(list) != 1 || list[0].Name != "till" || list[0].Scope.Methods[0] != "transfer" {
		t.Errorf("read again: %+v", list)
	}
}

func TestInvalidCredentialsAreRefused(t *testing.T) {
	s := openStore(t)
	_, _, err := s.New("twice", Scope{})
	must(t, err)
	for name, scope := range map[string]Scope{
		"twice": {}, "": {}, "two words": {}, strings.Repeat("x", 61): {}, "a\x1bb": {},
		"m": {Methods: []string{"transfr"}}, "g": {Groups: []string{"No such"}},
		"e": {Expires: time.Now().Add(-time.Second)}, "a": {Accounts: []string{""}},
	} {
		if _, _, err := s.New(name, scope); err == nil {
			t.Errorf("%q with %v was made", name, scope)
		}
	}
	if _, err := s.Revoke("nobody"); !errors.Is(err, ErrNoToken) {
		t.Error(err)
	}
	if list, _ := s.List(); len(list) != 1 {
		t.Errorf("there are %d tokens", len(list))
	}
}

func TestFileReadableByOthersIsRefused(t *testing.T) {
	s := openStore(t)
	_, credential, err := s.New("till", Scope{})
	must(t, err)
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620} {
		must(t, os.Chmod(pathOf(s), mode))
		if _, err := OpenStore(pathOf(s)); err == nil || !strings.Contains(err.Error(), "chmod go=") {
			t.Errorf("with mode %v: %v", mode, err)
		}
		if _, known, _ := s.find(idOf(credential)); known {
			t.Errorf("with mode %v its tokens are known", mode)
		}
	}
	ours := func(fs.FileInfo) bool { return true }
	for mode, want := range map[os.FileMode]bool{0o660: true, 0o666: false} {
		must(t, os.Chmod(pathOf(s), mode))
		if _, err := OpenStoreFor(pathOf(s), ours); (err == nil) != want {
			t.Errorf("with mode %v and a trusted group: %v", mode, err)
		}
	}
	must(t, os.Chmod(pathOf(s), 0o600))
	if _, known, _ := s.find(idOf(credential)); !known {
		t.Error("with mode 0600 its tokens are not known")
	}
	for _, text := range []string{"", "Dear diary", `{"version":3,"tokens":[]}`} {
		must(t, os.WriteFile(pathOf(s), []byte(text), 0o600))
		if _, err := OpenStore(pathOf(s)); err == nil {
			t.Errorf("a file that says %q was opened", text)
		}
	}
}

func TestManyProgramsChangeTheFile(t *testing.T) {
	path := pathOf(openStore(t))
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			s, err := OpenStore(path)
			if err == nil {
				_, _, err = s.New(fmt.Sprint("t", i), Scope{})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	s, err := OpenStore(path)
	must(t, err)
	if list, _ := s.List(); len(list) != 20 {
		t.Errorf("%d of 20 tokens are there", len(list))
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRevokedExpiredAndForeignTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, here := openStore(t), netip.MustParseAddr("127.0.0.1")
		auth := NewAuthenticator(store, nil, Ledger{})
		limited, credential, err := store.New("till-noon",
			Scope{Expires: time.Now().Add(time.Hour), Sources: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
		must(t, err)
		v, err := auth.Authenticate(credential, here)
		must(t, err)
		for _, wrong := range []string{"", "billfold__", "billfold_" + limited.ID + "_", credential + "a", strings.ToUpper(credential),
			"billfold_" + limited.ID + "_" + strings.Repeat("a", 52)} {
			if _, err := auth.Authenticate(wrong, here); err == nil {
				t.Errorf("%q was let in", wrong)
			}
		}
		for _, addr := range []string{"10.0.0.1", "::1"} {
			if _, err := auth.Authenticate(credential, netip.MustParseAddr(addr)); err == nil {
				t.Errorf("a token for 127.0.0.0/8 was let in from %s", addr)
			}
		}
		if _, err := auth.Authenticate(credential, netip.MustParseAddr("::ffff:127.0.0.1")); err != nil {
			t.Error(err)
		}
		may := func(v rpcserver.Principal) bool {
			t.Helper()
			_, err := v.Authorize(t.Context(), "is_locked", walletapi.Params{Exact: true})
			if no, ok := errors.AsType[*rpcserver.Denied](err); err != nil && (!ok || no.Message == "") {
				t.Error(err)
			}
			return err == nil
		}
		time.Sleep(59 * time.Minute)
		if !may(v) {
			t.Error("it expired early")
		}
		time.Sleep(time.Minute)
		if may(v) {
			t.Error("it did not expire")
		}
		// Another program revokes a token; this one notices with the next call.
		_, credential, err = store.New("shop", Scope{})
		must(t, err)
		v, err = auth.Authenticate(credential, here)
		must(t, err)
		if !may(v) {
			t.Error("a good token may do nothing")
		}
		other, err := OpenStore(pathOf(store))
		must(t, err)
		_, err = other.Revoke("shop")
		must(t, err)
		if may(v) {
			t.Error("a token may do something that was revoked")
		}
		if _, err := auth.Authenticate(credential, here); err == nil {
			t.Error("a revoked token was let in")
		}
	})
}

func FuzzParseLimit(f *testing.F) {
	for _, text := range []string{"100 DCT", "0.5 1.3.0", ". DCT", "1..2 X", "-1 DCT", "1e9 DCT", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseLimit(text)
		if err != nil {
			return
		}
		again, err := ParseLimit(l.Amount + " " + l.Asset)
		if err != nil || again != l || strings.ContainsAny(l.Amount, "-+eE") {
			t.Errorf("%q is read as %+v, then as %+v (%v)", text, l, again, err)
		}
	})
}

func FuzzParseSource(f *testing.F) {
	for _, text := range []string{"127.0.0.1", "10.0.0.0/8", "::1", "fe80::1%eth0", "10.0.0.1/8", "::ffff:1.2.3.4", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseSource(text)
		if err != nil {
			return
		}
		if !p.IsValid() || !(Scope{Sources: []netip.Prefix{p}}).allowsSource(p.Addr()) {
			t.Errorf("%q is read as %v, which its own address does not fit", text, p)
		}
	})
}

// slowBackend is a backend whose first load returns late.
type slowBackend struct {
	backend
	answered chan struct{} // the first load is done
	arrive   chan struct{} // closed to let the first load return
	looked   atomic.Bool
}

func (p *slowBackend) load() (c content, changed bool, err error) {
	c, changed, err = p.backend.load()
	if !p.looked.Swap(true) {
		close(p.answered)
		<-p.arrive
	}
	return c, changed, err
}

// A load that returns late does not undo a later one: a revoked token stays revoked, and a token that exists when the tokens can be
// read again is known.
func TestLoadIsNotUndoneByAnEarlierOne(t *testing.T) {
	here := openStore(t)
	made, _, err := here.New("till", Scope{})
	must(t, err)
	there, err := OpenStore(pathOf(here))
	must(t, err)
	_, _, err = here.New("other", Scope{}) // so that the first load finds a change
	must(t, err)
	slow := &slowBackend{backend: there.backend, answered: make(chan struct{}), arrive: make(chan struct{})}
	there.backend = slow
	var group sync.WaitGroup
	group.Go(func() { _, _, _ = there.find(made.ID) })
	<-slow.answered
	_, err = here.Revoke(made.ID)
	must(t, err)
	second := make(chan struct{})
	group.Go(func() {
		defer close(second)
		_, _, _ = there.find(made.ID)
	})
	select {
	case <-second:
	case <-time.After(50 * time.Millisecond): // it waits for the first load
	}
	close(slow.arrive)
	group.Wait()
	if _, known, err := there.find(made.ID); known || err != nil {
		t.Error("it was revoked, and is known", err)
	}
}
