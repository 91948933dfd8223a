package keystore

import (
	"bytes"
	"testing"

	"golang.org/x/crypto/chacha20poly1305"
)

// Under one key no nonce may occur twice: two saves with one nonce show what differs between them. Salts and data keys
// are random as well.
func TestEverySaveHasRandomBytesOfItsOwn(t *testing.T) {
	seen := map[string]string{}
	fresh := func(what string, b []byte, size int) {
		t.Helper()
		switch {
		case len(b) != size || bytes.Equal(b, make([]byte, size)):
			t.Errorf("%s is %x", what, b)
		case seen[string(b)] != "":
			t.Errorf("%s is that of %s", what, seen[string(b)])
		}
		seen[string(b)] = what
	}
	s := filled(t, cheap())
	const nonce = chacha20poly1305.NonceSizeX
	for n := range 20 {
		must(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(20+n)) }))
		v, _, _ := s.state()
		fresh("a payload's nonce", v.payload[:nonce], nonce)
	}
	for range 3 {
		must(t, s.ChangePassword(password, password))
		v, dataKey, _ := s.state()
		fresh("a data key's nonce", v.wrapped[:nonce], nonce)
		fresh("a payload's nonce", v.payload[:nonce], nonce)
		fresh("a salt", v.kdf.salt, saltSize)
		fresh("a data key", dataKey, chacha20poly1305.KeySize)
	}
}

// A cipher that gets fewer random bytes than it needs encrypts nothing.
func TestFewerRandomBytesAreRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it was encrypted with a nonce of 23 bytes")
		}
	}()
	aead, err := chacha20poly1305.NewX(random(chacha20poly1305.KeySize, 0))
	must(t, err)
	aead.Seal(nil, random(chacha20poly1305.NonceSizeX-1, 0), []byte("secret"), nil)
}

// A file that its data key does not open, or that differs from what it was sealed as, never takes the place of one that opens.
func TestWhatDoesNotOpenIsNotSaved(t *testing.T) {
	s := filled(t, cheap())
	before := mustRead(t, s.Path())
	old, dataKey, _ := s.state()
	plain, err := old.open(dataKey)
	must(t, err)
	next, err := sealFile(old.kdf, old.wrapped, old.public, plain, dataKey)
	must(t, err)
	other := newDataKey()
	if err := save(s.disk, s.path, change{old: old, next: next, dataKey: other, now: s.options.now()}); err == nil {
		t.Error("a file that cannot be opened was saved")
	}
	if now := mustRead(t, s.Path()); !bytes.Equal(now, before) {
		t.Error("the file that was there is gone")
	}
	must(t, save(s.disk, s.path, change{old: old, next: next, dataKey: dataKey, now: s.options.now()}))
}
