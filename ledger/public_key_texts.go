package ledger

import (
	"bytes"
	"hash"

	//lint:ignore SA1019 The ledger's key checksum is RIPEMD-160; it only guards against typing errors.
	"golang.org/x/crypto/ripemd160"
)

// PublicKeyTexts reads and writes the texts of many public keys without allocating for each. The zero value is
// ready for use. It is not safe for concurrent use.
type PublicKeyTexts struct {
	hash    hash.Hash
	sum     []byte
	decoded []byte
}

// Parse is ParsePublicKey; ok is false if that would fail.
func (t *PublicKeyTexts) Parse(text []byte) (key PublicKey, ok bool) {
	digits, found := bytes.CutPrefix(text, []byte(publicKeyPrefix))
	decoded, ok := appendDecodedBase58(t.decoded[:0], digits)
	if !found || !ok || len(decoded) != len(key)+publicKeyChecksum {
		return PublicKey{}, false
	}
	t.decoded = decoded
	key = PublicKey(decoded[:len(key)])
	return key, bytes.Equal(t.checksum(decoded[:len(key)]), decoded[len(key):])
}

// Append appends what String returns.
func (t *PublicKeyTexts) Append(b []byte, key PublicKey) []byte {
	t.decoded = append(t.decoded[:0], key[:]...)
	t.decoded = append(t.decoded, t.checksum(t.decoded)...)
	return appendBase58(append(b, publicKeyPrefix...), t.decoded)
}

func (t *PublicKeyTexts) checksum(key []byte) []byte {
	if t.hash == nil {
		t.hash = ripemd160.New()
	}
	t.hash.Reset()
	t.hash.Write(key)
	t.sum = t.hash.Sum(t.sum[:0])
	return t.sum[:publicKeyChecksum]
}
