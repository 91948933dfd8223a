package custody

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

var primeQ, _ = new(big.Int).SetString("107469721672869524998588652624299090254588259753590905940381448229303192908187", 10)

// bigOf returns the number of an element.
func bigOf(x *element) *big.Int {
	var b [elementSize]byte
	x.put(&b)
	return new(big.Int).SetBytes(b[:])
}

func elementFrom(n *big.Int) (x element) {
	var b [elementSize]byte
	n.FillBytes(b[:])
	x.setBytes(&b)
	return x
}

// elements draws numbers below q, with those near 0, q and the limits of limbs more often than chance would.
func elements() *rapid.Generator[element] {
	return rapid.Custom(func(t *rapid.T) element {
		limb := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, ^uint64(0), q0, q1, q2, q3, 1 << 63}))
		x := element{limb.Draw(t, "0"), limb.Draw(t, "1"), limb.Draw(t, "2"), limb.Draw(t, "3")}
		x.reduce(x[0], x[1], x[2], x[3], 0)
		return x
	})
}

func TestFieldIsThatOfTheScheme(t *testing.T) {
	order := new(big.Int).Mul(groupOrder, cofactor)
	if order.Sub(order, big.NewInt(1)).Cmp(primeQ) != 0 || !primeQ.ProbablyPrime(20) || !groupOrder.ProbablyPrime(20) {
		t.Error("q+1 is not h·r, or one of the primes is none")
	}
	if groupOrder.String() != "1287689620916637251875563089646583807" || primeQ.Bit(0) != 1 || primeQ.Bit(1) != 1 || cofactor.Bit(2) != 1 || cofactor.Bit(1) != 0 {
		t.Error("the comments on q, r and h are wrong")
	}
	var x element
	x.sub(&zero, &one)
	if got := bigOf(&x); got.Add(got, big.NewInt(1)).Cmp(primeQ) != 0 {
		t.Error("-1 is not q-1")
	}
	x.square(&rootMinus2)
	x.add(&x, &one)
	x.add(&x, &one)
	if !x.isZero() {
		t.Error("t² is not -2")
	}
	if !generator.isOnCurve() || !generator.inGroup() {
		t.Error("the generator is not in the group")
	}
}

func TestFieldIsAsTheOneOfMathBig(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x, y := elements().Draw(rt, "x"), elements().Draw(rt, "y")
		a, b := bigOf(&x), bigOf(&y)
		var z element
		check := func(name string, want *big.Int) {
			if want.Mod(want, primeQ).Cmp(bigOf(&z)) != 0 {
				rt.Errorf("%s of %d and %d is %d, want %d", name, a, b, bigOf(&z), want)
			}
			if z != elementFrom(want) {
				rt.Errorf("%s: %x is not the only form of %d", name, z, want)
			}
		}
		z.add(&x, &y)
		check("sum", new(big.Int).Add(a, b))
		z.sub(&x, &y)
		check("difference", new(big.Int).Sub(a, b))
		z.mul(&x, &y)
		check("product", new(big.Int).Mul(a, b))
		z.square(&x)
		check("square", new(big.Int).Mul(a, a))
		z.negate(&x)
		check("negative", new(big.Int).Neg(a))
		z.double(&x)
		check("double", new(big.Int).Lsh(a, 1))
		z = x
		z.mul(&z, &z) // in place
		check("square in place", new(big.Int).Mul(a, a))
		z.invert(&x)
		if want := new(big.Int).ModInverse(a, primeQ); want != nil {
			check("inverse", want)
		} else if !z.isZero() {
			rt.Error("the inverse of 0 is not 0")
		}
		root := z
		isSquare := root.sqrt(&x)
		if isSquare != (big.Jacobi(a, primeQ) >= 0) {
			rt.Errorf("%d: a root was found: %t", a, isSquare)
		}
		z.square(&root)
		if isSquare {
			check("square of the root", new(big.Int).Set(a))
		}
		if x.isOdd() != (a.Bit(0) == 1) {
			rt.Errorf("%d is odd: %t", a, x.isOdd())
		}
	})
}

func TestBytesOfElements(t *testing.T) {
	for _, c := range []struct {
		n     *big.Int
		below bool
	}{
		{big.NewInt(0), true}, {big.NewInt(1), true}, {new(big.Int).Sub(primeQ, big.NewInt(1)), true}, {primeQ, false},
		{new(big.Int).Add(primeQ, big.NewInt(1)), false}, {new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1)), false},
	} {
		var b [elementSize]byte
		var x element
		c.n.FillBytes(b[:])
		if below := x.setBytes(&b); below != c.below || bigOf(&x).Cmp(new(big.Int).Mod(c.n, primeQ)) != 0 {
			t.Errorf("%d is %d, below q: %t", c.n, bigOf(&x), below)
		}
	}
}

func TestManyInversesAtOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		given := rapid.SliceOfN(elements(), 0, 20).Draw(rt, "elements")
		got := append([]element(nil), given...)
		invertAll(got, make([]element, len(given)))
		for i := range given {
			var want element
			want.invert(&given[i])
			if got[i] != want {
				rt.Errorf("element %d of %x", i, given)
			}
		}
	})
}

func BenchmarkMultiplication(b *testing.B) {
	x := square2to256
	for b.Loop() {
		x.mul(&x, &square2to256)
	}
}

func BenchmarkRoot(b *testing.B) {
	x := square2to256
	for b.Loop() {
		x.sqrt(&x)
	}
}
