package ledger

import (
	"crypto/sha512"
	"fmt"
	"math/big"
)

// The prime and the generator of the group in which content keys are exchanged
// (docs/protocol/wallet-file.md 3).
const (
	elGamalPrime = "117606205586716624619465673966620254951269462276194722746012510815473020091863132" +
		"01119191293557856181195016058359990840577430081932807832465057884143546419"
	elGamalGenerator = 3
)

// ElGamalKey is the pair of numbers that unlocks bought content. Every private key has one.
// The private number is a secret: printing the pair does not show it. Make the pair when it is
// needed and wipe it: printing another struct that has it as a field would show the number.
type ElGamalKey struct {
	Private, Public *big.Int
}

// ElGamal returns the pair that belongs to k: the private number is SHA-512 of the secret,
// big-endian and not reduced; the public one is 3^private modulo the prime.
func (k PrivateKey) ElGamal() ElGamalKey {
	var secret [32]byte
	k.PutSecret(&secret)
	defer clear(secret[:])
	hash := sha512.Sum512(secret[:])
	defer clear(hash[:])
	prime, generator := ElGamalGroup()
	private := new(big.Int).SetBytes(hash[:])
	return ElGamalKey{Private: private, Public: generator.Exp(generator, private, prime)}
}

// ElGamalGroup returns the safe prime of 512 bits and the generator of its subgroup of order (prime-1)/2. The numbers are the
// caller's.
func ElGamalGroup() (prime, generator *big.Int) {
	prime, _ = new(big.Int).SetString(elGamalPrime, 10)
	return prime, big.NewInt(elGamalGenerator)
}

// Wipe overwrites the private number.
func (k ElGamalKey) Wipe() {
	if k.Private != nil {
		clear(k.Private.Bits())
		k.Private.SetInt64(0)
	}
}

// String returns a placeholder instead of the private number.
func (k ElGamalKey) String() string { return hiddenSecret }

// GoString returns a placeholder instead of the private number.
func (k ElGamalKey) GoString() string { return hiddenSecret }

// Format writes a placeholder instead of the private number.
func (k ElGamalKey) Format(f fmt.State, _ rune) { hide(f) }

// MarshalJSON always fails, as for PrivateKey; use BigText for the numbers.
func (k ElGamalKey) MarshalJSON() ([]byte, error) { return nil, errHiddenSecret }

// BigText returns a big number as the ledger writes it: decimal, with a dot at the end.
func BigText(n *big.Int) string {
	return n.String() + "."
}
