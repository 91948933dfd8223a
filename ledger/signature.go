package ledger

import (
	"bytes"
	"encoding/hex"
	"errors"

	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

// Signature is a compact recoverable ECDSA signature: a header byte of 31 plus the recovery
// id, then r and s of 32 big-endian bytes each (docs/protocol/serialization.md 5). Its JSON is hex text.
type Signature [65]byte

const signatureHeader = 27 + 4 // 4 stands for "compressed key"

// RecoverKey returns the public key that made sig over digest. A signature that no key can
// have made is an error. It is for the caller to check that the key is the expected one.
func RecoverKey(digest [32]byte, sig Signature) (PublicKey, error) {
	key, _, err := ecdsa.RecoverCompact(sig[:], digest[:])
	if err != nil {
		return PublicKey{}, errors.New("no key can have made the signature; sign the transaction again")
	}
	return PublicKey(key.SerializeCompressed()), nil
}

// IsCanonical reports whether nodes accept the signature's form: r and s, written as signed
// big-endian numbers, must each take exactly 32 bytes.
func (s Signature) IsCanonical() bool {
	return canonicalHalf(s[1:33]) && canonicalHalf(s[33:])
}

// SameMaker reports whether two signatures have the same nonce, and so come from the same call
// of a signer. Somebody without the key can change the sign of s, but not r.
func (s Signature) SameMaker(other Signature) bool {
	return bytes.Equal(s[1:33], other[1:33])
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
		return errors.New("the signature has characters that are not hex digits")
	}
	*s = read
	return nil
}
