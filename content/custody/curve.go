package custody

import "math/big"

// The curve is y² = x³ + x. It is computed with as the twisted Edwards curve -X² + Y² = 1 + X²Y², where X = t·x/y, Y = (x-1)/(x+1) and
// t² = -2: there an addition costs eight multiplications and has no special cases among points of odd order, which four times
// any point is (q+1 is four times an odd number). A doubling has none at all. The two points of the curve that have no X, Y are
// (0, 0) and those with x = -1; their order is 2 and 4.

// rootMinus2 is t.
var rootMinus2 = element{0x8adf018cb0ca938c, 0xe4d82c86f163aaf6, 0x5e6a211105452734, 0xbe1c80c718c127a1}

// Orders (docs/protocol/content-engine.md 3): groupOrder is r, 2^120 - 2^115 - 1, the prime order of the group that
// signatures are in; cofactor is h, how many times as large the curve is.
var (
	groupOrder  = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(31), 115), big.NewInt(1))
	cofactor, _ = new(big.Int).SetString("83459336727718274173193788390204479901284", 10)
)

// affine is a point of y² = x³ + x other than infinity.
type affine struct{ x, y element }

// point is a point in extended coordinates: X = x/z, Y = y/z, X·Y = t/z.
type point struct{ x, y, z, t element }

// infinity is the neutral point.
func infinity() point { return point{y: one, z: one} }

// addend is a point as add takes it: y-x, y+x, 2t and 2z.
type addend struct{ minus, plus, t2, z2 element }

// set sets p to a point of the other form; p is infinity if a has order 2 or 4.
func (p *point) set(a *affine) {
	var above, below element
	above.sub(&a.x, &one)
	below.add(&a.x, &one)
	if a.y.isZero() || below.isZero() {
		*p = infinity()
		return
	}
	p.z.mul(&a.y, &below)
	p.y.mul(&a.y, &above)
	p.t.mul(&a.x, &rootMinus2)
	p.x.mul(&p.t, &below)
	p.t.mul(&p.t, &above)
}

// double sets p to 2a. The t of a is not used, that of p is set if withT is true.
func (p *point) double(a *point, withT bool) {
	var xx, yy, zz, e, f, g, h element
	xx.square(&a.x)
	yy.square(&a.y)
	zz.square(&a.z)
	zz.double(&zz)
	h.add(&xx, &yy)
	e.add(&a.x, &a.y)
	e.square(&e)
	e.sub(&e, &h)
	g.sub(&yy, &xx)
	f.sub(&g, &zz)
	h.negate(&h)
	p.finish(&e, &f, &g, &h, withT)
}

// finish sets p to what both addition and doubling end with.
func (p *point) finish(e, f, g, h *element, withT bool) {
	p.x.mul(e, f)
	p.y.mul(g, h)
	p.z.mul(f, g)
	if withT {
		p.t.mul(e, h)
	}
}

// addend returns the form of p that add takes.
func (p *point) addend() (a addend) {
	a.minus.sub(&p.y, &p.x)
	a.plus.add(&p.y, &p.x)
	a.t2.double(&p.t)
	a.z2.double(&p.z)
	return a
}

// add sets p to p+a, or to p-a.
func (p *point) add(a *addend, negative bool) {
	var d element
	d.mul(&p.z, &a.z2)
	p.addTo(&a.minus, &a.plus, &a.t2, &d, negative)
}

// addTo is add, given 2z·z of both points.
func (p *point) addTo(minus, plus, t2, d *element, negative bool) {
	var a, b, c, e, f, g, h element
	a.sub(&p.y, &p.x)
	b.add(&p.y, &p.x)
	c.mul(&p.t, t2)
	if negative {
		minus, plus = plus, minus
		f.add(d, &c)
		g.sub(d, &c)
	} else {
		f.sub(d, &c)
		g.add(d, &c)
	}
	a.mul(&a, minus)
	b.mul(&b, plus)
	e.sub(&b, &a)
	h.add(&b, &a)
	p.finish(&e, &f, &g, &h, true)
}

// same reports whether two points are the same.
func (p *point) same(o *point) bool {
	var a, b, c, d element
	a.mul(&p.x, &o.z)
	b.mul(&o.x, &p.z)
	c.mul(&p.y, &o.z)
	d.mul(&o.y, &p.z)
	return a == b && c == d
}

// affines converts points. Infinity has no affine form and becomes (0, 0), which is in no signature.
func affines(points []point) []affine {
	out := make([]affine, len(points))
	inverses, products := make([]element, len(points)), make([]element, len(points))
	putAffines(out, points, inverses, products)
	return out
}

// putAffines is affines without allocations; all slices have the same length.
func putAffines(into []affine, points []point, inverses, products []element) {
	for i := range points {
		p := &points[i]
		inverses[i].sub(&p.z, &p.y)
		inverses[i].mul(&inverses[i], &p.x)
	}
	invertAll(inverses, products)
	for i := range points {
		p, a := &points[i], &into[i]
		var sum element
		sum.add(&p.z, &p.y)
		sum.mul(&sum, &inverses[i])
		a.x.mul(&sum, &p.x)
		a.y.mul(&sum, &p.z)
		a.y.mul(&a.y, &rootMinus2)
	}
}

// isOnCurve reports whether the point is on the curve.
func (a *affine) isOnCurve() bool {
	var left, right element
	left.square(&a.y)
	right.curveAt(&a.x)
	return left == right
}

// curveAt sets z to x³ + x.
func (z *element) curveAt(x *element) {
	var xx element
	xx.square(x)
	xx.add(&xx, &one)
	z.mul(&xx, x)
}

// PointSize is the size of a point in bytes: x, and 1 if y is odd or 0 if not.
const PointSize = elementSize + 1

func (a *affine) put(into *[PointSize]byte) {
	a.x.put((*[elementSize]byte)(into[:elementSize]))
	into[elementSize] = 0
	if a.y.isOdd() {
		into[elementSize] = 1
	}
}

// setBytes reads a point and reports whether there is one. Each point has one form only.
func (a *affine) setBytes(b *[PointSize]byte) bool {
	if b[elementSize] > 1 || !a.x.setBytes((*[elementSize]byte)(b[:elementSize])) {
		return false
	}
	var square element
	square.curveAt(&a.x)
	if !a.y.sqrt(&square) || a.y.isZero() {
		return false
	}
	if a.y.isOdd() != (b[elementSize] == 1) {
		a.y.negate(&a.y)
	}
	return true
}

// inGroup reports whether r times the point is infinity: 2^120 - 2^115 times it is the point itself.
func (a *affine) inGroup() bool {
	var p, low, high point
	p.set(a)
	low = p
	for i := range 115 {
		low.double(&low, i == 114)
	}
	high = low
	for i := range 5 {
		high.double(&high, i == 4)
	}
	minus := low.addend()
	high.add(&minus, true)
	return high.same(&p) && !p.x.isZero()
}
