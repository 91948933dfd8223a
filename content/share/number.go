package share

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"billfold/ledger"
)

// Digits that numbers of the scheme have at most: those of the group have 155, the two answers of a delivery proof 193.
const (
	maxGroupDigits  = 160
	maxAnswerDigits = 200
)

// ErrNumber means that a number of the ledger is none of the group: too long, not decimal, 0, 1, p-1, p or more.
var ErrNumber = errors.New("not a number of the El Gamal group")

// group is the group in which shares are encrypted: numbers modulo a safe prime.
type group struct {
	prime, generator, order *big.Int // order is that of all numbers, prime-1
}

func newGroup() group {
	prime, generator := ledger.ElGamalGroup()
	return group{prime, generator, new(big.Int).Sub(prime, big.NewInt(1))}
}

// digits parses a decimal number with or without the dot at its end.
func digits(v ledger.BigInteger, most int) (*big.Int, bool) {
	text := strings.TrimSuffix(v.S, ".")
	if text == "" || len(text) > most || strings.Trim(text, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(text, 10)
}

// element parses a number of the group. 0, 1 and p-1 hide nothing and are refused.
func (g group) element(v ledger.BigInteger) (*big.Int, error) {
	n, ok := digits(v, maxGroupDigits)
	if !ok || n.Cmp(big.NewInt(1)) <= 0 || n.Cmp(g.order) >= 0 {
		return nil, ErrNumber
	}
	return n, nil
}

// elements parses several numbers of the group.
func (g group) elements(values ...ledger.BigInteger) ([]*big.Int, error) {
	out := make([]*big.Int, len(values))
	for i, v := range values {
		n, err := g.element(v)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// power returns base^exponent.
func (g group) power(base, exponent *big.Int) *big.Int {
	return new(big.Int).Exp(base, exponent, g.prime)
}

// product returns the product of the factors.
func (g group) product(factors ...*big.Int) *big.Int {
	out := big.NewInt(1)
	for _, f := range factors {
		out.Mul(out, f).Mod(out, g.prime)
	}
	return out
}

// inverse returns 1/n. Every number of the group has one, because p is a prime.
func (g group) inverse(n *big.Int) *big.Int {
	return new(big.Int).ModInverse(n, g.prime)
}

// exponent returns a random exponent other than 0. The caller wipes it.
func (g group) exponent() (*big.Int, error) { return randomBelow(g.order) }

// randomBelow returns a random number of 1 to most-1. The caller wipes it.
func randomBelow(most *big.Int) (*big.Int, error) {
	for {
		n, err := rand.Int(rand.Reader, most)
		if err != nil {
			return nil, fmt.Errorf("the system provides no random numbers: %w", err)
		}
		if n.Sign() > 0 {
			return n, nil
		}
	}
}

// wipe overwrites numbers, which may be nil.
func wipe(numbers ...*big.Int) {
	for _, n := range numbers {
		if n != nil {
			clear(n.Bits())
			n.SetInt64(0)
		}
	}
}

func text(n *big.Int) ledger.BigInteger { return ledger.BigInteger{S: ledger.BigText(n)} }
