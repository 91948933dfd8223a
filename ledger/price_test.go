package ledger

import (
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

const gold AssetID = 1

func TestPriceConverts(t *testing.T) {
	p := Price{Base: AssetAmount{Amount: 3, AssetID: gold}, Quote: AssetAmount{Amount: 7}}
	for _, c := range []struct {
		in   AssetAmount
		want int64
		err  error
	}{
		{AssetAmount{Amount: 10}, 4, nil},
		{AssetAmount{Amount: 10, AssetID: gold}, 23, nil},
		{AssetAmount{Amount: 0}, 0, nil},
		{AssetAmount{Amount: -1}, 0, ErrPriceRange},
		{AssetAmount{Amount: 1, AssetID: 9}, 0, ErrPriceMismatch},
		{AssetAmount{Amount: MaxShareSupply, AssetID: gold}, 0, ErrPriceRange},
	} {
		got, err := p.Convert(c.in)
		if !errors.Is(err, c.err) || got.Amount != c.want {
			t.Errorf("%+v: %d %v, want %d %v", c.in, got.Amount, err, c.want, c.err)
		}
	}
	for _, bad := range []Price{
		{}, {Base: AssetAmount{Amount: 1}, Quote: AssetAmount{Amount: 1}},
		{Base: AssetAmount{Amount: -1, AssetID: gold}, Quote: AssetAmount{Amount: 1}},
	} {
		if _, err := bad.Convert(AssetAmount{Amount: 1}); !errors.Is(err, ErrPrice) {
			t.Errorf("%+v was used: %v", bad, err)
		}
	}
}

func drawPrice(t *rapid.T, label string) Price {
	amount := rapid.Int64Range(1, MaxShareSupply)
	return Price{
		Base:  AssetAmount{Amount: amount.Draw(t, label+" base"), AssetID: gold},
		Quote: AssetAmount{Amount: amount.Draw(t, label+" quote")},
	}
}

// The 128-bit arithmetic agrees with arbitrary precision, and a fee in another
// asset is the least that is worth enough.
func TestPriceArithmeticIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := drawPrice(t, "p"), drawPrice(t, "q")
		in := AssetAmount{Amount: rapid.Int64Range(0, MaxShareSupply).Draw(t, "amount")}
		want := new(big.Int).Mul(big.NewInt(in.Amount), big.NewInt(p.Base.Amount))
		want.Quo(want, big.NewInt(p.Quote.Amount))
		got, err := p.Convert(in)
		if want.Cmp(big.NewInt(MaxShareSupply)) > 0 {
			if !errors.Is(err, ErrPriceRange) {
				t.Fatalf("%s fits nowhere, got %d (%v)", want, got.Amount, err)
			}
			return
		}
		if err != nil || got.Amount != want.Int64() {
			t.Fatalf("%d, want %s (%v)", got.Amount, want, err)
		}
		left := new(big.Rat).SetFrac64(p.Base.Amount, p.Quote.Amount)
		right := new(big.Rat).SetFrac64(q.Base.Amount, q.Quote.Amount)
		if c, err := p.Compare(q); err != nil || c != left.Cmp(right) {
			t.Fatalf("compared %d, want %d (%v)", c, left.Cmp(right), err)
		}
	})
}

func TestFeeInAnotherAssetIsTheLeastThatIsEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Price{
			Base:  AssetAmount{Amount: rapid.Int64Range(1, 1_000_000).Draw(t, "base"), AssetID: gold},
			Quote: AssetAmount{Amount: rapid.Int64Range(1, 1_000_000).Draw(t, "quote")},
		}
		fee := AssetAmount{Amount: rapid.Int64Range(0, 10_000_000).Draw(t, "fee")}
		got, err := p.FeeIn(fee)
		if err != nil {
			t.Fatal(err)
		}
		enough := func(units int64) bool {
			worth, err := p.Convert(AssetAmount{Amount: units, AssetID: gold})
			return err == nil && worth.Amount >= fee.Amount
		}
		if !enough(got.Amount) || got.Amount > 0 && enough(got.Amount-1) {
			t.Fatalf("%d units for a fee of %d at %+v", got.Amount, fee.Amount, p)
		}
	})
}
