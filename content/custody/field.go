package custody

import (
	"encoding/binary"
	"math/bits"
)

// element is a number modulo q in Montgomery form: four limbs, the least significant first, of the number times 2^256. It is
// always below q, so two elements are equal exactly if their limbs are. Nothing here allocates.
type element [4]uint64

// elementSize is the size of an element, in bytes.
const elementSize = 32

// The prime q of 256 bits, 3 modulo 4 (docs/protocol/content-engine.md 3).
const (
	q0 = 0x2cf3876bd70ff19b
	q1 = 0xad0c6cfd3b15ab43
	q2 = 0x16ec7414cf87a798
	q3 = 0xed99b4f66aaec302

	minusInverse = 0x2b153d3d11a0f36d // -1/q modulo 2^64
)

var (
	zero element
	// one is 2^256 modulo q.
	one = element{0xd30c789428f00e65, 0x52f39302c4ea54bc, 0xe9138beb30785867, 0x12664b0995513cfd}
	// square2to256 is 2^512 modulo q.
	square2to256 = element{0x375bfe63580410a9, 0x6013ceb40dcf0198, 0x472f4c21a3283cc2, 0xe28f80fa28287be4}
	// quarter is (q-3)/4, an exponent and no element.
	quarter = [4]uint64{0xcb3ce1daf5c3fc66, 0x2b431b3f4ec56ad0, 0x85bb1d0533e1e9e6, 0x3b666d3d9aabb0c0}
)

// mul sets z to x·y: a limb of y at a time, after which one limb of the sum is made zero with a multiple of q and dropped.
func (z *element) mul(x, y *element) {
	var t0, t1, t2, t3, t4 uint64
	for _, limb := range y {
		var c, over uint64
		h0, l0 := bits.Mul64(x[0], limb)
		h1, l1 := bits.Mul64(x[1], limb)
		h2, l2 := bits.Mul64(x[2], limb)
		h3, l3 := bits.Mul64(x[3], limb)
		l1, c = bits.Add64(l1, h0, 0)
		l2, c = bits.Add64(l2, h1, c)
		l3, c = bits.Add64(l3, h2, c)
		h3 += c
		t0, c = bits.Add64(t0, l0, 0)
		t1, c = bits.Add64(t1, l1, c)
		t2, c = bits.Add64(t2, l2, c)
		t3, c = bits.Add64(t3, l3, c)
		t4, over = bits.Add64(t4, h3, c)

		m := t0 * minusInverse
		h0, l0 = bits.Mul64(m, q0)
		h1, l1 = bits.Mul64(m, q1)
		h2, l2 = bits.Mul64(m, q2)
		h3, l3 = bits.Mul64(m, q3)
		l1, c = bits.Add64(l1, h0, 0)
		l2, c = bits.Add64(l2, h1, c)
		l3, c = bits.Add64(l3, h2, c)
		h3 += c
		_, c = bits.Add64(t0, l0, 0)
		t0, c = bits.Add64(t1, l1, c)
		t1, c = bits.Add64(t2, l2, c)
		t2, c = bits.Add64(t3, l3, c)
		t3, c = bits.Add64(t4, h3, c)
		t4 = over + c
	}
	z.reduce(t0, t1, t2, t3, t4)
}

// reduce sets z to the number of five limbs, which is below 2q, modulo q.
func (z *element) reduce(t0, t1, t2, t3, t4 uint64) {
	s0, b := bits.Sub64(t0, q0, 0)
	s1, b := bits.Sub64(t1, q1, b)
	s2, b := bits.Sub64(t2, q2, b)
	s3, b := bits.Sub64(t3, q3, b)
	_, b = bits.Sub64(t4, 0, b)
	keep := -b // all ones if the number was below q
	z[0] = s0 ^ (keep & (s0 ^ t0))
	z[1] = s1 ^ (keep & (s1 ^ t1))
	z[2] = s2 ^ (keep & (s2 ^ t2))
	z[3] = s3 ^ (keep & (s3 ^ t3))
}

// square sets z to x².
func (z *element) square(x *element) { z.mul(x, x) }

// add sets z to x+y.
func (z *element) add(x, y *element) {
	t0, c := bits.Add64(x[0], y[0], 0)
	t1, c := bits.Add64(x[1], y[1], c)
	t2, c := bits.Add64(x[2], y[2], c)
	t3, c := bits.Add64(x[3], y[3], c)
	z.reduce(t0, t1, t2, t3, c)
}

