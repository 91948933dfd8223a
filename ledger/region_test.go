package ledger

import (
	"strings"
	"testing"
)

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

// The first and the last region have their words, and what is beyond is no region.
func TestRegionsEndWhereTheyEnd(t *testing.T) {
	last := RegionDefault + uint32(len(countries)+1)/codeLength
	for region, want := range map[uint32]string{0: "an unknown region", RegionNone: "every region", RegionDefault: "every region without a price of its own",
		RegionDefault + 1: "the region " + countries[:2], last: "the region " + countries[len(countries)-2:], last + 1: "an unknown region"} {
		if got := RegionWords(region); got != want || IsRegion(region) != (want != "an unknown region") {
			t.Errorf("%d is %q, a region %v, want %q", region, got, IsRegion(region), want)
		}
		if code, is := strings.CutPrefix(want, "the region "); is {
			if got, known := RegionCode(code); got != region || !known {
				t.Errorf("%s is the region %d, %v, want %d", code, got, known, region)
			}
		}
	}
}
