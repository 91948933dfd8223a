package ledger

import (
	"fmt"
	"math/bits"
	"reflect"
	"strconv"
)

// fullScale is 100 %, in hundredths of a percent.
const fullScale = 10000

// FeeParameters are the prices of one operation, in smallest units of DCT;
// which of them an operation has depends on its code (protocol/serialization.md 3).
type FeeParameters struct {
	Code          OpCode
	Fee           uint64 // the fixed fee; called basic_fee for codes 1, 3 and 41
	PricePerKByte uint32 // codes 9, 10, 14, 18, 41, 43 and 45
}

var feeParametersType = reflect.TypeFor[FeeParameters]()

func (f FeeParameters) feeName() string {
	switch f.Code {
	case CodeAccountCreate, CodeAssetCreate, CodeNFTCreateDefinition:
		return "basic_fee"
	}
	return "fee"
}

func (f FeeParameters) perKByte() bool {
	switch f.Code {
	case CodeProposalCreate, CodeProposalUpdate, CodeWithdrawPermissionClaim, CodeCustom, CodeNFTCreateDefinition, CodeNFTIssue, CodeNFTUpdateData:
		return true
	}
	return false
}

func (f FeeParameters) appendJSON(b []byte) []byte {
	b = strconv.AppendUint(append(b, '['), uint64(f.Code), 10)
	b = append(append(append(b, `,{"`...), f.feeName()...), `":`...)
	b = appendUint(b, f.Fee)
	if f.perKByte() {
		b = strconv.AppendUint(append(b, `,"price_per_kbyte":`...), uint64(f.PricePerKByte), 10)
	}
	return append(b, "}]"...)
}

func (f *FeeParameters) parseJSON(p *parser) error {
	return p.tagged(1<<32, func(code uint64) error {
		*f = DefaultFee(OpCode(code))
		return p.object(func(name []byte) error { return f.parseMember(p, string(name)) })
	})
}

func (f *FeeParameters) parseMember(p *parser, name string) error {
	bitSize := 0
	switch name {
	case f.feeName():
		bitSize = 64
	case "price_per_kbyte":
		bitSize = 32
	default:
		p.unknown = true
		return p.skip()
	}
	text, err := p.number()
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, bitSize)
	if bitSize == 32 {
		f.PricePerKByte = uint32(n)
	} else {
		f.Fee = n
	}
	return integerFault(text, "a fee", err)
}

func (f FeeParameters) pack(b []byte) ([]byte, error) {
	b = appendLE(appendVarint(b, uint64(f.Code)), f.Fee, 8)
	if f.perKByte() {
		b = appendUint32(b, f.PricePerKByte)
	}
	return b, nil
}

func (f *FeeParameters) unpack(r *reader) (err error) {
	code, err := r.varint(uint64(len(operations) - 1))
	if err != nil {
		return err
	}
	f.Code = OpCode(code)
	if f.Fee, err = r.uint64(); err == nil && f.perKByte() {
		f.PricePerKByte, err = r.uint32()
	}
	return err
}

// DefaultFee gives the built-in parameters of a code.
func DefaultFee(code OpCode) FeeParameters {
	f := FeeParameters{Code: code}
	if s := specOf(code); s != nil {
		f.Fee, f.PricePerKByte = s.fee, s.perKByte
	}
	return f
}

// FeeSchedule is the chain's price list.
type FeeSchedule struct {
	Parameters []FeeParameters `json:"parameters" fc:"set"`
	Scale      uint32          `json:"scale"` // hundredths of a percent
}

func (s *FeeSchedule) setDefaults() { s.Scale = fullScale }

// Of gives the parameters of a code: the chain's, or the built-in ones when
// the chain never set any.
func (s *FeeSchedule) Of(code OpCode) FeeParameters {
	for _, p := range s.Parameters {
		if p.Code == code {
			return p
		}
	}
	return DefaultFee(code)
}

// Required is the least fee of op in smallest units of DCT. For operations
// priced by size the fee is part of the size, as it stands in op.
func (s *FeeSchedule) Required(op Operation) (int64, error) {
	base, err := s.Of(op.Code).base(op)
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

// maxFeeRounds is how often the reference recalculates a fee that is part of
// the size it is calculated from.
const maxFeeRounds = 4

// SetFee puts the least fee, in DCT, into op and gives it.
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

// base is the fee before scaling.
func (f FeeParameters) base(op Operation) (uint64, error) {
	switch body := op.Body.(type) {
	case *AssetCreateOp:
		if body.MonitoredAssetOpts != nil {
			return f.Fee, nil
		}
		return f.Fee * symbolFactor(body.Symbol), nil
	case *AssetIssueOp: // the fixed fee serves as the price per kbyte
		return f.plus(f.Fee, &body.Memo)
	case *ProposalCreateOp, *ProposalUpdateOp, *CustomOp:
		return f.plus(uint64(f.PricePerKByte), body)
	case *WithdrawPermissionClaimOp:
		if body.Memo == nil {
			return f.Fee, nil
		}
		return f.plus(uint64(f.PricePerKByte), &body.Memo)
	case *AssertOp:
		return f.Fee * uint64(len(body.Predicates)), nil
	case *ContentSubmitOp:
		if len(body.Seeders) > 0 {
			return 0, nil
		}
		return f.Fee, nil
	case *NFTCreateDefinitionOp:
		f.Fee *= symbolFactor(body.Symbol)
		return f.plusEach(len(body.Definitions), func(i int) any { return &body.Definitions[i] }, nil)
	case *NFTIssueOp:
		return f.plusEach(len(body.Data), func(i int) any { return &body.Data[i] }, &body.Memo)
	case *NFTUpdateDataOp:
		return f.plusEach(len(body.Data), func(i int) any { return &body.Data[i] }, nil)
	case nil:
		return 0, fmt.Errorf("operation %d: %w", op.Code, ErrUnknownOperation)
	}
	return f.Fee, nil
}

// symbolFactor makes short symbols dear.
func symbolFactor(symbol string) uint64 {
	switch len(symbol) {
	case 3:
		return 5000
	case 4:
		return 200
	}
	return 5
}

// plus adds the price of the packed value to the fixed fee. A value given as
// pointer to an optional is packed with its flag byte.
func (f FeeParameters) plus(perKByte uint64, value any) (uint64, error) {
	packed, err := Pack(value)
	return f.Fee + uint64(len(packed))*perKByte/1024, err
}

// plusEach adds the price of each item, every one floored on its own, and of
// the optional memo.
func (f FeeParameters) plusEach(n int, item func(i int) any, memo **Memo) (uint64, error) {
	total := f.Fee
	add := func(value any) error {
		packed, err := Pack(value)
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
