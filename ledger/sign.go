package ledger

import (
	"slices"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// Sign signs a digest of 32 bytes. The signature is always canonical, and the same for the
// same key and digest. The nonce is RFC 6979's and, where that makes no canonical
// signature, the numbers behind it: one point addition each instead of a multiplication. Of
// those related nonces exactly one is ever used, which is what keeps the key secret
// (docs/design/015-signatures.md).
func (k PrivateKey) Sign(digest [32]byte) Signature {
	return k.signWith(func(secret *[32]byte, scalar *secp256k1.ModNScalar) Signature {
		nonce := secp256k1.NonceRFC6979(secret[:], digest[:], nil, nil, referenceSkips)
		defer nonce.Zero()
		return signFrom(scalar, nonce, &digest)
	})
}

// SignAsReference is Sign, bit for bit as the reference signs, for what is compared with
// it: the nonces are the stream of RFC 6979 from its second value on. It takes twice as
// long. That both may sign the same digest gives nothing away: their nonces are
// the same or unrelated.
func (k PrivateKey) SignAsReference(digest [32]byte) Signature {
	return k.signWith(func(secret *[32]byte, scalar *secp256k1.ModNScalar) Signature {
		for skips := uint32(referenceSkips); ; skips++ {
			nonce := secp256k1.NonceRFC6979(secret[:], digest[:], nil, nil, skips)
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

// referenceSkips is how many values of its nonce generator the reference throws away.
const referenceSkips = 1

// signWith lends the secret to sign; the null key signs with zeroes.
func (k PrivateKey) signWith(sign func(secret *[32]byte, scalar *secp256k1.ModNScalar) Signature) Signature {
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
	return sign(&secret, &scalar)
}

// sharedInversion is how many nonces in a row are tried with one inversion: fifteen
// in sixteen signatures need no second.
const sharedInversion = 4

// signFrom makes the canonical signature with the first nonce that has one, counting up
// from nonce. It returns that signature and nothing of the others: two signatures with
// nonces of a known distance would give the key away.
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

// signAt makes the one signature that belongs to the nonce, whose point is given in affine
// coordinates, or reports that it would not be canonical. Half of all nonces fail at r,
// so s is computed only after that.
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

// toAffine brings points to Z = 1 with one inversion for all: that of the product of their
// Z, from which a multiplication each takes the others away. A point at infinity, which
// nobody meets, makes all of them zero, and nothing is signed with them.
func toAffine(points []secp256k1.JacobianPoint) {
	var room [sharedInversion]secp256k1.FieldVal
	before := room[:] // the product of the Z before each
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

// generator returns the point whose multiples public keys are.
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
