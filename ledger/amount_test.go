package ledger

import (
	"errors"
	"testing"
)

// Every way of writing a number but digits with one point is refused, and the
// hint says what to write.
func TestAmountHints(t *testing.T) {
	const anew, digits, point = "type it again", "write only digits and one point", "leave one point"
	for text, want := range map[string]string{
		"": digits, ".": digits, " ": digits, ". .": digits, "abc": digits, "bobby": digits, "1.2.3": point, "1,00,000": digits, "DCT": digits,
		"1,5": "write 1.5", "1,000": "write 1000 or 1.000", "1.000,50": "write 1000.50", "1,234,567.89": "write 1234567.89",
		"1.234.567": "write 1234567", "1'000.5": "write 1000.5", "1’000": "write 1000", "1_000": "write 1000", "1 000,25": "write 1000.25",
		"1 000": "write 1000", " 1": "write 1", "1.5 ": "write 1.5", "1 5": "leave the spaces out", "1..5": point,
		"+5": "write the number without one, such as 12.5", "−5": "write the number without one, such as 12.5", "-5": "write an amount above zero, such as 12.5",
		"1e5": "write all digits, such as 150000", "1.5E-2": "write all digits, such as 150000", "0x10": digits, "0b1": digits,
		"１２": "write them as 0 to 9", "١٢": "write them as 0 to 9", "१": "write them as 0 to 9",
		"1\u200b5": anew, "1\u202e5": anew, "1\u00a0000": anew, "1\t5": anew, "1\n": anew, "1\u0301": anew, "\ufeff1": anew, "1\x005": anew, "1\xff5": anew,
		"1.123456789": "write at most 8 digits after the point", "99999999999999999999": "write less", "73197775.77456891": "write less",
	} {
		amount, err := ParseAmount(text, 8)
		var bad *AmountError
		if !errors.As(err, &bad) || bad.Hint != want {
			t.Errorf("%q: %d %v, %+v; want the hint %q", text, amount, err, bad, want)
		}
	}
	for precision, want := range map[uint8]string{0: "write whole numbers only", 1: "write at most 1 digit after the point"} {
		_, err := ParseAmount("1.55", precision)
		if bad := new(AmountError); !errors.As(err, &bad) || bad.Hint != want {
			t.Errorf("at precision %d: %v", precision, err)
		}
	}
}

func TestParseAmountOf(t *testing.T) {
	for text, want := range map[string]int64{
		"12.5": 1250000000, "12.5 DCT": 1250000000, "12.5  DCT": 1250000000, "12.5 dct": 1250000000, "5. DCT": 500000000,
	} {
		if got, err := ParseAmountOf(text, "DCT", 8); err != nil || got != want {
			t.Errorf("%q: %d %v, want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]error{
		"12.5 USDX": ErrAmountAsset, "12.5DCT": ErrAmountSyntax, "12.5\u00a0DCT": ErrAmountSyntax, "12.5 DCT ": ErrAmountSyntax, " DCT": ErrAmountSyntax,
		"1 2 DCT": ErrAmountSyntax, "1,5 DCT": ErrAmountSyntax, "12.5 D\u0441T": ErrAmountSyntax, "12.5 dıt": ErrAmountSyntax, "-1 DCT": ErrAmountNegative,
		"12.5 DCT DCT": ErrAmountSyntax, "0.000000001 DCT": ErrAmountDigits,
	} {
		if got, err := ParseAmountOf(text, "DCT", 8); !errors.Is(err, want) {
			t.Errorf("%q: %d %v, want %v", text, got, err, want)
		}
	}
}
