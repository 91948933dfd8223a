package ledger

import (
	"crypto/sha256"
	"strconv"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
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

// Signatures can be made so that the sum of points meets the same point twice, or its opposite: for the key 1, whose
// multiples are the generator's.
func TestAnExpectedKeyKnowsSumsThatMeet(t *testing.T) {
	one, err := NewPrivateKey([32]byte{31: 1})
	if err != nil {
		t.Fatal(err)
	}
	expected, err := NewExpectedKey(one.Public())
	if err != nil {
		t.Fatal(err)
	}
	opposite := new(secp256k1.ModNScalar).SetInt(5).Negate()
	for name, x := range map[string]struct {
		ofBase, ofKey *secp256k1.ModNScalar
		made          bool
	}{
		"two points":      {new(secp256k1.ModNScalar).SetInt(5), new(secp256k1.ModNScalar).SetInt(6), true},
		"a point twice":   {new(secp256k1.ModNScalar).SetInt(5), new(secp256k1.ModNScalar).SetInt(5), true},
		"only the key's":  {new(secp256k1.ModNScalar), new(secp256k1.ModNScalar).SetInt(5), true},
		"opposite points": {opposite, new(secp256k1.ModNScalar).SetInt(5), false},
	} {
		digest, sig := signatureOfSum(x.ofBase, x.ofKey)
		recovered, err := RecoverKey(digest, sig)
		if is := err == nil && recovered == one.Public(); is != x.made || expected.Made(digest, sig) != is {
			t.Errorf("%s: recovered %v (%v), expected %v", name, recovered, err, expected.Made(digest, sig))
		}
	}
}

// signatureOfSum makes a signature of the key 1 that is checked by adding these multiples of the generator. Where they have no
// sum, it is a signature of none.
func signatureOfSum(ofBase, ofKey *secp256k1.ModNScalar) (digest [32]byte, sig Signature) {
	sum := new(secp256k1.ModNScalar).Add2(ofBase, ofKey)
	var point secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(sum, &point)
	point.ToAffine()
	var r secp256k1.ModNScalar
	if overflow := r.SetBytes(point.X.Bytes()); sum.IsZero() {
		r.SetInt(1)
	} else if overflow != 0 {
		panic("the x of a small multiple is below the order")
	}
	s := new(secp256k1.ModNScalar).InverseValNonConst(ofKey)
	s.Mul(&r)
	digest = new(secp256k1.ModNScalar).Mul2(ofBase, s).Bytes()
	sig[0] = signatureHeader
	if point.Y.IsOdd() {
		sig[0]++
	}
	r.PutBytesUnchecked(sig[1:33])
	s.PutBytesUnchecked(sig[33:])
	return digest, sig
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
