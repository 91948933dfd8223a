package share

import (
	"errors"
	"fmt"
	"io"
	"math/big"
)

// shareModulus is the order of secp256k1 (docs/protocol/content-engine.md 2). A share is a point of a polynomial modulo it, whose value at 0 is the key; its
// degree is one less than the quorum.
const shareModulus = "115792089237316195423570985008687907852837564279074904382605163141518161494337"

// maxShares bounds the place of a share and the work for a key: fifty times the seeders that the ledger ever had.
const maxShares = 1000

// ErrQuorum means that a quorum does not fit the number of seeders.
var ErrQuorum = errors.New("the quorum is at least 2 and at most the number of seeders; content without seeders has the quorum 0")

func modulus() *big.Int {
	n, _ := new(big.Int).SetString(shareModulus, 10)
	return n
}

// Quorum returns how many of so many seeders have to deliver their shares before the key is known: a third of them, at least two.
func Quorum(seeders int) uint32 {
	if seeders <= 0 {
		return 0
	}
	return uint32(max(2, min(seeders, maxShares)/3)) // bounded by maxShares
}

// Share is a point of the polynomial: what one seeder keeps. Printing it shows nothing. Its owner wipes it.
type Share struct {
	place uint32
	value **big.Int // behind two pointers, as in Key
}

func newShare(place uint32, value *big.Int) Share { return Share{place, &value} }

func (s Share) number() *big.Int {
	if s.value == nil {
		return new(big.Int)
	}
	return *s.value
}

// Place returns which share it is, counted from 1 in the order of the seeders.
func (s Share) Place() uint32 { return s.place }

// Wipe overwrites the share and its copies.
func (s Share) Wipe() { wipe(s.number()) }

// Format writes a placeholder instead of the share.
func (s Share) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// MarshalJSON always fails.
func (s Share) MarshalJSON() ([]byte, error) { return nil, errHidden }

// Split divides a key into shares, quorum of which restore it. Errors: ErrQuorum, ErrKeyRange. The caller wipes the shares.
func Split(key Key, shares int, quorum uint32) ([]Share, error) {
	if quorum < 2 || shares > maxShares || uint64(quorum) > uint64(max(shares, 0)) {
		return nil, ErrQuorum
	}
	order := modulus()
	polynomial := make([]*big.Int, quorum)
	defer func() { wipe(polynomial...) }()
	polynomial[0] = key.number()
	if polynomial[0].Sign() == 0 || polynomial[0].Cmp(order) >= 0 {
		return nil, ErrKeyRange
	}
	for i := 1; i < len(polynomial); i++ {
		var err error
		if polynomial[i], err = randomBelow(order); err != nil {
			return nil, err
		}
	}
	out := make([]Share, shares)
	for i := range out {
		place, value := big.NewInt(int64(i)+1), new(big.Int)
		for j := len(polynomial) - 1; j >= 0; j-- {
			value.Mul(value, place).Add(value, polynomial[j]).Mod(value, order)
		}
		out[i] = newShare(uint32(i)+1, value) // at most maxShares
	}
	return out, nil
}

// Restore returns the key of shares, quorum of which suffice; additional ones must lie on the same polynomial. No shares and the quorum 0
// are the key 0. Errors: ErrMissing, ErrDamaged. The caller wipes the key.
func Restore(shares []Share, quorum uint32) (Key, error) {
	if uint64(len(shares)) < uint64(quorum) {
		return Key{}, ErrMissing
	}
	if len(shares) == 0 {
		return Key{}, nil
	}
	if len(shares) > maxShares || quorum == 0 {
		return Key{}, ErrDamaged
	}
	basis := shares[:quorum]
	for i, s := range shares {
		if !s.valid() {
			return Key{}, ErrDamaged
		}
		for _, other := range shares[:i] {
			if s.place == other.place {
				return Key{}, ErrDamaged
			}
		}
	}
	for _, s := range shares[quorum:] {
		expected := valueAt(basis, s.place)
		same := expected.Cmp(s.number()) == 0
		wipe(expected)
		if !same {
			return Key{}, ErrDamaged
		}
	}
	number := valueAt(basis, 0)
	defer wipe(number)
	return keyOf(number), nil
}

func (s Share) valid() bool {
	return s.place >= 1 && s.place <= maxShares && s.value != nil && s.number().Sign() >= 0 && s.number().Cmp(modulus()) < 0
}

// valueAt returns the value at a place of the polynomial through shares, no two of which have the same place.
func valueAt(shares []Share, place uint32) *big.Int {
	order, sum := modulus(), new(big.Int)
	for i, s := range shares {
		above, below := new(big.Int).Set(s.number()), big.NewInt(1)
		for j, other := range shares {
			if j != i {
				above.Mul(above, big.NewInt(int64(other.place)-int64(place))).Mod(above, order)
				below.Mul(below, big.NewInt(int64(other.place)-int64(s.place))).Mod(below, order)
			}
		}
		sum.Add(sum, above.Mul(above, below.ModInverse(below, order))).Mod(sum, order)
		wipe(above)
	}
	return sum
}
