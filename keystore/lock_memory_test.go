package keystore

import (
	"bytes"
	"errors"
	"testing"
)

// asked notes what memory was to be locked.
type asked struct{ parts [][]byte }

func (a *asked) lockMemory(b []byte) error {
	a.parts = append(a.parts, b)
	return nil
}

func (a *asked) holds(secret []byte) bool {
	for _, part := range a.parts {
		if bytes.Equal(part, secret) {
			return true
		}
	}
	return false
}

// TestEveryKeyIsLockedInMemory finds each key where the store says that it is, and
// nothing there after Lock.
func TestEveryKeyIsLockedInMemory(t *testing.T) {
	var a asked
	opts := cheap()
	opts.lockMemory = a.lockMemory
	s := filled(t, opts)
	must(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(9)) }))
	for _, n := range []int{0, 1, 2, 3, 4, 9} {
		if secret := secretOf(testKey(n)); !a.holds(secret[:]) {
			t.Error("key", n, "was not lockSecrets")
		}
	}
	if !a.holds(s.dataKey) {
		t.Error("the data key was not lockSecrets")
	}
	s.Lock()
	for _, part := range a.parts {
		if !bytes.Equal(part, make([]byte, len(part))) {
			t.Fatal("after Lock there is still a secret in memory")
		}
	}
}

func TestRefusedPinIsTold(t *testing.T) {
	refusal := errors.New("no")
	opts := cheap()
	opts.lockMemory = func([]byte) error { return refusal }
	s := filled(t, opts)
	if !errors.Is(s.Health().Memory, refusal) {
		t.Fatal("nothing is told:", s.Health().Memory)
	}
	if s.Lock(); s.Health().Memory != nil {
		t.Fatal("a locked store has nothing to protect")
	}
	must(t, s.Unlock(password))
	if s.Health().Memory == nil {
		t.Fatal("nothing is told after unlocking")
	}
}
