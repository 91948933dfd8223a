package keystore

import (
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"billfold/ledger"
)

// Whatever stands where the copies go, a copy that was not made is told as such.
func TestACopyThatCannotBeMadeIsAnError(t *testing.T) {
	for what, put := range map[string]func(folder string) error{
		"a file":               func(folder string) error { return os.WriteFile(folder, nil, 0o600) },
		"a link to nothing":    func(folder string) error { return os.Symlink(folder+"-gone", folder) },
		"a copy of that name":  func(folder string) error { return os.MkdirAll(filepath.Join(folder, "monday"), 0o700) },
		"nothing, and no file": func(folder string) error { return os.Remove(filepath.Join(filepath.Dir(folder), "keys")) },
	} {
		s := filled(t, cheap())
		must(t, put(CopiesFolder(s.Path())))
		if err := s.Copy("monday"); err == nil {
			t.Errorf("with %s there it is told as made", what)
		}
	}
}

// A copy opens with the same password, and is never replaced.
func TestACopyIsTheWholeFile(t *testing.T) {
	s := filled(t, cheap())
	must(t, s.Copy("monday"))
	path := filepath.Join(CopiesFolder(s.Path()), "monday")
	if got := dump(t, reopened(t, path, password)); got != dump(t, s) {
		t.Errorf("it has %s", got)
	}
	must(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(9)) }))
	if err := s.Copy("monday"); err == nil {
		t.Error("it was replaced")
	}
}

// A pair without one of its numbers is not kept: saved, it would be a lost key.
func TestAPairThatLacksANumberIsRefused(t *testing.T) {
	s := filled(t, cheap())
	for _, pair := range []ledger.ElGamalKey{{}, {Private: big.NewInt(1)}, {Public: big.NewInt(1)}} {
		before := dump(t, s)
		if err := s.Update(func(c *Contents) error { return c.Secrets.AddElGamal(pair) }); err == nil || dump(t, s) != before {
			t.Errorf("%v: %v", pair, err)
		}
	}
}

// What a change that failed had in hand is wiped: keys that it added, and those that were there.
func TestAChangeThatFailsLeavesNoKey(t *testing.T) {
	s := filled(t, cheap())
	var there, added ledger.PrivateKey
	err := s.Update(func(c *Contents) error {
		there, _ = c.Secrets.Key(testKey(0).Public())
		must(t, c.AddKey(7, testKey(9)))
		added, _ = c.Secrets.Key(testKey(9).Public())
		return os.ErrDeadlineExceeded
	})
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	if !there.IsNull() || !added.IsNull() {
		t.Errorf("left are the old key: %t, the new one: %t", !there.IsNull(), !added.IsNull())
	}
}
