package ledger

import (
	"crypto/sha256"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// nonceMaker makes the nonces of RFC 6979 (3.2) with HMAC-SHA256. All that it computes from the key is in it, so that wipe leaves
// no copy: the library's function leaves one in memory for each signature.
type nonceMaker struct {
	inner  [sha256.BlockSize + sha256.Size + 1 + 3*32]byte // key pad, V, one byte, secret, digest, extra
	outer  [sha256.BlockSize + sha256.Size]byte            // key pad, hash of inner
	key, v [sha256.Size]byte
}

// Positions in nonceMaker.inner.
const (
	valueAt  = sha256.BlockSize
	markAt   = valueAt + sha256.Size
	secretAt = markAt + 1
	digestAt = secretAt + 32
	extraAt  = digestAt + 32
)

// nonceOf returns the value after skips values of the generator for a secret and a digest. extra is 32 more bytes that go into
// it (3.6), or nil. The caller zeroes the nonce.
func nonceOf(secret, digest *[32]byte, extra *[32]byte, skips int) *secp256k1.ModNScalar {
	m := new(nonceMaker)
	defer m.wipe()
	for i := range m.v {
		m.v[i] = 1
	}
	end := extraAt
	copy(m.inner[secretAt:], secret[:])
	copy(m.inner[digestAt:], digest[:])
	if extra != nil {
		end += copy(m.inner[extraAt:], extra[:])
	}
	for mark := range byte(2) {
		m.inner[markAt] = mark
		m.mac(&m.key, end)
		m.mac(&m.v, markAt)
	}
	m.inner[markAt] = 0
	for nonce := new(secp256k1.ModNScalar); ; {
		m.mac(&m.v, markAt)
		overflow := nonce.SetBytes(&m.v)
		if overflow == 0 && !nonce.IsZero() {
			if skips == 0 {
				return nonce
			}
			skips--
		}
		m.mac(&m.key, secretAt)
		m.mac(&m.v, markAt)
	}
}

// mac sets out to HMAC of V and what follows it in inner up to end. The secret begins right after a whole number of blocks minus
// one byte, and everything is hashed in one go, so that the hash function's own buffer gets no more of it than its last byte.
func (m *nonceMaker) mac(out *[sha256.Size]byte, end int) {
	for i := range sha256.BlockSize {
		m.inner[i], m.outer[i] = 0x36, 0x5c
	}
	for i, b := range m.key {
		m.inner[i] ^= b
		m.outer[i] ^= b
	}
	copy(m.inner[valueAt:], m.v[:])
	hash := sha256.Sum256(m.inner[:end])
	copy(m.outer[sha256.BlockSize:], hash[:])
	*out = sha256.Sum256(m.outer[:])
	clear(hash[:])
}

func (m *nonceMaker) wipe() { *m = nonceMaker{} }
