package ledger

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// residue is a number modulo the curve's prime, in four words, lowest first. It need not be reduced: any number below 2^256 is
// valid. It multiplies several times as fast as secp256k1.FieldVal, but not in constant time, so it must never hold a secret.
type residue [4]uint64

// residueFold is 2^256 modulo the prime.
const residueFold = 1<<32 + 977

// prime is the curve's prime.
var prime = residue{^uint64(0) - residueFold + 1, ^uint64(0), ^uint64(0), ^uint64(0)}

// residueOf converts a field value, which must be normalized.
func residueOf(f *secp256k1.FieldVal) (r residue) {
	r.setBytes(f.Bytes())
	return r
}

func (r *residue) setBytes(b *[32]byte) {
	for i := range r {
		r[i] = binary.BigEndian.Uint64(b[24-8*i:])
	}
}

// bytes returns r reduced below the prime, big-endian.
func (r residue) bytes() (b [32]byte) {
	var least residue
	var below uint64
	for i := range r {
		least[i], below = bits.Sub64(r[i], prime[i], below)
	}
	if below == 0 {
		r = least
	}
	for i := range r {
		binary.BigEndian.PutUint64(b[24-8*i:], r[i])
	}
	return b
}

// isZero reports whether r is a multiple of the prime.
func (r *residue) isZero() bool { return *r == residue{} || *r == prime }

// mul sets r to a·b.
func (r *residue) mul(a, b *residue) {
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	x := b[0]
	t1, t0 := bits.Mul64(a0, x)
	t2, l1 := bits.Mul64(a1, x)
	t3, l2 := bits.Mul64(a2, x)
	t4, l3 := bits.Mul64(a3, x)
	t1, c := bits.Add64(t1, l1, 0)
	t2, c = bits.Add64(t2, l2, c)
	t3, c = bits.Add64(t3, l3, c)
	t4 += c
	t1, t2, t3, t4, t5 := addProduct(a0, a1, a2, a3, b[1], t1, t2, t3, t4)
	t2, t3, t4, t5, t6 := addProduct(a0, a1, a2, a3, b[2], t2, t3, t4, t5)
	t3, t4, t5, t6, t7 := addProduct(a0, a1, a2, a3, b[3], t3, t4, t5, t6)

	// 2^256 is congruent to residueFold, so the upper four words are multiplied by it. What this carries beyond 2^256 is
	// below 2^34 and is folded once more; after that at most one carry remains, above a small number.
	t0, t1, t2, t3, t4 = addProduct(t4, t5, t6, t7, residueFold, t0, t1, t2, t3)
	h, l := bits.Mul64(t4, residueFold)
	t0, c = bits.Add64(t0, l, 0)
	t1, c = bits.Add64(t1, h, c)
	t2, c = bits.Add64(t2, 0, c)
	t3, c = bits.Add64(t3, 0, c)
	r[0], c = bits.Add64(t0, c*residueFold, 0)
	r[1], r[2], r[3] = t1+c, t2, t3
}

// square sets r to a·a.
func (r *residue) square(a *residue) { r.mul(a, a) }

// addProduct returns the five words of a·x + t.
func addProduct(a0, a1, a2, a3, x, t0, t1, t2, t3 uint64) (r0, r1, r2, r3, r4 uint64) {
	h0, l0 := bits.Mul64(a0, x)
	h1, l1 := bits.Mul64(a1, x)
	h2, l2 := bits.Mul64(a2, x)
	h3, l3 := bits.Mul64(a3, x)
	l1, c := bits.Add64(l1, h0, 0)
	l2, c = bits.Add64(l2, h1, c)
	l3, c = bits.Add64(l3, h2, c)
	h3 += c
	r0, c = bits.Add64(t0, l0, 0)
	r1, c = bits.Add64(t1, l1, c)
	r2, c = bits.Add64(t2, l2, c)
	r3, c = bits.Add64(t3, l3, c)
	return r0, r1, r2, r3, h3 + c
}

// sub sets r to a-b.
func (r *residue) sub(a, b *residue) {
	t0, c := bits.Sub64(a[0], b[0], 0)
	t1, c := bits.Sub64(a[1], b[1], c)
	t2, c := bits.Sub64(a[2], b[2], c)
	t3, c := bits.Sub64(a[3], b[3], c)
	for c != 0 { // a borrow added 2^256, so residueFold is taken off again, which can borrow once more
		t0, c = bits.Sub64(t0, residueFold, 0)
		t1, c = bits.Sub64(t1, 0, c)
		t2, c = bits.Sub64(t2, 0, c)
		t3, c = bits.Sub64(t3, 0, c)
	}
	*r = residue{t0, t1, t2, t3}
}

// affinePoint is a point of the curve other than infinity.
type affinePoint struct{ x, y residue }

// publicPoint is a point of the curve other than infinity, in Jacobian coordinates: x is X/Z², y is Y/Z³.
type publicPoint struct{ X, Y, Z residue }

// add adds a point with Z = 1 to p. It returns false, and leaves p undefined, if both have the same x, which this formula
// cannot add.
func (p *publicPoint) add(q *affinePoint) bool {
	var square, x, y, h, r, hh, hhh, v residue
	square.square(&p.Z)
	x.mul(&q.x, &square)
	y.mul(&q.y, square.times(&p.Z))
	h.sub(&x, &p.X)
	if h.isZero() {
		return false
	}
	r.sub(&y, &p.Y)
	hh.square(&h)
	hhh.mul(&hh, &h)
	v.mul(&p.X, &hh)
	p.X.square(&r)
	p.X.sub(&p.X, &hhh)
	p.X.sub(&p.X, &v)
	p.X.sub(&p.X, &v)
	v.sub(&v, &p.X)
	v.mul(&v, &r)
	p.Y.mul(&p.Y, &hhh)
	p.Y.sub(&v, &p.Y)
	p.Z.mul(&p.Z, &h)
	return true
}

// times multiplies r by a and returns it.
func (r *residue) times(a *residue) *residue {
	r.mul(r, a)
	return r
}

// affine returns x, and 1 if y is odd. Its running time depends on the point.
func (p *publicPoint) affine() (x [32]byte, odd byte) {
	z := p.Z.bytes()
	inverted := new(big.Int).SetBytes(z[:])
	inverted.ModInverse(inverted, secp256k1.Params().P)
	inverted.FillBytes(z[:])
	var inverse, power, out residue
	inverse.setBytes(&z)
	power.square(&inverse)
	out.mul(&p.X, &power)
	x = out.bytes()
	out.mul(&p.Y, power.times(&inverse))
	y := out.bytes()
	return x, y[31] & 1
}
