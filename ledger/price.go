package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
)

// Price is an exchange rate: Base is worth Quote.
type Price struct {
	Base  AssetAmount `json:"base"`
	Quote AssetAmount `json:"quote"`
}

// Errors of prices and conversions. Each error wraps one of these.
var (
	ErrPrice         = errors.New("a price names two assets, each with an amount above zero")
	ErrPriceMismatch = errors.New("the price does not name this asset")
	ErrPriceRange    = errors.New("the converted amount is out of range")
)

// Valid returns ErrPrice if the price cannot be used.
func (p Price) Valid() error {
	if p.Base.AssetID == p.Quote.AssetID || p.Base.Amount <= 0 || p.Quote.Amount <= 0 {
		return ErrPrice
	}
	return nil
}

// Invert swaps base and quote.
func (p Price) Invert() Price { return Price{Base: p.Quote, Quote: p.Base} }

// Convert returns what amount is worth in the price's other asset, rounded down,
// in exact 128-bit arithmetic as the ledger does (docs/protocol/ledger.md 3).
func (p Price) Convert(amount AssetAmount) (AssetAmount, error) {
	if err := p.Valid(); err != nil {
		return AssetAmount{}, err
	}
	from, to := p.Base, p.Quote
	switch amount.AssetID {
	case p.Base.AssetID:
	case p.Quote.AssetID:
		from, to = to, from
	default:
		return AssetAmount{}, fmt.Errorf("%s: %w", amount.AssetID, ErrPriceMismatch)
	}
	if amount.Amount < 0 {
		return AssetAmount{}, ErrPriceRange
	}
	hi, lo := bits.Mul64(uint64(amount.Amount), uint64(to.Amount))
	if hi >= uint64(from.Amount) {
		return AssetAmount{}, ErrPriceRange
	}
	value, _ := bits.Div64(hi, lo, uint64(from.Amount))
	if value > MaxShareSupply {
		return AssetAmount{}, ErrPriceRange
	}
	return AssetAmount{Amount: int64(value), AssetID: to.AssetID}, nil
}

// Compare orders two prices of the same assets by base per quote: -1, 0 or 1.
func (p Price) Compare(q Price) (int, error) {
	if p.Base.AssetID != q.Base.AssetID || p.Quote.AssetID != q.Quote.AssetID {
		return 0, ErrPriceMismatch
	}
	if p.Valid() != nil || q.Valid() != nil {
		return 0, ErrPrice
	}
	ah, al := bits.Mul64(uint64(p.Base.Amount), uint64(q.Quote.Amount))
	bh, bl := bits.Mul64(uint64(q.Base.Amount), uint64(p.Quote.Amount))
	if ah != bh {
		return cmp.Compare(ah, bh), nil
	}
	return cmp.Compare(al, bl), nil
}

// FeeIn returns the least fee in another asset that is worth at least fee, which
// is in DCT, at the asset's core exchange rate p: rounded down, then raised unit
// by unit until converting it back yields enough (docs/protocol/ledger.md 3).
func (p Price) FeeIn(fee AssetAmount) (AssetAmount, error) {
	out, err := p.Convert(fee)
	if err != nil {
		return out, err
	}
	for {
		back, err := p.Convert(out)
		if err != nil || back.Amount >= fee.Amount {
			return out, err
		}
		out.Amount++
	}
}

// words returns the price as two amounts.
func (p Price) words(n Namer) string {
	return grouped(n.AmountText(p.Base)) + " for " + grouped(n.AmountText(p.Quote))
}
