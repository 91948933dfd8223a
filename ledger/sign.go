package ledger

import (
	"crypto/rand"
	"crypto/sha256"
	"slices"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// Sign signs a digest. The signature is always canonical, and the same for the same key and
// digest. The nonce is RFC 6979's or, if that yields no canonical signature, the first number
// after it that does: each try costs one point addition instead of a multiplication. Exactly
// one of these related nonces is ever used, which keeps the key secret
// (docs/design/015-signatures.md).
func (k PrivateKey) Sign(digest [32]byte) Signature {
	return k.signWith(func(secret *[32]byte, scalar *secp256k1.ModNScalar) Signature {
		nonce := nonceOf(secret, &digest, nil, referenceSkips)
		defer nonce.Zero()
		return signFrom(scalar, nonce, &digest)
	})
}

// SignFresh is Sign with another signature each time: 32 fresh random bytes go into the nonce,
// as RFC 6979 provides for (3.6). Who has made a signature can tell it from others by the same
// key over the same digest; see Signature.SameMaker.
func (k PrivateKey) SignFresh(digest [32]byte) Signature {
	var fresh [32]byte
	_, _ = rand.Read(fresh[:]) // never fails
	return k.signWith(func(secret *[32]byte, scalar *secp256k1.ModNScalar) Signature {
		nonce := nonceOf(secret, &digest, &fresh, referenceSkips)
		defer nonce.Zero()
		return signFrom(scalar, nonce, &digest)
	})
}

// SignAsReference signs bit for bit as the reference does, for comparisons with it: the
// nonces are the stream of RFC 6979 from its second value on. It takes twice as long as
// Sign. Signing the same digest with both reveals nothing: their nonces are the same or
// unrelated.
func (k PrivateKey) SignAsReference(digest [32]byte) Signature {
	return k.signWith(func(secret *[32]byte, scalar *secp256k1.ModNScalar) Signature {
		for skips := referenceSkips; ; skips++ {
			nonce := nonceOf(secret, &digest, nil, skips)
			var point secp256k1.JacobianPoint
			secp256k1.ScalarBaseMultNonConst(nonce, &point)
			point.ToAffine()
			sig, ok := signAt(&point, scalar, nonce, &digest)
			nonce.Zero()
			if ok {
				return sig
			}
		}
	})
}

// referenceSkips is the number of values of its nonce generator that the reference discards.
const referenceSkips = 1

// signWith calls sign with a copy of the secret, which it wipes. The null key's signature is all zeroes.
func (k PrivateKey) signWith(sign func(secret *[32]byte, scalar *secp256k1.ModNScalar) Signature) Signature {
	CleanStack()
	defer CleanStack()
	// One copy serves both key and nonce. If the key were wiped between two reads, the nonce
	// would follow from public data, and the signature would reveal the key.
	var secret [32]byte
	k.PutSecret(&secret)
	defer clear(secret[:])
	var scalar secp256k1.ModNScalar
	defer scalar.Zero()
	scalar.SetBytes(&secret)
	if scalar.IsZero() {
		return Signature{}
	}
	return sign(&secret, &scalar)
}

// sharedInversion is the number of consecutive nonces tried with one inversion:
// fifteen in sixteen signatures need only one.
const sharedInversion = 4

// signFrom returns the canonical signature with the first nonce that yields one, counting
// up from nonce. It reveals nothing about the others: two signatures whose nonces have a
// known difference would reveal the key.
func signFrom(secret, nonce *secp256k1.ModNScalar, digest *[32]byte) Signature {
	var next secp256k1.JacobianPoint
	defer func() { next = secp256k1.JacobianPoint{} }()
	generator, one := generator(), new(secp256k1.ModNScalar).SetInt(1)
	secp256k1.ScalarBaseMultNonConst(nonce, &next)
	for {
		var points [sharedInversion]secp256k1.JacobianPoint
		for i := range points {
			points[i] = next
			secp256k1.AddNonConst(&points[i], &generator, &next)
		}
		toAffine(points[:])
		for i := range points {
			if sig, ok := signAt(&points[i], secret, nonce, digest); ok {
				return sig
			}
			nonce.Add(one)
		}
	}
}

// signAt returns the signature that the nonce yields, or false if it would not be canonical.
// point is the nonce's point in affine coordinates. Half of all nonces already fail at r, so
// s is computed only after that check.
func signAt(point *secp256k1.JacobianPoint, secret, nonce *secp256k1.ModNScalar, digest *[32]byte) (Signature, bool) {
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

// toAffine converts points to Z = 1 with a single inversion, that of the product of all Z;
// multiplications then isolate the inverse of each. A point at infinity, which does not
// occur in practice, makes all of them zero, and nothing is signed with them.
func toAffine(points []secp256k1.JacobianPoint) {
	var room [sharedInversion]secp256k1.FieldVal
	before := room[:] // for each point, the product of the Z before it
	if len(points) > len(room) {
		before = make([]secp256k1.FieldVal, len(points))
	}
	var all secp256k1.FieldVal
	all.SetInt(1)
	for i := range points {
		before[i] = all
		all.Mul(&points[i].Z)
	}
	all.Inverse()
	for i := range slices.Backward(points) {
		p := &points[i]
		var inverse, square secp256k1.FieldVal
		inverse.Mul2(&all, &before[i])
		all.Mul(&p.Z)
		square.SquareVal(&inverse)
		p.X.Mul(&square).Normalize()
		p.Y.Mul(square.Mul(&inverse)).Normalize()
		p.Z.SetInt(1)
	}
}

// generator returns the base point of the curve: public keys are its multiples.
func generator() secp256k1.JacobianPoint {
	var g secp256k1.JacobianPoint
	g.X.SetBytes(&[32]byte{
		0x79, 0xbe, 0x66, 0x7e, 0xf9, 0xdc, 0xbb, 0xac, 0x55, 0xa0, 0x62, 0x95, 0xce, 0x87, 0x0b, 0x07,
		0x02, 0x9b, 0xfc, 0xdb, 0x2d, 0xce, 0x28, 0xd9, 0x59, 0xf2, 0x81, 0x5b, 0x16, 0xf8, 0x17, 0x98,
	})
	g.Y.SetBytes(&[32]byte{
		0x48, 0x3a, 0xda, 0x77, 0x26, 0xa3, 0xc4, 0x65, 0x5d, 0xa4, 0xfb, 0xfc, 0x0e, 0x11, 0x08, 0xa8,
		0xfd, 0x17, 0xb4, 0x48, 0xa6, 0x85, 0x54, 0x19, 0x9c, 0x47, 0xd0, 0x8f, 0xfb, 0x10, 0xd4, 0xb8,
	})
	g.Z.SetInt(1)
	return g
}

// BufferDigest returns the digest of data that SignBuffer signs.
func BufferDigest(data []byte) [sha256.Size]byte { return sha256.Sum256(data) }

// SignBuffer signs SHA-256 of any bytes. The signature proves possession of the
// key and cannot serve in a transaction.
func (k PrivateKey) SignBuffer(data []byte) Signature { return k.Sign(BufferDigest(data)) }

// VerifyBuffer reports whether key made sig over data with SignBuffer.
func VerifyBuffer(data []byte, key PublicKey, sig Signature) bool {
	recovered, err := RecoverKey(BufferDigest(data), sig)
	return err == nil && recovered == key
}

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
