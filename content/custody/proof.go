package custody

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"billfold/ledger"
)

const (
	maxQueries = 16 // messages that a proof is about, at most
	muDigits   = 30 // hexadecimal digits of a number of a proof
)

// ErrProof means that a proof of custody proves nothing.
var ErrProof = errors.New("the proof of custody does not fit the custody data and its block")

// query is a message that a proof is about, and its weight.
type query struct {
	index  uint32
	weight scalar
}

// queries returns which messages a proof is about: those that the id of its reference block chooses.
func queries(n uint32, seed ledger.Hash160) []query {
	number := new(big.Int)
	for i := 0; i < len(seed); i += 4 {
		number.Lsh(number, 32).Or(number, new(big.Int).SetUint64(uint64(binary.LittleEndian.Uint32(seed[i:]))))
	}
	out := make([]query, min(n, maxQueries))
	for i := range out {
		digest := sha256.Sum256([]byte(new(big.Int).Add(number, big.NewInt(int64(i))).Text(16)))
		out[i] = query{index: uint32(i), weight: exponentOf(&digest)}
		if len(out) == maxQueries {
			out[i].index = uint32(binary.LittleEndian.Uint64(digest[:8]) % uint64(n))
		}
	}
	return out
}

// Prove makes the proof that a package of size bytes and its signatures are at hand, for the block of an id. Both are read only in the places that
// the block chooses; whether they belong together is not checked, VerifyProof does that. Errors: ErrSize, SignatureError for one that is no
// point of the group, those of pkg and signatures.
func Prove(data ledger.CustodyData, pkg io.ReaderAt, size int64, signatures io.ReaderAt, block ledger.Hash160) (ledger.CustodyProof, error) {
	n, err := Signatures(size)
	if err != nil {
		return ledger.CustodyProof{}, err
	}
	if n != data.N {
		return ledger.CustodyProof{}, ErrSize
	}
	var numbers [sectors]big.Int
	var sigmas []point
	var weights []scalar
	for _, q := range queries(n, block) {
		var signature [PointSize]byte
		if got, err := signatures.ReadAt(signature[:], int64(q.index)*PointSize); got < PointSize {
			return ledger.CustodyProof{}, sizeError(err)
		}
		var a affine
		if !a.setBytes(&signature) || !a.inGroup() {
			return ledger.CustodyProof{}, &SignatureError{q.index}
		}
		var p point
		p.set(&a)
		sigmas, weights = append(sigmas, p), append(weights, q.weight)
		var message [MessageSize]byte
		start := int64(q.index) * MessageSize
		given := message[:min(MessageSize, size-start)]
		if got, err := pkg.ReadAt(given, start); got < len(given) {
			return ledger.CustodyProof{}, sizeError(err)
		}
		for j := range sectors {
			number := new(big.Int).SetBytes(message[j*sectorSize : (j+1)*sectorSize])
			numbers[j].Add(&numbers[j], number.Mul(number, q.weight.number()))
		}
	}
	proof := ledger.CustodyProof{ReferenceBlock: heightOf(block), Seed: block}
	for j := range numbers {
		proof.Mus = append(proof.Mus, fmt.Sprintf("%0*x", muDigits, numbers[j].Mod(&numbers[j], groupOrder)))
	}
	affines([]point{sumOfMultiples(sigmas, weights)})[0].put(&proof.Sigma)
	return proof, nil
}

// heightOf returns the height of a block, which its id begins with.
func heightOf(block ledger.Hash160) uint32 { return binary.BigEndian.Uint32(block[:]) }

// VerifyProof returns nil if a proof shows that a seeder has the package of custody data. Whether its block is on the chain, and recent, is for the
// caller to check. Errors: ErrData, ErrProof.
func VerifyProof(data ledger.CustodyData, proof ledger.CustodyProof) error {
	numbers, ok := readNumbers(proof.Mus)
	var sigma affine
	if !ok || heightOf(proof.Seed) != proof.ReferenceBlock || !sigma.setBytes(&proof.Sigma) || !sigma.inGroup() {
		return ErrProof
	}
	v, err := newVerifier(data)
	if err != nil {
		return err
	}
	var points []point
	var weights []scalar
	for _, q := range queries(data.N, proof.Seed) {
		var p point
		p.setIndex(q.index)
		points, weights = append(points, p), append(weights, q.weight)
	}
	if !v.fits(&sigma, points, weights, &numbers) {
		return ErrProof
	}
	return nil
}

// readNumbers reads the numbers of a proof, each below the order of the group.
func readNumbers(texts []string) (out [sectors]scalar, ok bool) {
	if len(texts) != sectors {
		return out, false
	}
	for i, text := range texts {
		if len(text) != muDigits || strings.Trim(text, "0123456789abcdef") != "" {
			return out, false
		}
		n, ok := new(big.Int).SetString(text, 16)
		if !ok || n.Cmp(groupOrder) >= 0 {
			return out, false
		}
		out[i] = scalarOf(n)
	}
	return out, true
}
