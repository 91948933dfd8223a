package custody

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Sizes of what is signed: a message of 20 sectors of 16 bytes.
const (
	sectors     = 20
	sectorSize  = 16
	MessageSize = sectors * sectorSize // MessageSize is how many bytes of a package one signature is for
)

// hashSize is the number of bytes of a digest that become an exponent.
const hashSize = 15

// pointOf returns the point of a digest, which is still to be multiplied by the cofactor: x is the digest, halved until it is not above q, then
// x²+1 for x until there is a y; y is the odd one.
func pointOf(digest *[sha256.Size]byte) (a affine) {
	n := limbsOf(digest)
	for isAbove(&n) {
		for i := range n {
			n[i] >>= 1
			if i+1 < len(n) {
				n[i] |= n[i+1] << 63
			}
		}
	}
	a.x.setLimbs(&n)
	var square element
	for square.curveAt(&a.x); !a.y.sqrt(&square); square.curveAt(&a.x) {
		a.x.square(&a.x)
		a.x.add(&a.x, &one)
	}
	if !a.y.isOdd() {
		a.y.negate(&a.y)
	}
	return a
}

// isAbove reports whether a number is above q.
func isAbove(n *[4]uint64) bool {
	_, borrow := bits.Sub64(q0, n[0], 0)
	_, borrow = bits.Sub64(q1, n[1], borrow)
	_, borrow = bits.Sub64(q2, n[2], borrow)
	_, borrow = bits.Sub64(q3, n[3], borrow)
	return borrow == 1
}

// setHash sets p to four times the point of a digest, which has odd order.
func (p *point) setHash(digest *[sha256.Size]byte) {
	a := pointOf(digest)
	p.set(&a)
	p.double(p, false)
	p.double(p, true)
}

// setIndex sets p to four times the point of a signature's index.
func (p *point) setIndex(index uint32) {
	var text [16]byte
	strconv.AppendUint(text[:0], uint64(index), 10)
	digest := sha256.Sum256(text[:])
	p.setHash(&digest)
}

// sectorPoints returns four times the point of each sector.
func sectorPoints(seed [16]byte) (points [sectors]point) {
	var text strings.Builder
	for _, b := range seed {
		fmt.Fprintf(&text, "%X", b) // without a leading zero, as the reference does it
	}
	sum, _ := new(big.Int).SetString(text.String(), 16)
	for j := range points {
		digest := sha256.Sum256([]byte(sum.Add(sum, big.NewInt(int64(j))).Text(16)))
		points[j].setHash(&digest)
	}
	return points
}

// scalar is a number by which a point is multiplied, the least significant limb first.
type scalar [4]uint64

// scalarOf returns a number of at most 256 bits.
func scalarOf(n *big.Int) (s scalar) {
	var b [elementSize]byte
	n.FillBytes(b[:])
	s = limbsOf(&b)
	clear(b[:])
	return s
}

func (s *scalar) number() *big.Int {
	var b [elementSize]byte
	for i, limb := range s {
		binary.BigEndian.PutUint64(b[elementSize-8*(i+1):], limb)
	}
	return new(big.Int).SetBytes(b[:])
}

// exponentOf returns the exponent of a digest: its first bytes, halved until they are not above r.
func exponentOf(digest *[sha256.Size]byte) scalar {
	n := new(big.Int).SetBytes(digest[:hashSize])
	for n.Cmp(groupOrder) > 0 {
		n.Rsh(n, 1)
	}
	return scalarOf(n)
}

// restOfCofactor is a quarter of the cofactor: the points of digests above have been multiplied by four.
var restOfCofactor = scalarOf(new(big.Int).Rsh(cofactor, 2))

// sumOfMultiples returns the sum of points of odd order, each times its scalar. The points have their t.
func sumOfMultiples(points []point, scalars []scalar) point {
	const window, digits = 4, 16
	tables := make([][digits]addend, len(points))
	for i := range points {
		multiple := infinity()
		own := points[i].addend()
		for d := range digits {
			tables[i][d] = multiple.addend()
			multiple.add(&own, false)
		}
	}
	sum, begun := infinity(), false
	for position := 256 - window; position >= 0; position -= window {
		for k := 0; begun && k < window; k++ {
			sum.double(&sum, k == window-1)
		}
		for i := range scalars {
			if digit := scalars[i][position/64] >> (position % 64) % digits; digit != 0 {
				sum.add(&tables[i][digit], false)
				begun = true
			}
		}
	}
	return sum
}

// multiple returns p times a scalar. p has odd order, and its t.
func (p *point) multiple(s scalar) point { return sumOfMultiples([]point{*p}, []scalar{s}) }
