package ledger

import "testing"

// The codes are those that docs/protocol/ledger.md 8 names.
func TestRegionCode(t *testing.T) {
	for text, want := range map[string]uint32{"": 1, "default": 2, "AD": 3, "AE": 4, "ZW": 251} {
		if got, known := RegionCode(text); got != want || !known {
			t.Errorf("the region %q is %d, want %d", text, got, want)
		}
	}
	for _, text := range []string{"ad", "D ", " A", "XX", "A", "AD AE", "Default"} {
		if got, known := RegionCode(text); known {
			t.Errorf("the region %q is %d, want none", text, got)
		}
	}
}

// The price without region goes before that of the region, and that before the default.
func TestPriceInRegion(t *testing.T) {
	price := func(region uint32) PriceInRegion {
		return PriceInRegion{Region: region, Price: AssetAmount{Amount: int64(region)}}
	}
	for _, c := range []struct {
		prices []PriceInRegion
		region uint32
		want   int64 // 0: not for sale
	}{
		{[]PriceInRegion{price(2), price(7)}, 7, 7},
		{[]PriceInRegion{price(2), price(7)}, 8, 2},
		{[]PriceInRegion{price(7)}, 8, 0},
		{[]PriceInRegion{price(7), price(1)}, 7, 1},
	} {
		got, sold := RegionalPrices{c.prices}.In(c.region)
		if got.Amount != c.want || sold != (c.want != 0) {
			t.Errorf("in region %d it costs %d, want %d", c.region, got.Amount, c.want)
		}
	}
}
