package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"pgregory.net/rapid"
)

func signatureOf(t testing.TB, text string) Signature {
	t.Helper()
	var sig Signature
	if err := json.Unmarshal([]byte(`"`+text+`"`), &sig); err != nil {
		t.Fatal(err)
	}
	return sig
}

func TestSignVectors(t *testing.T) {
	for _, v := range loadKeyVectors(t).Signatures {
		key, digest := mustWIF(t, v.WIF), [32]byte(mustHex(t, v.Digest))
		if got := key.SignAsReference(digest).String(); got != v.Signature {
			t.Errorf("digest %s: signature %s, want %s", v.Digest, got, v.Signature)
		}
		// Where the reference's first nonce serves, both ways use it.
		sig := key.Sign(digest)
		if first := sig.String() == v.Signature; first != v.FirstAttemptIsCanonical {
			t.Errorf("digest %s: the reference's signature: %v", v.Digest, first)
		}
		if got, err := RecoverKey(digest, sig); err != nil || got != key.Public() || !sig.IsCanonical() {
			t.Errorf("digest %s: recovered %s, %v", v.Digest, got, err)
		}
		first := signatureOf(t, v.FirstAttempt)
		if first.IsCanonical() != v.FirstAttemptIsCanonical {
			t.Errorf("%s: canonical %v", first, first.IsCanonical())
		}
		if got, err := RecoverKey(digest, first); err != nil || got != key.Public() {
			t.Errorf("%s: recovered %s, %v", first, got, err)
		}
		first[0] -= 4 // the form for uncompressed keys, which nodes accept as well
		if got, err := RecoverKey(digest, first); err != nil || got != key.Public() {
			t.Errorf("%s: recovered %s, %v", first, got, err)
		}
	}
}

func TestIsCanonicalVectors(t *testing.T) {
	for _, v := range loadKeyVectors(t).CanonicalChecks {
		if got := signatureOf(t, v.Signature).IsCanonical(); got != v.Canonical {
			t.Errorf("%s: canonical %v, want %v", v.Signature, got, v.Canonical)
		}
	}
	for bytes, want := range map[[2]byte]bool{{0x7f, 0}: true, {0x80, 0}: false, {0, 0x80}: true, {0, 0x7f}: false, {1, 0}: true} {
		inR, inS := Signature{1: bytes[0], 2: bytes[1], 33: 1}, Signature{1: 1, 33: bytes[0], 34: bytes[1]}
		if inR.IsCanonical() != want || inS.IsCanonical() != want {
			t.Errorf("%x: want %v", bytes, want)
		}
	}
}

func TestSignIsCanonicalAndRecoverable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := DeriveKey(rapid.String().Draw(t, "prefix"), 0)
		digest := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "digest"))
		sig := key.Sign(digest)
		got, err := RecoverKey(digest, sig)
		if err != nil || got != key.Public() || !sig.IsCanonical() || sig[0] < 31 || sig[0] > 34 {
			t.Fatalf("%s: recovered %s, %v", sig, got, err)
		}
		if sig != key.Sign(digest) {
			t.Fatal("the second signature differs")
		}
		if want := signByOne(key, digest); sig != want {
			t.Fatalf("the signature is %s, want that of the first nonce that serves, %s", sig, want)
		}
		digest[0] ^= 1
		if other, err := RecoverKey(digest, sig); err == nil && other == key.Public() {
			t.Fatal("the signature holds for another digest")
		}
	})
}

// signByOne is Sign as its contract says it: each nonce by itself, with a multiplication.
func signByOne(key PrivateKey, digest [32]byte) Signature {
	secret, scalar := bytesOf(key), scalarOf(key)
	nonce := secp256k1.NonceRFC6979(secret[:], digest[:], nil, nil, referenceSkips)
	for {
		if sig := signOnce(&scalar, nonce, &digest); sig.IsCanonical() {
			return sig
		}
		nonce.Add(new(secp256k1.ModNScalar).SetInt(1))
	}
}

// signOnce makes the signature of one nonce; zero when it is not canonical.
func signOnce(secret, nonce *secp256k1.ModNScalar, digest *[32]byte) Signature {
	var point secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(nonce, &point)
	point.ToAffine()
	sig, ok := signAt(&point, secret, nonce, digest)
	if !ok {
		return Signature{}
	}
	return sig
}

// Nonces run over the end of the curve's order as if over nothing.
func TestSignAcrossTheOrder(t *testing.T) {
	key := DeriveKey("order", 0)
	scalar := scalarOf(key)
	for back := range uint32(2 * sharedInversion) {
		digest := [32]byte{byte(back)}
		nonce := new(secp256k1.ModNScalar).SetInt(back)
		sig := signFrom(&scalar, nonce.Negate(), &digest)
		if got, err := RecoverKey(digest, sig); err != nil || got != key.Public() || !sig.IsCanonical() {
			t.Errorf("%d before the order: %s, recovered %s, %v", back, sig, got, err)
		}
	}
}

