package ledger

import (
	"slices"
	"sync"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// ExpectedKey tells signatures of one public key from all others many times as fast as RecoverKey, by
// a table of the key's multiples that takes about 520 kB and a few milliseconds to make. It is
// for keys that sign very often.
type ExpectedKey struct {
	key      PublicKey
	multiple *multiples
}

// multiples are those of a point: (digit+1)·256^byte.
type multiples [tableBytes][tableDigits]affinePoint

const (
	tableBytes  = 32  // of a scalar
	tableDigits = 255 // values of a byte but zero

	plainHeader    = 27 // the first byte of a signature of an uncompressed key, which RecoverKey takes as well
	recoveryIDs    = 4
	signatureCodes = 2 * recoveryIDs
)

// NewExpectedKey makes the table of a key. Error: the key is not on the curve.
func NewExpectedKey(key PublicKey) (*ExpectedKey, error) {
	point, err := key.point()
	if err != nil {
		return nil, err
	}
	return &ExpectedKey{key: key, multiple: multiplesOf(point)}, nil
}

// multiplesOf makes the table of a point with Z = 1.
func multiplesOf(point secp256k1.JacobianPoint) *multiples {
	m := new(multiples)
	step := point // 256^byte times the point
	for i := range m {
		var row [tableDigits]secp256k1.JacobianPoint
		next := step
		for digit := range row {
			row[digit] = next
			secp256k1.AddNonConst(&row[digit], &step, &next)
		}
		toAffine(row[:])
		for digit := range row {
			m[i][digit] = affinePoint{residueOf(&row[digit].X), residueOf(&row[digit].Y)}
		}
		next.ToAffine()
		step = next
	}
	return m
}

// multiplesOfGenerator are made when they are asked for first.
var multiplesOfGenerator = sync.OnceValue(func() *multiples { return multiplesOf(generator()) })

// Key returns the key that is expected.
func (e *ExpectedKey) Key() PublicKey { return e.key }

// Made reports whether RecoverKey would return the key: whether it made sig over
// digest. It must not be used where the time that it takes could tell a secret.
func (e *ExpectedKey) Made(digest [32]byte, sig Signature) bool {
	var r, s, hash, ofBase, ofKey secp256k1.ModNScalar
	code := sig[0] - plainHeader // wraps around below it
	if code >= signatureCodes || r.SetByteSlice(sig[1:33]) || r.IsZero() || s.SetByteSlice(sig[33:]) || s.IsZero() {
		return false
	}
	hash.SetBytes(&digest)
	s.InverseNonConst()
	ofBase.Mul2(&hash, &s)
	ofKey.Mul2(&r, &s)
	var sum publicSum
	if !sum.add(multiplesOfGenerator(), &ofBase) || !sum.add(e.multiple, &ofKey) {
		recovered, err := RecoverKey(digest, sig)
		return err == nil && recovered == e.key
	}
	x, odd := sum.point.affine()
	var again secp256k1.ModNScalar
	overflow := again.SetBytes(&x)
	return again.Equals(&r) && code%recoveryIDs == byte(overflow<<1)|odd
}

// publicSum is a sum of points that everybody may know.
type publicSum struct {
	point publicPoint
	some  bool // something was added
}

// add adds a multiple of a point. False: two points with the same x came together, and the sum is undefined. Who signs well
// meets that once in 2^250 signatures; who wants to can make it happen.
func (s *publicSum) add(of *multiples, scalar *secp256k1.ModNScalar) bool {
	digits := scalar.Bytes()
	for i, digit := range slices.Backward(digits[:]) {
		if digit == 0 {
			continue
		}
		multiple := &of[tableBytes-1-i][digit-1]
		if !s.some {
			s.point, s.some = publicPoint{multiple.x, multiple.y, residue{1}}, true
		} else if !s.point.add(multiple) {
			return false
		}
	}
	return true
}
