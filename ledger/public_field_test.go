package ledger

import (
	"math/big"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"pgregory.net/rapid"
)

// Residues compute what whole numbers do modulo the prime, at its edges and those of the words too.
func TestResiduesComputeModuloThePrime(t *testing.T) {
	p := secp256k1.Params().P
	edges := []uint64{0, 1, residueFold - 1, residueFold, residueFold + 1, ^uint64(0) - residueFold, ^uint64(0) - residueFold + 1,
		^uint64(0) - 1, ^uint64(0)}
	word := rapid.OneOf(rapid.SampledFrom(edges), rapid.Uint64())
	some := rapid.Custom(func(t *rapid.T) residue {
		return residue{word.Draw(t, "lowest"), word.Draw(t, "low"), word.Draw(t, "high"), word.Draw(t, "highest")}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := some.Draw(t, "a"), some.Draw(t, "b")
		if text := a.bytes(); numberOf(a).Cmp(new(big.Int).SetBytes(text[:])) != 0 {
			t.Fatalf("%x is written as %x", a, text)
		}
		if a.isZero() != (numberOf(a).Sign() == 0) {
			t.Fatalf("%x is zero: %v", a, a.isZero())
		}
		var product, difference residue
		product.mul(&a, &b)
		difference.sub(&a, &b)
		want := new(big.Int).Mul(numberOf(a), numberOf(b))
		if want.Mod(want, p); numberOf(product).Cmp(want) != 0 {
			t.Fatalf("%x · %x = %x", a, b, product)
		}
		want.Sub(numberOf(a), numberOf(b))
		if want.Mod(want, p); numberOf(difference).Cmp(want) != 0 {
			t.Fatalf("%x - %x = %x", a, b, difference)
		}
		if difference.sub(&a, &a); !difference.isZero() {
			t.Fatalf("%x - %x = %x", a, a, difference)
		}
	})
}

// numberOf is computed from the words.
func numberOf(r residue) *big.Int {
	sum := new(big.Int)
	for i := range r {
		word := new(big.Int).SetUint64(r[len(r)-1-i])
		sum.Add(sum.Lsh(sum, 64), word)
	}
	return sum.Mod(sum, secp256k1.Params().P)
}
