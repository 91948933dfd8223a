package ledger

import (
	"crypto/sha256"
	"strconv"
	"testing"
)

// What is expected is what is recovered, whatever the signature: of the key, of another, altered in any byte.
func TestAnExpectedKeyIsTheOneRecovered(t *testing.T) {
	own, other := DeriveKey("expected", 0), DeriveKey("expected", 1)
	expected, err := NewExpectedKey(own.Public())
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	compare := func(digest [32]byte, sig Signature) {
		t.Helper()
		recovered, err := RecoverKey(digest, sig)
		is := err == nil && recovered == own.Public()
		if got := expected.Made(digest, sig); got != is {
			t.Errorf("%x over %x: %v, but %v was recovered (%v)", sig, digest, got, recovered, err)
		}
		if is {
			made++
		}
	}
	for i := range 40 {
		digest := sha256.Sum256([]byte(strconv.Itoa(i)))
		for _, key := range []PrivateKey{own, other} {
			sig := key.Sign(digest)
			compare(digest, sig)
			compare(sha256.Sum256(digest[:]), sig)
			for header := range 256 {
				if i == 0 {
					altered := sig
					altered[0] = byte(header)
					compare(digest, altered)
				}
			}
			altered := sig
			altered[1+i%64] ^= 1 << (i % 8)
			compare(digest, altered)
		}
	}
	for _, sig := range []Signature{{}, {31}, {31, 32: 1}, {31, 64: 1}} {
		compare([32]byte{}, sig)
	}
	var high Signature // r and s beyond the order
	for i := range high {
		high[i] = 0xff
	}
	high[0] = 31
	compare([32]byte{}, high)
	if made < 40 {
		t.Errorf("only %d signatures were of the key", made)
	}
}

func TestAKeyThatIsNoPointIsNotExpected(t *testing.T) {
	if _, err := NewExpectedKey(PublicKey{}); err == nil {
		t.Error("the null key was taken")
	}
}

func BenchmarkExpectedKey(b *testing.B) {
	key, digest := DeriveKey("expected", 0), [32]byte{1}
	expected, err := NewExpectedKey(key.Public())
	if err != nil {
		b.Fatal(err)
	}
	sig := key.Sign(digest)
	b.Run("expected", func(b *testing.B) {
		for b.Loop() {
			expected.Made(digest, sig)
		}
	})
	b.Run("recovered", func(b *testing.B) {
		for b.Loop() {
			_, _ = RecoverKey(digest, sig)
		}
	})
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			_, _ = NewExpectedKey(key.Public())
		}
	})
}
