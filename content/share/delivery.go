package share

import (
	"crypto/md5" // the format; nothing but a challenge is made with it
	"errors"
	"math/big"

	"billfold/ledger"
)

// ErrProof means that a proof of delivery proves nothing.
var ErrProof = errors.New("the proof of delivery does not fit the key part, its seeder and its buyer")

// numberSize is the size of a number of the group where the challenge is made of it, in bytes.
const numberSize = 64

// Deliver encrypts a seeder's part anew, for a buyer, with a proof that both parts are the same share. seeder is the pair that part is
// encrypted for; buyer is the public number of the purchase. Errors: ErrNumber.
//
// The answers of the proof are reduced modulo p-1. The reference leaves them as they are, about 640 bits long, which reveals the upper
// 128 bits of the seeder's private number in each proof; every node takes either form.
func Deliver(seeder ledger.ElGamalKey, part ledger.Ciphertext, buyer ledger.BigInteger) (ledger.Ciphertext, ledger.DeliveryProof, error) {
	g := newGroup()
	var secrets []*big.Int // the message and three exponents
	defer func() { wipe(secrets...) }()
	fail := func(err error) (ledger.Ciphertext, ledger.DeliveryProof, error) {
		return ledger.Ciphertext{}, ledger.DeliveryProof{}, err
	}
	public := text(seeder.Public)
	n, err := g.elements(buyer, part.D1, public)
	if err != nil {
		return fail(err)
	}
	reader, hint := n[0], n[1]
	message, err := g.decrypt(seeder, part)
	if err != nil {
		return fail(err)
	}
	secrets = append(secrets, message)
	delivered, random, err := g.encrypt(message, reader)
	if err != nil {
		return fail(err)
	}
	secrets = append(secrets, random)
	for range 2 {
		blind, err := g.exponent()
		if err != nil {
			return fail(err)
		}
		secrets = append(secrets, blind)
	}
	blind1, blind2 := secrets[2], secrets[3]
	proof := ledger.DeliveryProof{
		G1: text(g.power(g.generator, blind1)),
		G2: text(g.power(g.generator, blind2)),
		G3: text(g.product(g.power(hint, blind1), g.inverse(g.power(reader, blind2)))),
	}
	s, err := newStatement(g, part, delivered, public, buyer, proof)
	if err != nil {
		return fail(err)
	}
	challenge := s.challenge()
	answer := func(secret, blind *big.Int) ledger.BigInteger {
		n := new(big.Int).Mul(secret, challenge)
		return text(n.Add(n, blind).Mod(n, g.order))
	}
	proof.S, proof.R = answer(seeder.Private, blind1), answer(random, blind2)
	return delivered, proof, nil
}

// VerifyDelivery returns nil if proof shows that delivered, which the owner of buyer can open, is the share in part, which the owner of
// seeder can open. seeder and buyer are public numbers. Errors: ErrNumber, ErrProof.
func VerifyDelivery(part, delivered ledger.Ciphertext, seeder, buyer ledger.BigInteger, proof ledger.DeliveryProof) error {
	g := newGroup()
	s, err := newStatement(g, part, delivered, seeder, buyer, proof)
	if err != nil {
		return err
	}
	answer1, ok1 := digits(proof.S, maxAnswerDigits)
	answer2, ok2 := digits(proof.R, maxAnswerDigits)
	if !ok1 || !ok2 {
		return ErrNumber
	}
	h := s.challenge()
	owner := g.product(g.power(s.seeder, h), s.g1)
	random := g.product(g.power(s.d2, h), s.g2)
	same := g.product(g.power(g.product(s.c2, g.inverse(s.c1)), h), g.power(s.d1, answer1), g.inverse(g.power(s.buyer, answer2)))
	if g.power(g.generator, answer1).Cmp(owner) != 0 || g.power(g.generator, answer2).Cmp(random) != 0 || same.Cmp(s.g3) != 0 {
		return ErrProof
	}
	return nil
}

// statement is the subject of a proof of delivery: two encryptions, two public numbers and the three commitments.
type statement struct {
	c1, d1, c2, d2, seeder, buyer, g1, g2, g3 *big.Int
}

func newStatement(g group, part, delivered ledger.Ciphertext, seeder, buyer ledger.BigInteger, proof ledger.DeliveryProof) (statement, error) {
	n, err := g.elements(part.C1, part.D1, delivered.C1, delivered.D1, seeder, buyer, proof.G1, proof.G2, proof.G3)
	if err != nil {
		return statement{}, err
	}
	return statement{n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]}, nil
}

// challenge is MD5 of the nine numbers in their order, a big-endian number.
func (s statement) challenge() *big.Int {
	var bytes [9 * numberSize]byte
	for i, n := range []*big.Int{s.d1, s.c1, s.d2, s.c2, s.seeder, s.buyer, s.g1, s.g2, s.g3} {
		n.FillBytes(bytes[i*numberSize : (i+1)*numberSize])
	}
	sum := md5.Sum(bytes[:])
	return new(big.Int).SetBytes(sum[:])
}
