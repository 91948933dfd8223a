package ledger

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"

	"billfold/ledger/codec"
	"billfold/ledger/printable"
)

// MaxShareSupply is the largest amount of any asset, in smallest units (docs/protocol/ledger.md 3).
const MaxShareSupply = 7319777577456890

// MaxPrecision is the largest number of decimals an asset may have.
const MaxPrecision = 12

// AssetAmount is an amount of one asset in its smallest unit.
type AssetAmount struct {
	Amount  int64   `json:"amount"`
	AssetID AssetID `json:"asset_id"`
}

// MarshalJSON writes {"amount": …, "asset_id": …}; an amount above 4294967295 is a string.
func (a AssetAmount) MarshalJSON() ([]byte, error) { return codec.Marshal(a) }

// UnmarshalJSON reads the amount from a number or a decimal string.
func (a *AssetAmount) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, a) }

// ParseAmount parses decimal text, such as "12.5", into smallest units of an asset
// with the given precision. It accepts the digits 0 to 9 with at most one point; "5."
// and ".5" are fine, and so are zeros beyond the precision. Anything else is an
// *AmountError: nothing is dropped, guessed or rounded.
func ParseAmount(text string, precision uint8) (int64, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	if whole+fraction == "" || !allDigits(whole) || !allDigits(fraction) {
		return 0, notDecimal(text)
	}
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > int(precision) {
		return 0, tooManyDecimals(text, precision)
	}
	fraction += strings.Repeat("0", int(precision)-len(fraction))
	amount, err := strconv.ParseInt("0"+whole+fraction, 10, 64)
	switch {
	case err != nil:
		return 0, &AmountError{text, ErrAmountOverflow, "write less"}
	case amount > MaxShareSupply:
		return 0, &AmountError{text, ErrAmountLimit, "write less"}
	}
	return amount, nil
}

// ParseAmountOf parses an amount of the asset with the given symbol: "12.5", or with
// the symbol after a space, "12.5 DCT". Another symbol is ErrAmountAsset.
func ParseAmountOf(text, symbol string, precision uint8) (int64, error) {
	number, named := SplitAmount(text)
	if named != "" && !strings.EqualFold(named, symbol) {
		return 0, &AmountError{text, ErrAmountAsset, "write an amount of " + symbol + ", or choose the asset " + printable.Clip(named)}
	}
	amount, err := ParseAmount(number, precision)
	var bad *AmountError
	if errors.As(err, &bad) {
		bad.Text = text
	}
	return amount, err
}

// SplitAmount splits "12.5 DCT" into number and symbol; neither is checked
// further. The symbol is empty if the text does not end in one.
func SplitAmount(text string) (number, symbol string) {
	i := strings.LastIndexByte(text, ' ')
	if i < 0 || !isASCII(text[i+1:]) || ValidSymbol(strings.ToUpper(text[i+1:])) != nil {
		return text, ""
	}
	return strings.TrimRight(text[:i], " "), text[i+1:]
}

// isASCII reports whether s is ASCII only. Changing case would turn some other letters into ASCII.
func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// FormatAmount formats smallest units as the reference does: with all decimals of
// the asset, or only the whole part if the fraction is zero.
func FormatAmount(amount int64, precision uint8) string {
	text := FormatDecimals(amount, precision)
	whole, fraction, _ := strings.Cut(text, ".")
	if strings.Trim(fraction, "0") == "" {
		return whole
	}
	return text
}

// FormatDecimals formats smallest units with all decimals of the asset: 150000000
// with precision 8 is "1.50000000".
func FormatDecimals(amount int64, precision uint8) string {
	sign, magnitude := "", uint64(amount)
	if amount < 0 {
		sign, magnitude = "-", -magnitude
	}
	digits := strconv.FormatUint(magnitude, 10)
	if precision == 0 {
		return sign + digits
	}
	if short := int(precision) + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	point := len(digits) - int(precision)
	return sign + digits[:point] + "." + digits[point:]
}

// AddAmounts returns a+b, or false if it overflows.
func AddAmounts(a, b int64) (int64, bool) {
	if b > 0 && a > math.MaxInt64-b || b < 0 && a < math.MinInt64-b {
		return 0, false
	}
	return a + b, true
}
