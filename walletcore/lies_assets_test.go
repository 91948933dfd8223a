package walletcore_test

import (
	"encoding/json"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// assetLies returns the lies about assets.
func assetLies() []lie {
	gold := func(s *scene) object {
		list, _ := decode(s.ask("lookup_asset_symbols", []string{"ALX.GOLD"})).([]any)
		o, _ := list[0].(object)
		return o
	}
	return []lie{
		{name: "asset-id", says: "DCT with a token's id", must: asAsked, tell: asset("DCT", set("id", "1.3.1"))},
		{name: "asset-other", says: "a token for DCT", must: asAsked, tell: func(s *scene) teller { return asset("DCT", instead(gold(s)))(s) }},
		{name: "asset-token-id", says: "a token with DCT's id", must: asAsked, tell: asset("ALX.GOLD", set("id", "1.3.0"))},
		{name: "asset-token-other", says: "a token with another token's id", must: asAsked, tell: asset("ALX.GOLD", set("id", "1.3.2"))},
		{name: "precision-dct", says: "DCT with 10 digits", must: asAsked, tell: asset("DCT", set("precision", 10))},
		{name: "precision-dct-low", says: "DCT with 6 digits", must: asAsked, tell: asset("DCT", set("precision", 6))},
		{name: "precision-dct-first", says: "DCT with 10 digits, from first sight on", must: asAsked, first: true, tell: asset("DCT", set("precision", 10))},
		{name: "precision-token", says: "a token with 8 digits instead of 4", must: asAsked, tell: asset("ALX.GOLD", set("precision", 8))},
		{name: "precision-token-low", says: "a token without digits", must: asAsked, tell: asset("ALX.GOLD", set("precision", 0))},
		{name: "precision-huge", says: "assets with 255 digits", must: asAsked, tell: assets(set("precision", 255))},
		{name: "precision-beyond", says: "a precision beyond a byte", must: asAsked, tell: assets(set("precision", 260))},
		{name: "precision-negative", says: "a negative precision", must: asAsked, tell: assets(set("precision", -4))},
		{name: "symbol-escape", says: "symbols with terminal escapes", must: asAsked, tell: assets(set("symbol", "DCT\u001b[2J\u009b"))},
		{name: "symbol-bidi", says: "symbols with direction marks", must: asAsked, tell: assets(set("symbol", "DCT\u202e"))},
		{name: "symbol-long", says: "symbols of a million letters", must: asAsked, tell: assets(set("symbol", strings.Repeat("A", 1_000_000)))},
		{name: "assets-null", says: "no asset exists", must: asAsked, tell: assets(instead(nil))},
		{name: "assets-two", says: "two assets for one", must: asAsked, tell: func(s *scene) teller {
			other := gold(s)
			return change(func(_ *question, v any) any {
				list, _ := v.([]any)
				return append([]any{other}, list...)
			}, "get_assets", "lookup_asset_symbols")(s)
		}},
		{name: "exchange-rate", says: "absurd exchange rates", must: asAsked, tell: assets(within("options", "core_exchange_rate", object{
			"base": object{
				"amount": 1, "asset_id": "1.3.0",
			}, "quote": object{"amount": json.Number("9223372036854775807"), "asset_id": "1.3.1"},
		}))},
	}
}

// feeLies returns the lies about fees.
func feeLies() []lie {
	fee := func(amount any) func(*scene) teller {
		return global(func(o object) any {
			eachFee(o, func(parameters object) {
				if _, ok := parameters["fee"]; ok {
					parameters["fee"] = amount
				}
			})
			return o
		})
	}
	schedule := func(member string, value any) func(*scene) teller {
		return global(func(o object) any {
			if in, ok := fees(o); ok {
				in[member] = value
			}
			return o
		})
	}
	return []lie{
		{name: "fee-5000", says: "a fee of 5,000 DCT", must: asAsked, tell: fee(5_000_0000_0000)},
		{name: "fee-1.01", says: "a fee just above the ceiling", must: asAsked, tell: fee(1_0100_0000)},
		{name: "fee-negative", says: "a negative fee", must: asAsked, tell: fee(-5_0000_0000)},
		{name: "fee-max", says: "the largest number for a fee", must: asAsked, tell: fee(json.Number("9223372036854775807"))},
		{name: "fee-beyond", says: "a fee beyond 64 bits", must: asAsked, tell: fee(json.Number("18446744073709551615"))},
		{name: "fee-text", says: "text for a fee", must: asAsked, tell: fee("\u001b[31mmany")},
		{name: "fee-scale", says: "a fee scale of 4 billion", must: asAsked, tell: schedule("scale", json.Number("4294967295"))},
		{name: "fee-none", says: "no fees at all", must: asAsked, tell: schedule("parameters", []any{})},
		{name: "fee-many", says: "200,000 fee entries", must: asAsked, large: true, tell: global(func(o object) any {
			in, ok := fees(o)
			if !ok {
				return o
			}
			list, _ := in["parameters"].([]any)
			for len(list) > 0 && len(list) < 200_000 {
				list = append(list, list[0])
			}
			in["parameters"] = list
			return o
		})},
		{name: "fee-kilobyte", says: "5,000 DCT for each kilobyte", must: asAsked, tell: global(func(o object) any {
			eachFee(o, func(parameters object) {
				parameters["price_per_kbyte"] = 5_000_0000_0000
			})
			return o
		})},
		{name: "global-null", says: "null for the parameters", must: asAsked, tell: answered("null", "get_global_properties")},
		{name: "authority-depth", says: "authorities may be nested 60,000 deep", must: asAsked, tell: global(func(o object) any {
			if in, ok := o["parameters"].(object); ok {
				in["max_authority_depth"] = 255
			}
			return o
		})},
	}
}

func fees(o object) (object, bool) {
	parameters, _ := o["parameters"].(object)
	in, ok := parameters["current_fees"].(object)
	return in, ok
}

// eachFee visits the entries of a fee schedule, which are pairs of a number and an object.
func eachFee(o object, visit func(object)) {
	in, ok := fees(o)
	if !ok {
		return
	}
	list, _ := in["parameters"].([]any)
	for _, element := range list {
		pair, _ := element.([]any)
		if len(pair) == 2 {
			if parameters, ok := pair[1].(object); ok {
				visit(parameters)
			}
		}
	}
}