// sub sets z to x-y.
func (z *element) sub(x, y *element) {
	t0, b := bits.Sub64(x[0], y[0], 0)
	t1, b := bits.Sub64(x[1], y[1], b)
	t2, b := bits.Sub64(x[2], y[2], b)
	t3, b := bits.Sub64(x[3], y[3], b)
	below := -b
	var c uint64
	z[0], c = bits.Add64(t0, below&q0, 0)
	z[1], c = bits.Add64(t1, below&q1, c)
	z[2], c = bits.Add64(t2, below&q2, c)
	z[3], _ = bits.Add64(t3, below&q3, c)
}

// negate sets z to -x.
func (z *element) negate(x *element) { z.sub(&zero, x) }

// double sets z to 2x.
func (z *element) double(x *element) { z.add(x, x) }

func (z *element) isZero() bool { return *z == zero }

// number returns the limbs of x itself.
func (z *element) number() [4]uint64 {
	var n element
	n.mul(z, &element{1})
	return n
}

// isOdd reports whether x itself is odd.
func (z *element) isOdd() bool { return z.number()[0]&1 == 1 }

// setLimbs sets z to a number, which is reduced if it is not below q.
func (z *element) setLimbs(n *[4]uint64) {
	z.reduce(n[0], n[1], n[2], n[3], 0)
	z.mul(z, &square2to256)
}

// setBytes sets z to a big-endian number and reports whether that is below q. If not, z is the number less q.
func (z *element) setBytes(b *[elementSize]byte) bool {
	n := limbsOf(b)
	_, borrow := bits.Sub64(n[0], q0, 0)
	_, borrow = bits.Sub64(n[1], q1, borrow)
	_, borrow = bits.Sub64(n[2], q2, borrow)
	_, borrow = bits.Sub64(n[3], q3, borrow)
	z.setLimbs(&n)
	return borrow == 1
}

// put writes x itself, big-endian.
func (z *element) put(into *[elementSize]byte) {
	n := z.number()
	for i, limb := range n {
		binary.BigEndian.PutUint64(into[elementSize-8*(i+1):], limb)
	}
}

// limbsOf reads a big-endian number.
func limbsOf(b *[elementSize]byte) (n [4]uint64) {
	for i := range n {
		n[i] = binary.BigEndian.Uint64(b[elementSize-8*(i+1):])
	}
	return n
}

// halfRoot sets z to x^((q-3)/4), of which x times as much is a square root of x, if there is one, and the fourth power times x is 1/x.
// The exponent is read in windows of four bits, from the top.
func (z *element) halfRoot(x *element) {
	var powers [16]element
	powers[0], powers[1] = one, *x
	for i := 2; i < len(powers); i++ {
		powers[i].mul(&powers[i-1], x)
	}
	out := one
	for i := 63; i >= 0; i-- {
		if i < 63 {
			for range 4 {
				out.square(&out)
			}
		}
		if digit := quarter[i/16] >> (4 * (i % 16)) & 15; digit != 0 {
			out.mul(&out, &powers[digit])
		}
	}
	*z = out
}

// sqrt sets z to a square root of x and reports whether x has one; if not, z is a root of -x.
func (z *element) sqrt(x *element) bool {
	var root, check element
	root.halfRoot(x)
	root.mul(&root, x)
	check.square(&root)
	square := check == *x
	*z = root
	return square
}

// invert sets z to 1/x, or to 0 if x is 0.
func (z *element) invert(x *element) {
	var power element
	power.halfRoot(x)
	power.square(&power)
	power.square(&power)
	z.mul(&power, x)
}

// invertAll replaces each element by its inverse and leaves zeroes as they are, with one inversion. products has the same length.
func invertAll(elements, products []element) {
	all := one
	for i := range elements {
		products[i] = all
		if !elements[i].isZero() {
			all.mul(&all, &elements[i])
		}
	}
	all.invert(&all)
	for i := len(elements) - 1; i >= 0; i-- {
		if elements[i].isZero() {
			continue
		}
		own := elements[i]
		elements[i].mul(&all, &products[i])
		all.mul(&all, &own)
	}
}
