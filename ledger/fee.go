package ledger

import (
	"cmp"
	"fmt"
	"math/bits"
	"strconv"

	"billfold/ledger/codec"
	"billfold/ledger/printable"
)

// fullScale is 100 %, in hundredths of a percent.
const fullScale = 10000

// FeeParameters are the prices of one operation, in smallest units of DCT;
// which of them an operation has depends on its code (docs/protocol/serialization.md 3).
type FeeParameters struct {
	Code          OpCode
	Fee           uint64 // the fixed fee; called basic_fee for account_create, asset_create and NFT definitions
	PricePerKByte uint32 // only for operations priced by size
}

// FeeSchedule is the chain's price list.
type FeeSchedule struct {
	Parameters []FeeParameters `json:"parameters" fc:"set"`
	Scale      uint32          `json:"scale"` // hundredths of a percent
}

// SetDefaults sets the members whose default is not zero.
func (s *FeeSchedule) SetDefaults() { s.Scale = fullScale }

// feeRule is the rule for the fee of one operation.
type feeRule struct {
	fixed    uint64 // built-in fee, in smallest units of DCT
	perKByte uint32 // built-in price per 1024 bytes; 0 if the size does not count
	basic    bool   // the fixed fee is called basic_fee in JSON
	// base computes the fee before scaling; it is never nil in a declaration.
	base func(f FeeParameters, body any) (uint64, error)
}

// flatFee is for operations with a fixed fee, 0 for free ones.
func flatFee(fixed uint64) feeRule { return feeRule{fixed: fixed, base: fixedFee} }

// fixedFee is the base of operations with a fixed fee.
func fixedFee(f FeeParameters, _ any) (uint64, error) { return f.Fee, nil }

// bySize is for operations that pay for their size besides the fixed fee.
func bySize(fixed uint64, perKByte uint32) feeRule {
	return feeRule{fixed: fixed, perKByte: perKByte, base: func(f FeeParameters, body any) (uint64, error) {
		return f.plus(uint64(f.PricePerKByte), body)
	}}
}

// base adapts the price function of one operation type to feeRule.base.
func base[T any](price func(FeeParameters, T) (uint64, error)) func(FeeParameters, any) (uint64, error) {
	return func(f FeeParameters, body any) (uint64, error) { return price(f, body.(T)) }
}

// symbolFactor returns how many times the basic fee a symbol costs; short symbols cost most.
func symbolFactor(symbol string) uint64 {
	switch len(symbol) {
	case 3:
		return 5000
	case 4:
		return 200
	}
	return 5
}

// plus returns the fixed fee and the price of the packed value. A pointer to an
// optional value is packed with its flag byte.
func (f FeeParameters) plus(perKByte uint64, value any) (uint64, error) {
	packed, err := codec.Pack(value)
	return f.Fee + uint64(len(packed))*perKByte/1024, err
}

// plusEach returns the fixed fee and the price of each item and of the memo, each
// rounded down separately. memo is a pointer to an optional value, or nil.
func (f FeeParameters) plusEach(n int, item func(i int) any, memo any) (uint64, error) {
	total := f.Fee
	add := func(value any) error {
		packed, err := codec.Pack(value)
		total += uint64(len(packed)) * uint64(f.PricePerKByte) / 1024
		return err
	}
	for i := range n {
		if err := add(item(i)); err != nil {
			return 0, err
		}
	}
	if memo != nil {
		return total, add(memo)
	}
	return total, nil
}

// rule returns how the fee of the operation is computed. For codes this program
// does not know it is empty, which reads and writes a flat fee.
func (f FeeParameters) rule() feeRule {
	if d := declared(f.Code); d != nil {
		return d.fee
	}
	return feeRule{}
}

func (f FeeParameters) feeName() string {
	if f.rule().basic {
		return "basic_fee"
	}
	return "fee"
}

func (f FeeParameters) perKByte() bool { return f.rule().perKByte > 0 }

// words returns the price, in smallest units of DCT.
func (f FeeParameters) words() string {
	if f.perKByte() {
		return fmt.Sprintf("%s and %d for each kilobyte", printable.Many(f.Fee, "unit"), f.PricePerKByte)
	}
	return printable.Many(f.Fee, "unit")
}

// Compare orders prices by the code of their operation.
func (f *FeeParameters) Compare(other any) int {
	return cmp.Compare(f.Code, other.(*FeeParameters).Code)
}

