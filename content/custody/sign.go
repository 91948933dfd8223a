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

// SecretSize is the size of a Secret, in bytes.
const SecretSize = hashSize + 16

// ErrSecret means that bytes are no secret of custody data.
var ErrSecret = errors.New("these bytes are no secret of custody data")

// Secret holds the values that the custody data of one package are made with: the exponent of its signatures, which is secret, and the seed of
// its sectors, which is published. Signatures do not depend on each other, so whoever keeps the secret can go on making them after an
// interruption. It is for one package only: of signatures for the same index of two packages, anybody makes signatures of others. Printing one
// does not show it. Its owner wipes it when the package is finished.
type Secret struct {
	bytes **[SecretSize]byte // fmt follows one pointer of an unexported field under some verbs, never two
}

// NewSecret returns a random secret.
func NewSecret() (Secret, error) {
	bytes := new([SecretSize]byte)
	for {
		if _, err := rand.Read(bytes[:]); err != nil {
			return Secret{}, fmt.Errorf("the system provides no random numbers: %w", err)
		}
		if s := (Secret{&bytes}); s.valid() {
			return s, nil
		}
	}
}

// ParseSecret reads what Bytes returned. Error: ErrSecret.
func ParseSecret(b []byte) (Secret, error) {
	if len(b) != SecretSize {
		return Secret{}, ErrSecret
	}
	bytes := new([SecretSize]byte)
	copy(bytes[:], b)
	if s := (Secret{&bytes}); s.valid() {
		return s, nil
	}
	clear(bytes[:])
	return Secret{}, ErrSecret
}

// Bytes returns the secret to keep. The caller wipes it.
func (s Secret) Bytes() []byte {
	if s.bytes == nil {
		return nil
	}
	return append([]byte(nil), (*s.bytes)[:]...)
}

// Wipe overwrites the secret and its copies.
func (s Secret) Wipe() {
	if s.bytes != nil {
		clear((*s.bytes)[:])
	}
}

// Format writes a placeholder instead of the secret.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "(secret hidden)") }

// MarshalJSON always fails; use Bytes.
func (s Secret) MarshalJSON() ([]byte, error) {
	return nil, errors.New("a secret of custody data is never written out implicitly; ask for its bytes if that is what you want")
}

// valid reports whether the exponent is one of 1 to r-1.
func (s Secret) valid() bool {
	if s.bytes == nil {
		return false
	}
	n := s.exponent()
	defer clear(n.Bits())
	return n.Sign() > 0 && n.Cmp(groupOrder) < 0
}

// exponent returns the exponent. The caller wipes it.
func (s Secret) exponent() *big.Int { return new(big.Int).SetBytes((*s.bytes)[:hashSize]) }

func (s Secret) seed() [16]byte { return [16]byte((*s.bytes)[hashSize:]) }

// generator is the point of which a public key is a multiple.
var generator = affine{x: elementOf("86840749517316137157891261963398293121077652946631672762188488864778675462754"),
	y: elementOf("46298439815083954540948251518245740272972067256063234341481114422918560267725")}

func elementOf(decimal string) (z element) {
	n, _ := new(big.Int).SetString(decimal, 10)
	limbs := scalarOf(n)
	z.setLimbs((*[4]uint64)(&limbs))
	return z
}

// Data returns the custody data of a package of size bytes. Errors: ErrSecret, ErrSize.
func (s Secret) Data(size int64) (ledger.CustodyData, error) {
	n, err := Signatures(size)
	if err != nil {
		return ledger.CustodyData{}, err
	}
	if !s.valid() {
		return ledger.CustodyData{}, ErrSecret
	}
	exponent := s.exponent()
	defer clear(exponent.Bits())
	k := scalarOf(exponent)
	defer clear(k[:])
	var g point
	g.set(&generator)
	public := affines([]point{g.multiple(k)})
	data := ledger.CustodyData{N: n, USeed: s.seed()}
	public[0].put(&data.PubKey)
	return data, nil
}

// Windows of the sectors' tables: a sector of 128 bits is read as signed digits of digitBits bits.
const (
	digitBits = 10
	digits    = (8*sectorSize + digitBits) / digitBits
	halfDigit = 1 << (digitBits - 1)
	nafWidth  = 5
)

// fixedAddend is an addend whose z is 1.
type fixedAddend struct{ minus, plus, t2 element }

// signer makes signatures with one secret. It is only read while it does.
type signer struct {
	multiples [sectors][halfDigit]fixedAddend // of each sector's point times the secret, from 1 on
	index     []int8                          // the secret times the rest of the cofactor, in digits that are odd or 0, the least significant first
}

func newSigner(s Secret) *signer {
	exponent := s.exponent()
	k := new(big.Int).Mul(exponent, new(big.Int).Rsh(cofactor, 2))
	defer clear(exponent.Bits())
	defer clear(k.Bits())
	sg := &signer{index: oddDigits(k)}
	multiplier := scalarOf(k)
	defer clear(multiplier[:])
	bases := sectorPoints(s.seed())
	points := make([]point, halfDigit)
	inverses, products := make([]element, halfDigit), make([]element, halfDigit)
	for j := range bases {
		points[0] = bases[j].multiple(multiplier)
		own := points[0].addend()
		for m := 1; m < halfDigit; m++ {
			points[m] = points[m-1]
			points[m].add(&own, false)
		}
		for m := range points {
			inverses[m] = points[m].z
		}
		invertAll(inverses, products)
		for m := range points {
			var x, y element
			x.mul(&points[m].x, &inverses[m])
			y.mul(&points[m].y, &inverses[m])
			f := &sg.multiples[j][m]
			f.minus.sub(&y, &x)
			f.plus.add(&y, &x)
			f.t2.mul(&x, &y)
			f.t2.double(&f.t2)
		}
	}
	return sg
}

