package ledger

import (
	"slices"
	"sync"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// ExpectedKey recognizes signatures of one public key, many times as fast as RecoverKey. It uses a
// table of the key's multiples, which takes about 520 kB and a few milliseconds to make, so it is
// for keys that sign very often.
type ExpectedKey struct {
	key      PublicKey
	multiple *multiples
}

// multiples is a table of a point's multiples: entry [byte][digit] is (digit+1)·256^byte times the point.
type multiples [tableBytes][tableDigits]affinePoint

const (
	tableBytes  = 32  // of a scalar
	tableDigits = 255 // values of a byte except zero

	plainHeader    = 27 // the first byte of a signature by an uncompressed key, which RecoverKey accepts too
	recoveryIDs    = 4
	signatureCodes = 2 * recoveryIDs
)

// NewExpectedKey makes the table of a key. It fails with ErrPublicKeyOffCurve.
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

// multiplesOfGenerator returns the table of the base point, which is made on first use.
var multiplesOfGenerator = sync.OnceValue(func() *multiples { return multiplesOf(generator()) })

// Key returns the expected key.
func (e *ExpectedKey) Key() PublicKey { return e.key }

// Made reports whether the key made sig over digest: whether RecoverKey would return it. The
// time it takes depends on the arguments, so they must not be secret.
func (e *ExpectedKey) Made(digest [32]byte, sig Signature) bool {
	var r, s, hash, ofBase, ofKey secp256k1.ModNScalar
	code := sig[0] - plainHeader // wraps around if the header is lower
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

// publicSum is a sum of points that are not secret.
type publicSum struct {
	point publicPoint
	some  bool // a point was added
}

// add adds a multiple of a point. It returns false if two points with the same x met, which leaves the sum undefined.
// An honest signature meets that once in 2^250; a crafted one can cause it.
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
