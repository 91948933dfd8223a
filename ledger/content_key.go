package ledger

import (
	"errors"
	"math/big"
	"strings"
)

// The content key is the secret of Shamir's scheme modulo the order of secp256k1: each seeder has a point of a
// polynomial whose value at 0 is the key, and encrypts that point for the buyer (docs/protocol/content-engine.md 2).
const (
	shareModulus  = "115792089237316195423570985008687907852837564279074904382605163141518161494337"
	shareBits     = 256 // bits of a point's value; its place is above them
	maxElGamalLen = 160 // digits, more than any number below the prime has
)

// Errors of ContentKey.
var (
	// ErrKeyPartMissing means that there are fewer parts than the quorum.
	ErrKeyPartMissing = errors.New("too few parts of the content key have arrived")
	// ErrKeyPartDamaged means that a part is not an encrypted point, or that the parts are not of the same key.
	ErrKeyPartDamaged = errors.New("the parts of the content key do not belong together")
)

// ContentKey restores the key of content from the parts that seeders encrypted for k. quorum parts suffice; additional
// ones must yield the same key. Content without seeders has no parts, quorum 0 and the key 0. The caller wipes the key.
func (k ElGamalKey) ContentKey(parts []Ciphertext, quorum uint32) (*big.Int, error) {
	if uint64(len(parts)) < uint64(quorum) {
		return nil, ErrKeyPartMissing
	}
	points := make([]keyPoint, len(parts))
	defer func() {
		for _, p := range points {
			wipeNumber(p.value)
		}
	}()
	for i, part := range parts {
		point, ok := k.open(part)
		if !ok {
			return nil, ErrKeyPartDamaged
		}
		points[i] = point
	}
	key, ok := secretOf(points)
	if !ok {
		return nil, ErrKeyPartDamaged
	}
	if quorum > 0 && len(points) > int(quorum) {
		fewer, ok := secretOf(points[:quorum])
		defer wipeNumber(fewer)
		if !ok || fewer.Cmp(key) != 0 {
			wipeNumber(key)
			return nil, ErrKeyPartDamaged
		}
	}
	return key, nil
}

// keyPoint is a point of the polynomial.
type keyPoint struct{ place, value *big.Int }

// open decrypts a part.
func (k ElGamalKey) open(part Ciphertext) (keyPoint, bool) {
	prime, _ := new(big.Int).SetString(elGamalPrime, 10)
	masked, ok1 := part.C1.below(prime)
	hint, ok2 := part.D1.below(prime)
	if !ok1 || !ok2 {
		return keyPoint{}, false
	}
	mask := hint.Exp(hint, k.Private, prime)
	defer wipeNumber(mask)
	if mask.ModInverse(mask, prime) == nil {
		return keyPoint{}, false
	}
	point := mask.Mul(mask, masked)
	point.Mod(point, prime)
	value := new(big.Int).And(point, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), shareBits), big.NewInt(1)))
	return keyPoint{place: new(big.Int).Rsh(point, shareBits), value: value}, true
}

// below parses the number; ok is false unless it is positive and below most.
func (v BigInteger) below(most *big.Int) (*big.Int, bool) {
	digits := strings.TrimSuffix(v.S, ".")
	if digits == "" || len(digits) > maxElGamalLen || strings.Trim(digits, "0123456789") != "" {
		return nil, false
	}
	n, ok := new(big.Int).SetString(digits, 10)
	return n, ok && n.Sign() > 0 && n.Cmp(most) < 0
}

// secretOf returns the value at 0 of the polynomial through the points, or false if two have the same place.
func secretOf(points []keyPoint) (*big.Int, bool) {
	order, _ := new(big.Int).SetString(shareModulus, 10)
	sum := new(big.Int)
	for i, p := range points {
		above, below := new(big.Int).Set(p.value), big.NewInt(1)
		for j, other := range points {
			if j != i {
				above.Mul(above, other.place).Mod(above, order)
				below.Mul(below, new(big.Int).Sub(other.place, p.place)).Mod(below, order)
			}
		}
		if below.ModInverse(below, order) == nil {
			return nil, false
		}
		sum.Add(sum, above.Mul(above, below)).Mod(sum, order)
		wipeNumber(above)
	}
	return sum, true
}

// wipeNumber overwrites a number, which may be nil.
func wipeNumber(n *big.Int) {
	if n != nil {
		clear(n.Bits())
		n.SetInt64(0)
	}
}