// AppendJSON appends [code, {…}].
func (f FeeParameters) AppendJSON(b []byte) []byte {
	b = strconv.AppendUint(append(b, '['), uint64(f.Code), 10)
	b = append(append(append(b, `,{"`...), f.feeName()...), `":`...)
	b = codec.AppendUint(b, f.Fee)
	if f.perKByte() {
		b = strconv.AppendUint(append(b, `,"price_per_kbyte":`...), uint64(f.PricePerKByte), 10)
	}
	return append(b, "}]"...)
}

// ReadJSON reads the JSON form.
func (f *FeeParameters) ReadJSON(p *codec.Parser) error {
	return p.Tagged(1<<32, func(code uint64) error {
		*f = DefaultFee(OpCode(code))
		return p.Object(func(name []byte) error { return f.parseMember(p, string(name)) })
	})
}

func (f *FeeParameters) parseMember(p *codec.Parser, name string) error {
	bitSize := 0
	switch name {
	case f.feeName():
		bitSize = 64
	case "price_per_kbyte":
		bitSize = 32
	default:
		return p.SkipMember(name, f.feeName(), "price_per_kbyte")
	}
	text, err := p.Whole()
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, bitSize)
	if bitSize == 32 {
		f.PricePerKByte = uint32(n)
	} else {
		f.Fee = n
	}
	return codec.NumberError(text, "a fee", err)
}

// AppendBinary appends the bytes.
func (f FeeParameters) AppendBinary(b []byte) ([]byte, error) {
	b = codec.AppendLE(codec.AppendVarint(b, uint64(f.Code)), f.Fee, 8)
	if f.perKByte() {
		b = codec.AppendUint32(b, f.PricePerKByte)
	}
	return b, nil
}

// ReadBinary reads the bytes.
func (f *FeeParameters) ReadBinary(r *codec.Reader) (err error) {
	code, err := r.Varint(uint64(len(operations) - 1))
	if err != nil {
		return err
	}
	f.Code = OpCode(code)
	if f.Fee, err = r.Uint64(); err == nil && f.perKByte() {
		f.PricePerKByte, err = r.Uint32()
	}
	return err
}

// DefaultFee returns the built-in parameters of a code.
func DefaultFee(code OpCode) FeeParameters {
	f := FeeParameters{Code: code}
	if d := declared(code); d != nil {
		f.Fee, f.PricePerKByte = d.fee.fixed, d.fee.perKByte
	}
	return f
}

// Of returns the parameters of a code: the chain's, or the built-in ones if the
// chain has none.
func (s *FeeSchedule) Of(code OpCode) FeeParameters {
	for _, p := range s.Parameters {
		if p.Code == code {
			return p
		}
	}
	return DefaultFee(code)
}

// Required returns the least fee of op in smallest units of DCT. For operations
// priced by size, the fee that op has now is part of the size.
func (s *FeeSchedule) Required(op Operation) (int64, error) {
	base, err := s.base(op)
	if err != nil {
		return 0, err
	}
	hi, lo := bits.Mul64(base, uint64(s.Scale))
	if hi >= fullScale {
		return 0, fmt.Errorf("the fee of %s is out of range", OpName(op.Code))
	}
	fee, _ := bits.Div64(hi, lo, fullScale)
	if fee > MaxShareSupply {
		return 0, fmt.Errorf("the fee of %s is out of range", OpName(op.Code))
	}
	return int64(fee), nil
}

// base returns the fee before scaling.
func (s *FeeSchedule) base(op Operation) (uint64, error) {
	if op.Body == nil {
		return 0, fmt.Errorf("operation %d: %w", op.Code, ErrUnknownOperation)
	}
	return op.Body.declared().fee.base(s.Of(op.Code), op.Body)
}

// maxFeeRounds is the number of times the reference recalculates a fee that is
// itself part of the size it is calculated from.
const maxFeeRounds = 4

// SetFee sets op's fee to the least one, in DCT, and returns it.
func (s *FeeSchedule) SetFee(op Operation) (int64, error) {
	fee := op.Fee()
	if fee == nil {
		return 0, fmt.Errorf("operation %d: %w", op.Code, ErrUnknownOperation)
	}
	*fee = AssetAmount{AssetID: CoreAsset}
	for range maxFeeRounds {
		need, err := s.Required(op)
		if err != nil || need <= fee.Amount {
			return fee.Amount, err
		}
		fee.Amount = need
	}
	return fee.Amount, nil
}

// OperationPrice is an operation with its current price.
type OperationPrice struct {
	ID          OpCode        `json:"id"`
	Name        string        `json:"name"` // "transfer_operation"
	CurrentFees FeeParameters `json:"current_fees"`
}
