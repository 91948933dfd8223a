package ledger

import "billfold/ledger/codec"

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

// feeRule is how the fee of one operation is computed.
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
