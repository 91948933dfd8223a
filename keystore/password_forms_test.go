package keystore

import (
	"path/filepath"
	"testing"

	"billfold/ledger/usertext"
)

func cheapest() *Options {
	return &Options{Params: Params{MemoryKiB: 64, Time: 2, Threads: 1}, AllowWeak: true}
}

// However a system writes an accent, and whatever a file adds around it, one password opens the file; what was typed once is one try.
func TestAPasswordOpensInEveryFormThatItIsTyped(t *testing.T) {
	const stored = "café-pass-99-long"
	path := filepath.Join(t.TempDir(), "keys")
	store, err := Create(path, "cafe\u0301-pass-99-long", Public{}, nil, cheapest())
	if err != nil {
		t.Fatal(err)
	}
	opens := func(password string, want bool) {
		t.Helper()
		store.Lock()
		if err := store.Unlock(password); (err == nil) != want {
			t.Errorf("%+q: %v", password, err)
		}
	}
	typed := []string{stored, "cafe\u0301-pass-99-long", usertext.Mark + stored, "ｃafé-pass-99-long", stored + " ", "\u00a0" + stored}
	for _, password := range typed {
		opens(password, true)
	}
	for n, password := range []string{"cafe-pass-99-long", "cafe\u0302-pass-99-long "} {
		opens(password, false)
		if got := store.WrongTries(); got != n+1 {
			t.Errorf("%+q: %d wrong tries, want %d", password, got, n+1)
		}
	}
	opens(stored, true)
	for _, set := range []func(string) error{store.SetPassword, func(new string) error { return store.ChangePassword(stored, new) }} {
		if err := set("cafe\u0301-pass-99-long"); err != nil {
			t.Fatal(err)
		}
		opens(stored, true)
	}
}

// Files that were sealed before passwords were normalised open with the very bytes that opened them.
func TestFilesSealedWithRawBytesOpen(t *testing.T) {
	for _, password := range []string{"cafe\u0301-pass", usertext.Mark + "bom-pass-99-long-enough", "pass ", "a\u00a0b", "\xff\xfep\x00a\x00s\x00s\x00\r\x00", "Latin-1 \xe9"} {
		s, err := newStore(filepath.Join(t.TempDir(), "keys"), cheapest())
		must(t, err)
		must(t, s.create(password, Params{MemoryKiB: 64, Time: 2, Threads: 1}, Public{}, &Secrets{}))
		s.Lock()
		if err := s.Unlock(password); err != nil {
			t.Errorf("%q: %v", password, err)
		}
		must(t, s.ChangePassword(password, "another one"))
		must(t, s.CheckPassword("another one"))
	}
}
