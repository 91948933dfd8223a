package custody

// The pairing of the curve is Tate's: f of the first point at the distorted second one, (-x, i·y), to the power (q²-1)/r. Only whether
// two pairings are equal matters, and that is the same for all pairings of the group that are not degenerate.

// complexElement is a number re + im·i of the field of q² numbers, where i² = -1.
type complexElement struct{ re, im element }

func (z *complexElement) mul(x, y *complexElement) {
	var a, b, c, d element
	a.mul(&x.re, &y.re)
	b.mul(&x.im, &y.im)
	c.add(&x.re, &x.im)
	d.add(&y.re, &y.im)
	c.mul(&c, &d)
	c.sub(&c, &a)
	z.im.sub(&c, &b)
	z.re.sub(&a, &b)
}

func (z *complexElement) conjugate(x *complexElement) {
	z.re = x.re
	z.im.negate(&x.im)
}

// finalPowerIsOne reports whether x to the power (q²-1)/r = (q-1)·h is 1. x to the power q is its conjugate.
func (x *complexElement) finalPowerIsOne() bool {
	var norm, imag element
	norm.square(&x.re)
	imag.square(&x.im)
	norm.add(&norm, &imag)
	if norm.isZero() {
		return false
	}
	norm.invert(&norm)
	var base complexElement
	base.conjugate(x)
	base.mul(&base, &base)
	base.re.mul(&base.re, &norm)
	base.im.mul(&base.im, &norm)
	power := complexElement{re: one}
	for i := cofactor.BitLen() - 1; i >= 0; i-- {
		power.mul(&power, &power)
		if cofactor.Bit(i) == 1 {
			power.mul(&power, &base)
		}
	}
	return power == complexElement{re: one}
}

// miller returns f of p at the distorted point at, up to factors that the final power makes 1: those without i. p is in
// the group. The multiples of p are 2^115 and 2^120 of it; their difference is p itself, and the last line, through p and -p, is such a factor.
func miller(p, at *affine) complexElement {
	f := complexElement{re: one}
	multiple := *p
	var low complexElement
	var lowPoint affine
	for i := range 120 {
		if i == 115 {
			low, lowPoint = f, multiple
		}
		f.mul(&f, &f)
		line := multiple.double(at)
		f.mul(&f, &line)
	}
	low.conjugate(&low) // its inverse, up to such a factor
	f.mul(&f, &low)
	lowPoint.y.negate(&lowPoint.y)
	line := multiple.add(&lowPoint, at)
	f.mul(&f, &line)
	return f
}

// double sets a to 2a and returns the tangent at a, evaluated at the distorted point at. a is no point of order 2.
func (a *affine) double(at *affine) complexElement {
	var slope, below element
	slope.square(&a.x)
	below.double(&slope)
	slope.add(&slope, &below)
	slope.add(&slope, &one)
	below.double(&a.y)
	below.invert(&below)
	slope.mul(&slope, &below)
	return a.follow(&slope, &a.x, at)
}

// add sets a to a+b and returns the line through both, evaluated at the distorted point at. The x of both differ.
func (a *affine) add(b, at *affine) complexElement {
	var slope, below element
	slope.sub(&b.y, &a.y)
	below.sub(&b.x, &a.x)
	below.invert(&below)
	slope.mul(&slope, &below)
	return a.follow(&slope, &b.x, at)
}

// follow sets a to the third point of the line through it and a point of which x is given, mirrored; it returns the line at the distorted
// point at, which is i·y - a.y + slope·(x + a.x).
func (a *affine) follow(slope, x *element, at *affine) complexElement {
	line := complexElement{im: at.y}
	line.re.add(&at.x, &a.x)
	line.re.mul(&line.re, slope)
	line.re.sub(&line.re, &a.y)
	var third, y element
	third.square(slope)
	third.sub(&third, &a.x)
	third.sub(&third, x)
	y.sub(&a.x, &third)
	y.mul(&y, slope)
	a.y.sub(&y, &a.y)
	a.x = third
	return line
}

// samePairing reports whether the pairing of a1 and b1 is that of a2 and b2. All are in the group, a1 and a2 checked with inGroup.
func samePairing(a1, b1, a2, b2 *affine) bool {
	left := miller(a1, b1)
	right := miller(a2, b2)
	right.conjugate(&right)
	left.mul(&left, &right)
	return left.finalPowerIsOne()
}