func (sg *signer) wipe() {
	clear(sg.index)
	clear(sg.multiples[:])
}

// oddDigits returns k in digits from -15 to 15 that are odd or 0, with at least four zeroes behind each other digit.
func oddDigits(k *big.Int) (out []int8) {
	rest := new(big.Int).Set(k)
	defer clear(rest.Bits())
	for rest.Sign() > 0 {
		digit := int64(0)
		if rest.Bit(0) == 1 {
			for i := range nafWidth {
				digit += int64(rest.Bit(i)) << i
			}
			if digit >= 1<<(nafWidth-1) {
				digit -= 1 << nafWidth
			}
			rest.Sub(rest, big.NewInt(digit))
		}
		out = append(out, int8(digit))
		rest.Rsh(rest, 1)
	}
	return out
}

// sectorDigits returns the sectors of a message as signed digits, -halfDigit to halfDigit-1, the least significant first.
func sectorDigits(message []byte) (out [digits][sectors]int16) {
	for j := range sectors {
		high := binary.BigEndian.Uint64(message[sectorSize*j:])
		low := binary.BigEndian.Uint64(message[sectorSize*j+8:])
		carry := int16(0)
		for k := range digits {
			digit := int16(low&(2*halfDigit-1)) + carry
			low, high = low>>digitBits|high<<(64-digitBits), high>>digitBits
			carry = 0
			if digit >= halfDigit {
				digit -= 2 * halfDigit
				carry = 1
			}
			out[k][j] = digit
		}
	}
	return out
}

// sign sets p to the signature of a message: the point of its index, and those of the sectors times their numbers, all times the secret. The
// doublings that the first needs serve the others, too.
func (sg *signer) sign(p *point, index uint32, message []byte) {
	numbers := sectorDigits(message)
	var base, twice point
	base.setIndex(index)
	var odd [1 << (nafWidth - 2)]addend
	twice.double(&base, true)
	two := twice.addend()
	for i := range odd {
		odd[i] = base.addend()
		base.add(&two, false)
	}
	*p = infinity()
	for i := len(sg.index) - 1; i >= 0; i-- {
		digit := sg.index[i]
		atSectors := i%digitBits == 0 && i/digitBits < digits
		p.double(p, digit != 0 || atSectors)
		if digit > 0 {
			p.add(&odd[digit/2], false)
		} else if digit < 0 {
			p.add(&odd[-digit/2], true)
		}
		if atSectors {
			sg.addSectors(p, &numbers[i/digitBits])
		}
	}
}

// addSectors adds the multiples of the sectors' points for one digit of each.
func (sg *signer) addSectors(p *point, numbers *[sectors]int16) {
	for j, digit := range numbers {
		if digit == 0 {
			continue
		}
		f, negative := &sg.multiples[j][max(digit, -digit)-1], digit < 0
		var d element
		d.double(&p.z)
		p.addTo(&f.minus, &f.plus, &f.t2, &d, negative)
	}
}

// Options of a long computation. The zero Options are complete.
type Options struct {
	Workers  int                    // goroutines; 0 = as many as there are processors
	Progress func(done, all uint32) // called from time to time with the number of signatures finished; may be nil
}

// Sign writes the signatures of a package of size bytes from index first on, PointSize bytes each, and returns its custody data. pkg is at the first
// byte that is signed, MessageSize·first. It stops with ctx's error when that ends; what it has written until then is
// a whole number of signatures. Errors: ErrSecret, ErrSize, those of ctx, pkg and out.
func (s Secret) Sign(ctx context.Context, pkg io.Reader, size int64, first uint32, out io.Writer, o Options) (ledger.CustodyData, error) {
	data, err := s.Data(size)
	if err != nil {
		return ledger.CustodyData{}, err
	}
	if first > data.N {
		return ledger.CustodyData{}, ErrSize
	}
	sg := newSigner(s)
	defer sg.wipe()
	batches := make([]signBatch, roundTasks)
	signatures := make([]byte, roundTasks*taskSize*PointSize)
	err = rounds{pkg: pkg, size: size, first: first, all: data.N, options: o}.each(ctx, func(start uint32, messages []byte) error {
		n := len(messages) / MessageSize
		inParallel(o.Workers, n, func(task, from, to int) {
			batches[task].sign(sg, start+uint32(from), messages[from*MessageSize:to*MessageSize], signatures[from*PointSize:to*PointSize])
		})
		_, err := out.Write(signatures[:n*PointSize])
		return err
	})
	if err != nil {
		return ledger.CustodyData{}, err
	}
	return data, nil
}

// signBatch is the memory in which a few signatures are made that share an inversion.
type signBatch struct {
	points             [taskSize]point
	affine             [taskSize]affine
	inverses, products [taskSize]element
}

func (b *signBatch) sign(sg *signer, index uint32, messages, into []byte) {
	n := len(messages) / MessageSize
	for i := range n {
		sg.sign(&b.points[i], index+uint32(i), messages[i*MessageSize:(i+1)*MessageSize])
	}
	putAffines(b.affine[:n], b.points[:n], b.inverses[:n], b.products[:n])
	for i := range n {
		b.affine[i].put((*[PointSize]byte)(into[i*PointSize:]))
	}
}
