package ledger

import (
	"encoding/hex"
	"errors"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

// Signature is a compact recoverable ECDSA signature: a header byte of 31 plus the recovery
// id, r and s of 32 big-endian bytes each (serialization.md 5). JSON: hex text.
type Signature [65]byte

const signatureHeader = 27 + 4 // 4 stands for "compressed key"

// Sign signs a digest of 32 bytes. The signature is always canonical and the same for the
// same key and digest, bit for bit what the reference makes: the nonces are the stream
// of RFC 6979 from its second value on, the first canonical result is taken.
func (k PrivateKey) Sign(digest [32]byte) Signature {
	// One copy serves the key and the nonce. If the key were wiped between two readings, the
	// nonce would follow from public data, and the signature would give the key away.
	secret := k.Secret()
	defer clear(secret[:])
	var scalar secp256k1.ModNScalar
	defer scalar.Zero()
	scalar.SetBytes(&secret)
	if scalar.IsZero() {
		return Signature{}
	}
	// The reference throws the first value of its nonce generator away.
	for skip := uint32(1); ; skip++ {
		nonce := secp256k1.NonceRFC6979(secret[:], digest[:], nil, nil, skip)
		sig, ok := signWithNonce(&scalar, nonce, &digest)
		nonce.Zero()
		if ok {
			return sig
		}
	}
}

// signWithNonce makes the one signature that belongs to the nonce, or reports that it would
// not be canonical. Half of all nonces fail at r, so s is computed only after that.
func signWithNonce(secret, nonce *secp256k1.ModNScalar, digest *[32]byte) (Signature, bool) {
	var point secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(nonce, &point)
	point.ToAffine()

	var sig Signature
	var r, s, e secp256k1.ModNScalar
	overflow := r.SetBytes(point.X.Bytes())
	r.PutBytesUnchecked(sig[1:33])
	if !canonicalHalf(sig[1:33]) {
		return Signature{}, false
	}
	recovery := byte(overflow<<1) | byte(point.Y.IsOddBit())

	// s = (e + r·secret) / nonce
	e.SetBytes(digest)
	var inverse secp256k1.ModNScalar
	inverse.InverseValNonConst(nonce)
	s.Mul2(secret, &r).Add(&e).Mul(&inverse)
	inverse.Zero()
	if s.IsOverHalfOrder() {
		s.Negate()
		recovery ^= 1 // the other s belongs to the opposite point
	}
	s.PutBytesUnchecked(sig[33:])
	sig[0] = signatureHeader + recovery
	return sig, canonicalHalf(sig[33:])
}

// RecoverKey returns the public key that made sig over digest. A signature that no
// key can have made is an error; whether the key is the expected one is for the caller to see.
func RecoverKey(digest [32]byte, sig Signature) (PublicKey, error) {
	key, _, err := ecdsa.RecoverCompact(sig[:], digest[:])
	if err != nil {
		return PublicKey{}, errors.New("no key can have made the signature; sign the transaction again")
	}
	return PublicKey(key.SerializeCompressed()), nil
}

// IsCanonical reports whether nodes accept the form: r and s, written as signed big-endian
// numbers, must each take exactly 32 bytes.
func (s Signature) IsCanonical() bool {
	return canonicalHalf(s[1:33]) && canonicalHalf(s[33:])
}

func canonicalHalf(n []byte) bool {
	return n[0] < 0x80 && (n[0] != 0 || n[1] >= 0x80)
}

// String returns lower-case hex text of 130 characters.
func (s Signature) String() string {
	return hex.EncodeToString(s[:])
}

// MarshalJSON returns the hex text in quotes.
func (s Signature) MarshalJSON() ([]byte, error) {
	return quoted(s.String()), nil
}

// UnmarshalJSON reads hex text of 130 characters in quotes.
func (s *Signature) UnmarshalJSON(data []byte) error {
	text, ok := unquoted(data)
	var read Signature
	if !ok || len(text) != hex.EncodedLen(len(read)) {
		return errors.New("a signature must be a JSON string of 130 hex digits")
	}
	if _, err := hex.Decode(read[:], text); err != nil {
		return errors.New("the signature has characters that are no hex digits")
	}
	*s = read
	return nil
}
