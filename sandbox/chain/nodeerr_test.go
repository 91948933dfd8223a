package chain_test

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

func TestFrameTextFillsPlaceholders(t *testing.T) {
	data := nodeerr.Data{"id": ledger.AccountID(7), "n": 5, "name": "a ${n} b", "big": int64(5000000000)}
	for format, want := range map[string]string{
		"Missing ${id}":         "Missing 1.2.7",
		"${n} of ${big}":        "5 of 5000000000",
		"${name}":               "a ${n} b", // what a client wrote is not expanded again
		"${unknown} and ${n":    "${unknown} and ${n",
		"no placeholder at all": "no placeholder at all",
	} {
		if got := (nodeerr.Frame{Format: format, Data: data}).Text(); got != want {
			t.Errorf("%q gives %q, want %q", format, got, want)
		}
	}
}

func TestFaultNamesItsCode(t *testing.T) {
	named := 0
	for code := range nodeerr.Code(30_000) {
		if code >= 1000 {
			code += 3_030_000 // those of single operations
		}
		f := nodeerr.New(code, "m", "why", nil)
		if (f.Name() == "") != (f.What() == "") {
			t.Errorf("the code %d has no name or no sentence", code)
		}
		if f.Name() != "" {
			named++
		}
	}
	if named < 36 {
		t.Errorf("only %d codes have a name", named)
	}
	const want = "411 insufficient_fee_exception: Insufficient fee. too little"
	if got := nodeerr.New(nodeerr.CodeInsufficientFee, "m", "too little", nil).Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
