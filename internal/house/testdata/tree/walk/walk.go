// Package walk breaks every measure once.
package walk

type Bare struct{ leg }

// Plain is data: its many fields are exempt.
type Plain struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S int }

// options are exempt by their name.
type options struct{ a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s int }

// many has 19 fields.
type many struct{ a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s int }

// String is one of the standard library's.
func (b Bare) String() string { return b.bend() }

const tooLong = "a line of more than a hundred and forty columns, which no row of a table excuses, because it stands by itself in the file xxxxx"

var table = []string{
	"a line of more than a hundred and forty columns, which is fine, because it is a row of a table that stands in a line of its own xxxxxxxxxx",
}

var _ = []any{options{}, many{}, tooLong, table}

func (many) m0()  {}
func (many) m1()  {}
func (many) m2()  {}
func (many) m3()  {}
func (many) m4()  {}
func (many) m5()  {}
func (many) m6()  {}
func (many) m7()  {}
func (many) m8()  {}
func (many) m9()  {}
func (many) m10() {}
func (many) m11() {}
func (many) m12() {}
func (many) m13() {}
func (many) m14() {}
func (many) m15() {}
func (many) m16() {}
func (many) m17() {}
func (many) m18() {}
func (many) m19() {}
func (many) m20() {}
func (many) m21() {}
func (many) m22() {}
func (many) m23() {}
func (many) m24() {}
func (many) m25() {}
func (many) m26() {}
func (many) m27() {}
func (many) m28() {}
func (many) m29() {}
func (many) m30() {}
func (many) m31() {}
func (many) m32() {}
func (many) m33() {}
func (many) m34() {}
func (many) m35() {}
func (many) m36() {}
func (many) m37() {}
func (many) m38() {}
func (many) m39() {}
func (many) m40() {}
