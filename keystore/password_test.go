package keystore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
	"billfold/ledger/usertext"
)

func TestChangePassword(t *testing.T) {
	s := filled(t, cheap())
	before := dump(t, s)
	oldFile, _ := os.ReadFile(s.Path())
	want(t, s.ChangePassword("wrong", "new"), ErrWrongPassword)
	want(t, s.ChangePassword(password, ""), ErrEmptyPassword)
	if now, _ := os.ReadFile(s.Path()); string(now) != string(oldFile) {
		t.Fatal("a refused change wrote the file")
	}
	must(t, s.ChangePassword(password, "second"))
	if s.IsLocked() || dump(t, s) != before {
		t.Fatal("the store must stay unlocked, with the same contents")
	}
	must(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(9)) }))
	after := dump(t, s)

	again, err := OpenWith(s.Path(), cheap())
	must(t, err)
	want(t, again.Unlock(password), ErrWrongPassword)
	must(t, again.CheckPassword("second"))
	want(t, again.CheckPassword(""), ErrEmptyPassword)
	if again.ChangePassword("second", "third") != nil || !again.IsLocked() {
		t.Fatal("a locked store stays locked when its password is changed")
	}
	if dump(t, reopened(t, s.Path(), "third")) != after {
		t.Fatal("contents were lost")
	}
}

func TestSetPassword(t *testing.T) {
	s := filled(t, cheap())
	before := dump(t, s)
	want(t, s.SetPassword(""), ErrEmptyPassword)
	must(t, s.SetPassword("second"))
	if dump(t, reopened(t, s.Path(), "second")) != before {
		t.Fatal("contents were lost")
	}
	s.Lock()
	want(t, s.SetPassword("third"), ErrLocked)
}

func TestOldPasswordAndOldCopyDoNotOpenTheNewFile(t *testing.T) {
	s := filled(t, cheap())
	old, err := parseFile(mustRead(t, s.Path()))
	must(t, err)
	oldKey, err := old.unwrap(password)
	must(t, err)
	must(t, s.ChangePassword(password, "second"))
	changed, err := parseFile(mustRead(t, s.Path()))
	must(t, err)
	_, err = changed.open(oldKey)
	want(t, err, ErrDamaged)
}

func TestLockWinsOverUnlock(t *testing.T) {
	s := filled(t, &Options{Params: Params{MemoryKiB: 8 * 1024, Time: 3, Threads: 1}, AllowWeak: true})
	s.Lock()
	done := make(chan error, 1)
	go func() { done <- s.Unlock(password) }()
	for s.changes.TryLock() { // until Unlock is under way
		s.changes.Unlock()
	}
	for {
		s.Lock()
		select {
		case err := <-done:
			want(t, err, ErrLocked)
			if !s.IsLocked() {
				t.Fatal("unlocked after Lock")
			}
			return
		default:
		}
	}
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

// What a locked store or a new one cannot do is an error, and changes nothing: a lost file has no password, no list has an account
// twice, and a key that was wiped is none.
func TestWhatCannotBeSavedIsSaid(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "keys")
	twice := Public{Accounts: []Account{{ID: 7, Name: "alice"}, {ID: 7, Name: "alice"}}}
	if s, err := Create(path, password, twice, nil, cheap()); err == nil || s != nil {
		t.Error("a file was made in which an account is listed twice")
	}
	s, err := Create(path, password, Public{}, nil, cheap())
	must(t, err)
	if err := s.Update(func(c *Contents) error { return c.AddKey(7, ledger.PrivateKey{}) }); err == nil {
		t.Error("a key that was wiped is kept")
	}
	if err := s.Update(func(c *Contents) error { c.Public.Accounts = twice.Accounts; return nil }); err == nil {
		t.Error("an account is listed twice")
	}
	s.Lock()
	must(t, os.Remove(path))
	if err := s.ChangePassword(password, "another"); err == nil {
		t.Error("the password of a lost file was changed")
	}
}

// A wrong password that is in another encoding is told so, by every way that tries one.
func TestAPasswordInAnotherEncodingIsNamed(t *testing.T) {
	const given = "\xff\xfep\x00a\x00s\x00s\x00"
	s := filled(t, cheap())
	s.Lock()
	for way, try := range map[string]func() error{
		"unlock": func() error { return s.Unlock(given) },
		"check":  func() error { return s.CheckPassword(given) },
		"change": func() error { return s.ChangePassword(given, "another one") },
	} {
		err := try()
		want(t, err, ErrWrongPassword)
		if _, named := errors.AsType[*usertext.EncodingError](err); !named || !strings.Contains(err.Error(), "UTF-16") {
			t.Errorf("%s: %v", way, err)
		}
	}
}
