package share

import (
	"errors"
	"math/big"

	"billfold/ledger"
)

// shareBits is the size of a share's value when encrypted; its place stands above them.
const shareBits = 256

// Errors of shares that somebody delivered.
var (
	// ErrMissing means that there are fewer shares than the quorum.
	ErrMissing = errors.New("too few parts of the content key have arrived")
	// ErrDamaged means that a part is not an encrypted share, or that the parts are not of the same key.
	ErrDamaged = errors.New("the parts of the content key do not belong together")
)

// Parts splits a key and encrypts each share for a seeder, whose public number is given. Without seeders the quorum is 0 and there
// are no parts. Errors: ErrQuorum, ErrKeyRange, ErrNumber.
func Parts(key Key, seeders []ledger.BigInteger, quorum uint32) ([]ledger.Ciphertext, error) {
	if len(seeders) == 0 && quorum == 0 {
		return []ledger.Ciphertext{}, nil
	}
	shares, err := Split(key, len(seeders), quorum)
	if err != nil {
		return nil, err
	}
	parts := make([]ledger.Ciphertext, len(shares))
	for i, s := range shares {
		if err == nil {
			parts[i], err = Encrypt(s, seeders[i])
		}
		s.Wipe()
	}
	if err != nil {
		return nil, err
	}
	return parts, nil
}

// Encrypt encrypts a share for the owner of a public number. Errors: ErrNumber, ErrDamaged.
func Encrypt(s Share, public ledger.BigInteger) (ledger.Ciphertext, error) {
	g := newGroup()
	reader, err := g.element(public)
	if err != nil {
		return ledger.Ciphertext{}, err
	}
	if !s.valid() {
		return ledger.Ciphertext{}, ErrDamaged
	}
	message := new(big.Int).Lsh(big.NewInt(int64(s.place)), shareBits)
	message.Add(message, s.number())
	defer wipe(message)
	part, random, err := g.encrypt(message, reader)
	wipe(random)
	return part, err
}

// encrypt returns message hidden from all but the reader, and the secret exponent of it, which the caller wipes.
func (g group) encrypt(message, reader *big.Int) (ledger.Ciphertext, *big.Int, error) {
	random, err := g.exponent()
	if err != nil {
		return ledger.Ciphertext{}, nil, err
	}
	mask := g.power(reader, random)
	defer wipe(mask)
	return ledger.Ciphertext{C1: text(g.product(message, mask)), D1: text(g.power(g.generator, random))}, random, nil
}

// Open decrypts a share that was encrypted for the pair. Errors: ErrNumber, ErrDamaged. The caller wipes the share.
func Open(pair ledger.ElGamalKey, part ledger.Ciphertext) (Share, error) {
	message, err := newGroup().decrypt(pair, part)
	if err != nil {
		return Share{}, err
	}
	defer wipe(message)
	place := new(big.Int).Rsh(message, shareBits)
	value := new(big.Int).Sub(message, new(big.Int).Lsh(place, shareBits))
	if !place.IsInt64() || place.Int64() > maxShares {
		wipe(place, value)
		return Share{}, ErrDamaged
	}
	s := newShare(uint32(place.Int64()), value) // at most maxShares
	if !s.valid() {
		s.Wipe()
		return Share{}, ErrDamaged
	}
	return s, nil
}

// decrypt returns the number that was encrypted for the pair. The caller wipes it.
func (g group) decrypt(pair ledger.ElGamalKey, part ledger.Ciphertext) (*big.Int, error) {
	numbers, err := g.elements(part.C1, part.D1)
	if err != nil {
		return nil, err
	}
	mask := g.power(numbers[1], pair.Private)
	inverse := g.inverse(mask)
	defer wipe(mask, inverse)
	return g.product(numbers[0], inverse), nil
}

// ContentKey restores the key of content from the parts that seeders encrypted for the pair. Content without seeders has no
// parts, the quorum 0 and the key 0. Errors: ErrMissing, ErrDamaged. The caller wipes the key.
func ContentKey(pair ledger.ElGamalKey, parts []ledger.Ciphertext, quorum uint32) (Key, error) {
	if uint64(len(parts)) < uint64(quorum) {
		return Key{}, ErrMissing
	}
	if len(parts) > maxShares {
		return Key{}, ErrDamaged
	}
	shares := make([]Share, 0, len(parts))
	defer func() {
		for _, s := range shares {
			s.Wipe()
		}
	}()
	for _, part := range parts {
		s, err := Open(pair, part)
		if err != nil {
			return Key{}, ErrDamaged
		}
		shares = append(shares, s)
	}
	return Restore(shares, quorum)
}
