package nodeerr

import (
	"testing"

	"billfold/ledger"
)

func TestFrameTextFillsPlaceholders(t *testing.T) {
	data := Data{"id": ledger.AccountID(7), "n": 5, "name": "a ${n} b", "big": int64(5000000000)}
	for format, want := range map[string]string{
		"Missing ${id}":         "Missing 1.2.7",
		"${n} of ${big}":        "5 of 5000000000",
		"${name}":               "a ${n} b", // what a client wrote is not expanded again
		"${unknown} and ${n":    "${unknown} and ${n",
		"no placeholder at all": "no placeholder at all",
	} {
		if got := (Frame{Format: format, Data: data}).Text(); got != want {
			t.Errorf("%q gives %q, want %q", format, got, want)
		}
	}
}

func TestFaultNamesItsCode(t *testing.T) {
	for code := range codeTexts {
		if f := New(code, "m", "why", nil); f.Name() == "" || f.What() == "" {
			t.Errorf("the code %d has no name or no sentence", code)
		}
	}
	const want = "411 insufficient_fee_exception: Insufficient fee. too little"
	if got := New(CodeInsufficientFee, "m", "too little", nil).Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