func TestGenerator(t *testing.T) {
	var want secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(new(secp256k1.ModNScalar).SetInt(1), &want)
	want.ToAffine()
	if got := generator(); publicKeyOf(&got) != publicKeyOf(&want) {
		t.Errorf("the generator is %s, want %s", publicKeyOf(&got), publicKeyOf(&want))
	}
}

func TestNullKeySignsZeroes(t *testing.T) {
	if sig := (PrivateKey{}).Sign([32]byte{1}); sig != (Signature{}) {
		t.Errorf("got %s", sig)
	}
	if sig := (PrivateKey{}).SignAsReference([32]byte{1}); sig != (Signature{}) {
		t.Errorf("got %s", sig)
	}
}

func FuzzSign(f *testing.F) {
	f.Add("prefix", []byte("digest"))
	f.Fuzz(func(t *testing.T, prefix string, text []byte) {
		key, digest := DeriveKey(prefix, 0), sha256.Sum256(text)
		for _, sig := range []Signature{key.Sign(digest), key.SignAsReference(digest)} {
			if got, err := RecoverKey(digest, sig); err != nil || got != key.Public() || !sig.IsCanonical() {
				t.Fatalf("%s: recovered %s, %v", sig, got, err)
			}
		}
		if sig, want := key.Sign(digest), signByOne(key, digest); sig != want {
			t.Fatalf("the signature is %s, want %s", sig, want)
		}
	})
}

func TestRecoverKeyRefusesWhatNoKeyMade(t *testing.T) {
	good := mustWIF(t, testWIF).Sign([32]byte{1})
	for name, change := range map[string]func(*Signature){
		"header too low":  func(s *Signature) { s[0] = 26 },
		"header too high": func(s *Signature) { s[0] = 35 },
		"r is zero":       func(s *Signature) { clear(s[1:33]) },
		"s is zero":       func(s *Signature) { clear(s[33:]) },
		"r too large":     func(s *Signature) { copy(s[1:33], strings.Repeat("\xff", 32)) },
	} {
		sig := good
		change(&sig)
		if key, err := RecoverKey([32]byte{1}, sig); err == nil {
			t.Errorf("%s: recovered %s", name, key)
		}
	}
}

func TestSignatureJSON(t *testing.T) {
	sig := mustWIF(t, testWIF).Sign([32]byte{1})
	data, err := json.Marshal(sig)
	if err != nil || string(data) != `"`+hex.EncodeToString(sig[:])+`"` {
		t.Errorf("got %s, %v", data, err)
	}
	var again Signature
	if err := json.Unmarshal(data, &again); err != nil || again != sig {
		t.Errorf("not read back: %v", err)
	}
	for _, bad := range []string{`null`, `""`, `"1f"`, `"` + strings.Repeat("g", 130) + `"`, string(data[:131]) + `00"`, `[]`} {
		if err := json.Unmarshal([]byte(bad), &again); err == nil {
			t.Errorf("%s accepted", bad)
		}
	}
}

func benchmarkDigests() [64][32]byte {
	var digests [64][32]byte
	for i := range digests {
		digests[i] = sha256.Sum256(fmt.Append(nil, i))
	}
	return digests
}

// BenchmarkSign compares with the reference's way, which tries unrelated nonces, and with
// the library's own signing called once for each candidate of that way, on the same digests.
func BenchmarkSign(b *testing.B) {
	key, digests := DeriveKey("benchmark", 0), benchmarkDigests()
	secret := bytesOf(key)
	bare := secp256k1.PrivKeyFromBytes(secret[:])
	var tries [64]int
	for i, digest := range digests {
		for skip := uint32(referenceSkips); ; skip++ {
			tries[i]++
			scalar := scalarOf(key)
			nonce := secp256k1.NonceRFC6979(secret[:], digest[:], nil, nil, skip)
			if signFrom(&scalar, new(secp256k1.ModNScalar).Set(nonce), &digests[i]) == signOnce(&scalar, nonce, &digests[i]) {
				break
			}
		}
	}
	b.Run("ledger", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			key.Sign(digests[i%len(digests)])
		}
	})
	b.Run("as reference", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			key.SignAsReference(digests[i%len(digests)])
		}
	})
	b.Run("bare", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			for range tries[i%len(digests)] {
				ecdsa.SignCompact(bare, digests[i%len(digests)][:], true)
			}
		}
	})
}

func BenchmarkRecoverKey(b *testing.B) {
	digest := [32]byte{1}
	sig := DeriveKey("benchmark", 0).Sign(digest)
	for b.Loop() {
		if _, err := RecoverKey(digest, sig); err != nil {
			b.Fatal(err)
		}
	}
}

func bytesOf(k PrivateKey) (secret [32]byte) {
	k.PutSecret(&secret)
	return secret
}

func scalarOf(k PrivateKey) (scalar secp256k1.ModNScalar) {
	k.putScalar(&scalar)
	return scalar
}

func valueOf[T [32]byte | [64]byte](s *sealed[T]) (value T) {
	s.put(&value)
	return value
}
