package custody

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"

	"billfold/ledger"
)

// ErrData means that custody data cannot be those of any package.
var ErrData = errors.New("the custody data are those of no package: they name no signatures, or a public key that is none")

// SignatureError means that a signature does not belong to the package and its custody data.
type SignatureError struct{ Index uint32 }

// Error returns which signature it is.
func (e *SignatureError) Error() string {
	return fmt.Sprintf("custody signature %d does not fit the package", e.Index)
}

// verifier checks what was made with one secret.
type verifier struct {
	data    ledger.CustodyData
	public  affine
	sectors [sectors]point
}

// newVerifier returns the verifier of custody data. Error: ErrData.
func newVerifier(data ledger.CustodyData) (*verifier, error) {
	v := &verifier{data: data}
	if data.N == 0 || !v.public.setBytes(&data.PubKey) || !v.public.inGroup() {
		return nil, ErrData
	}
	v.sectors = sectorPoints(data.USeed)
	return v, nil
}

// fits reports whether sigma is the product of the points to their scalars, and of the sectors' points to theirs, all to the
// secret. points are four times those that signatures are made with, less the cofactor.
func (v *verifier) fits(sigma *affine, points []point, scalars []scalar, numbers *[sectors]scalar) bool {
	all := append(append([]point(nil), v.sectors[:]...), points...)
	sum := sumOfMultiples(all, append(append([]scalar(nil), numbers[:]...), scalars...))
	sum = sum.multiple(restOfCofactor)
	if sum.x.isZero() {
		return false
	}
	return samePairing(sigma, &generator, &affines([]point{sum})[0], &v.public)
}

// Verify checks every signature of a package of size bytes. Errors: a SignatureError for the first that is wrong, ErrData, ErrSize, those of ctx,
// pkg and signatures.
//
// The signatures of a round are checked together, each to a random power of 64 bits: a wrong one is overlooked once in 2^64 times.
func Verify(ctx context.Context, data ledger.CustodyData, pkg io.Reader, size int64, signatures io.Reader, o Options) error {
	n, err := Signatures(size)
	if err != nil {
		return err
	}
	v, err := newVerifier(data)
	if err != nil {
		return err
	}
	if n != data.N {
		return ErrSize
	}
	buffer := make([]byte, roundSize*PointSize)
	err = rounds{pkg: pkg, size: size, all: n, options: o}.each(ctx, func(start uint32, messages []byte) error {
		given := buffer[:len(messages)/MessageSize*PointSize]
		if _, err := io.ReadFull(signatures, given); err != nil {
			return sizeError(err)
		}
		wrong, err := v.firstWrong(start, messages, given, o.Workers)
		if err != nil {
			return err
		}
		if wrong >= 0 {
			return &SignatureError{start + uint32(wrong)}
		}
		return nil
	})
	if err != nil {
		return err
	}
	switch n, err := io.ReadFull(signatures, buffer[:1]); {
	case n > 0:
		return ErrSize
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

// firstWrong returns which of some signatures is the first that does not fit its message, or -1.
func (v *verifier) firstWrong(start uint32, messages, signatures []byte, workers int) (int, error) {
	n := len(messages) / MessageSize
	good, err := v.allFit(start, messages, signatures, workers)
	if err != nil || good {
		return -1, err
	}
	if n == 1 {
		return 0, nil
	}
	half := n / 2
	wrong, err := v.firstWrong(start, messages[:half*MessageSize], signatures[:half*PointSize], workers)
	if err != nil || wrong >= 0 {
		return wrong, err
	}
	wrong, err = v.firstWrong(start+uint32(half), messages[half*MessageSize:], signatures[half*PointSize:], workers)
	return half + wrong, err
}

// weighted is the sum of some signatures and of what they were made of, each times its own random number.
type weighted struct {
	wrong   bool // one of the signatures is no point of the group
	sigma   point
	index   point
	numbers [sectors]big.Int
}

// allFit reports whether all signatures fit their messages.
func (v *verifier) allFit(start uint32, messages, signatures []byte, workers int) (bool, error) {
	n := len(messages) / MessageSize
	random := make([]byte, 8*n)
	if _, err := rand.Read(random); err != nil {
		return false, fmt.Errorf("the system provides no random numbers: %w", err)
	}
	parts := make([]weighted, (n+taskSize-1)/taskSize)
	inParallel(workers, n, func(task, from, to int) {
		parts[task].sum(start+uint32(from), messages[from*MessageSize:to*MessageSize], signatures[from*PointSize:to*PointSize], random[8*from:])
	})
	sigma, index := infinity(), infinity()
	var numbers [sectors]big.Int
	for i := range parts {
		if parts[i].wrong {
			return false, nil
		}
		s, h := parts[i].sigma.addend(), parts[i].index.addend()
		sigma.add(&s, false)
		index.add(&h, false)
		for j := range numbers {
			numbers[j].Add(&numbers[j], &parts[i].numbers[j])
		}
	}
	if sigma.x.isZero() {
		return false, nil
	}
	var scalars [sectors]scalar
	for j := range numbers {
		scalars[j] = scalarOf(numbers[j].Mod(&numbers[j], groupOrder))
	}
	return v.fits(&affines([]point{sigma})[0], []point{index}, []scalar{{1}}, &scalars), nil
}

func (w *weighted) sum(index uint32, messages, signatures, random []byte) {
	n := len(messages) / MessageSize
	sigmas, indexes, weights := make([]point, n), make([]point, n), make([]scalar, n)
	for i := range n {
		var a affine
		if !a.setBytes((*[PointSize]byte)(signatures[i*PointSize:])) || !a.inGroup() {
			w.wrong = true
			return
		}
		sigmas[i].set(&a)
		indexes[i].setIndex(index + uint32(i))
		weights[i] = scalar{binary.LittleEndian.Uint64(random[8*i:])}
		weight := new(big.Int).SetUint64(weights[i][0])
		message := messages[i*MessageSize:]
		for j := range sectors {
			number := new(big.Int).SetBytes(message[j*sectorSize : (j+1)*sectorSize])
			w.numbers[j].Add(&w.numbers[j], number.Mul(number, weight))
		}
	}
	w.sigma, w.index = sumOfMultiples(sigmas, weights), sumOfMultiples(indexes, weights)
}
