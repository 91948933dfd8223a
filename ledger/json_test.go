package ledger

import (
	"strings"
	"testing"

	"billfold/ledger/codec"
)

func TestEmbeddedStructKeepsTheMembersAroundIt(t *testing.T) {
	v := struct {
		AssetAmount
		Pretty string `json:"pretty_amount"`
	}{AssetAmount{Amount: 5000000000}, "50 DCT"}
	got, err := codec.Marshal(v)
	want := `{"amount":"5000000000","asset_id":"1.3.0","pretty_amount":"50 DCT"}`
	if err != nil || string(got) != want {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
}

func TestMarshalRefusesAPrivateKey(t *testing.T) {
	key := DeriveKey("test", 0)
	if got, err := codec.Marshal(struct {
		Key PrivateKey `json:"key"`
	}{key}); err == nil {
		t.Errorf("a private key was written: %s", got)
	}
}

func TestUnmarshalSurvivesDeepNesting(t *testing.T) {
	for _, c := range []string{"[", `{"a":`} {
		var v Variant
		if err := codec.Unmarshal([]byte(strings.Repeat(c, 1_000_000)), &v); err == nil {
			t.Errorf("a million of %q was read", c)
		}
	}
}

// A newer node's operation or member is shown as it came and never signed.
func TestUnknownOperationsAndMembersSurvive(t *testing.T) {
	for _, text := range []string{
		`[77,{"fee":{"amount":1,"asset_id":"1.3.0"},"new":[1,2]}]`,
		`[39,{"fee":{"amount":1,"asset_id":"1.3.0"},"from":"1.2.16","to":"1.2.17","amount":{"amount":1,"asset_id":"1.3.0"},"shiny":true,"extensions":[]}]`,
		`[39,{"fee":{"amount":1,"asset_id":"1.3.0"},"from":"1.2.16","to":"1.2.17","amount":{"amount":1,"asset_id":"1.3.0"},"extensions":[[3,{}]]}]`,
	} {
		var tx Transaction
		if err := codec.Unmarshal([]byte(`{"operations":[`+text+`]}`), &tx); err != nil {
			t.Fatal(err)
		}
		out, err := codec.Marshal(tx)
		if err != nil || !strings.Contains(string(out), text) {
			t.Errorf("%s was not kept: %s (%v)", text, out, err)
		}
		if _, err := tx.ID(); err == nil {
			t.Errorf("%s got an id", text)
		}
	}
}

func TestUnmarshalReadsIntegersByTheirDigits(t *testing.T) {
	for text, want := range map[string]int64{`5`: 5, `"5"`: 5, `-5`: -5, `"9223372036854775807"`: 1<<63 - 1, `"007"`: 7,
		`2.0`: 2, `1e1`: 10, `1E+1`: 10, `-0`: 0, `-0.0`: 0, `0e5`: 0, `200e-2`: 2, `1.50e2`: 150, `-2.5E1`: -25, `92233720368547758.07e2`: 1<<63 - 1,
		`0.000e99999999999999999999`: 0, `9223372036854775807.000`: 1<<63 - 1, `0.0000000000000000000000000000000000000000000001e46`: 1} {
		var a AssetAmount
		if err := codec.Unmarshal([]byte(`{"amount":`+text+`}`), &a); err != nil || a.Amount != want {
			t.Errorf("%s: %d (%v), want %d", text, a.Amount, err, want)
		}
	}
	for _, text := range []string{`1.9`, `1e-1`, `"1e5"`, `"2.0"`, `1e99999999999999999999`,
		`1e19`, `9223372036854775808.0`, `1e-99999999999999999999`, `1.`, `.5`, `1e`, `1e+`, `1e+-1`, `01.0`, `1.0.0`, `1e1e1`, `--1.0`, `- 1.0`, `+1.0`, `18446744073709551615`, `""`, `"x"`, `true`, `null`, `[]`, `{}`} {
		var a AssetAmount
		if err := codec.Unmarshal([]byte(`{"amount":`+text+`}`), &a); err == nil {
			t.Errorf("%s was read as %d", text, a.Amount)
		}
	}
}
