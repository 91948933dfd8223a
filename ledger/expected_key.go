package ledger

import (
	"math/big"
	"slices"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// ExpectedKey tells signatures of one public key from all others several times as fast as RecoverKey, by
// a table of the key's multiples that takes about 600 kB and a few milliseconds to make. It is
// for keys that sign very often.
type ExpectedKey struct {
	key      PublicKey
	multiple [tableBytes][tableDigits]affinePoint // of the key: (digit+1)·256^byte
}

const (
	tableBytes  = 32  // of a scalar
	tableDigits = 255 // values of a byte but zero

	plainHeader    = 27 // the first byte of a signature of an uncompressed key, which RecoverKey takes as well
	recoveryIDs    = 4
	signatureCodes = 2 * recoveryIDs
)

// affinePoint is a point of the curve other than infinity, its coordinates normalized.
type affinePoint struct{ x, y secp256k1.FieldVal }

func (p *affinePoint) jacobian() (out secp256k1.JacobianPoint) {
	out.X, out.Y = p.x, p.y
	out.Z.SetInt(1)
	return out
}

// NewExpectedKey makes the table of a key. Error: the key is not on the curve.
func NewExpectedKey(key PublicKey) (*ExpectedKey, error) {
	step, err := key.point() // 256^byte times the key
	if err != nil {
		return nil, err
	}
	e := &ExpectedKey{key: key}
	for i := range e.multiple {
		var row [tableDigits]secp256k1.JacobianPoint
		next := step
		for digit := range row {
			row[digit] = next
			secp256k1.AddNonConst(&row[digit], &step, &next)
		}
		toAffine(row[:])
		for digit := range row {
			e.multiple[i][digit] = affinePoint{row[digit].X, row[digit].Y}
		}
		next.ToAffine()
		step = next
	}
	return e, nil
}

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
	var point secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(&ofBase, &point)
	e.add(&ofKey, &point)
	if point.X.IsZero() && point.Y.IsZero() || point.Z.IsZero() {
		return false
	}
	toAffineNonConst(&point)
	var x secp256k1.ModNScalar
	overflow := x.SetBytes(point.X.Bytes())
	return x.Equals(&r) && code%recoveryIDs == byte(overflow<<1)|byte(point.Y.IsOddBit())
}

// toAffineNonConst brings a point that nothing secret led to to Z = 1, several times as fast as its own ToAffine, which takes the same
// time for all points.
func toAffineNonConst(p *secp256k1.JacobianPoint) {
	z := p.Z.Normalize().Bytes()
	inverted := new(big.Int).SetBytes(z[:])
	inverted.ModInverse(inverted, secp256k1.Params().P)
	var inverse, square secp256k1.FieldVal
	inverse.SetByteSlice(inverted.FillBytes(z[:]))
	square.SquareVal(&inverse)
	p.X.Mul(&square).Normalize()
	p.Y.Mul(square.Mul(&inverse)).Normalize()
	p.Z.SetInt(1)
}

// add adds the key's multiple by a scalar to sum.
func (e *ExpectedKey) add(scalar *secp256k1.ModNScalar, sum *secp256k1.JacobianPoint) {
	digits := scalar.Bytes()
	for i, digit := range slices.Backward(digits[:]) {
		if digit == 0 {
			continue
		}
		var next secp256k1.JacobianPoint
		multiple := e.multiple[tableBytes-1-i][digit-1].jacobian()
		secp256k1.AddNonConst(sum, &multiple, &next)
		*sum = next
	}
}
