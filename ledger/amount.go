package ledger

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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

// NumberGoesOn reports whether what stands behind the first blank of an amount, where its asset should, is more of its number: "000 DCT" of "1 000 DCT".
func NumberGoesOn(rest string) bool {
	word, _, _ := strings.Cut(rest, " ")
	_, isID := ObjectIDText(word)
	return word != "" && isDigit(word[0]) && !isID && strings.Trim(word, "0123456789.,") == "" && IDProblem(word) == ""
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

// Reasons why a text is not an amount. An AmountError wraps one of these, or a
// more specific syntax error that is ErrAmountSyntax too.
var (
	ErrAmountSyntax   = errors.New("not a decimal number")
	ErrAmountDigits   = errors.New("more decimals than the asset has")
	ErrAmountNegative = errors.New("negative")
	ErrAmountLimit    = errors.New("above the largest amount of any asset")
	ErrAmountOverflow = errors.New("too large for 64 bits")
	ErrAmountAsset    = errors.New("an amount of another asset")
)

// AmountError is the error for a text that is not an amount.
type AmountError struct {
	Text string // as given
	Why  error
	Hint string // what to write instead: "write 1.5", without a full stop
}

func (e *AmountError) Error() string {
	return fmt.Sprintf("%q is not an amount: %v", printable.Clip(e.Text), e.Why)
}

func (e *AmountError) Unwrap() error { return e.Why }

// syntaxError describes what is wrong with the way a number is written. errors.Is reports it as ErrAmountSyntax.
type syntaxError string

func (e syntaxError) Error() string { return string(e) }

func (e syntaxError) Is(target error) bool { return target == ErrAmountSyntax }

func tooManyDecimals(text string, precision uint8) error {
	hint := fmt.Sprintf("write at most %d digits after the point", precision)
	switch precision {
	case 0:
		hint = "write whole numbers only"
	case 1:
		hint = "write at most 1 digit after the point"
	}
	return &AmountError{text, ErrAmountDigits, hint}
}

// Ways of writing a number that are refused. They only choose the wording of the
// error; none of them makes a text an amount.
var (
	negativeNumber = regexp.MustCompile(`^-([0-9]+\.?[0-9]*|\.[0-9]+)$`)
	signedNumber   = regexp.MustCompile(`^[+\-−–—﹣－＋][0-9]*\.?[0-9]*$`)
	exponentNumber = regexp.MustCompile(`^[0-9]+\.?[0-9]*[eE][+-]?[0-9]+$`)
	basedNumber    = regexp.MustCompile(`^0[xXoObB][0-9a-fA-F_]*$`)
	pointGrouped   = regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{3}){2,}$`)
	pointDecimals  = regexp.MustCompile(`^[0-9]{1,3}([, '’_][0-9]{3})+(\.[0-9]*)?$`)
	commaDecimals  = regexp.MustCompile(`^([0-9]+|[0-9]{1,3}([. '’_][0-9]{3})+),[0-9]+$`)
)

// notDecimal returns the error for a text that is not digits with at most one point.
func notDecimal(text string) error {
	const digits = "write only digits and one point"
	fault := func(why syntaxError, hint string) error { return &AmountError{text, why, hint} }
	if strings.Trim(text, " .") == "" {
		return &AmountError{text, ErrAmountSyntax, digits}
	}
	for i, r := range text {
		_, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return fault("it contains a byte that is not text", "type it again")
		case r == '\n', r == '\t':
			return fault("it contains a line break or a tab", "type it again")
		case r != ' ' && (!unicode.IsPrint(r) || unicode.Is(unicode.M, r)):
			return fault(syntaxError(fmt.Sprintf("it contains the invisible character U+%04X", r)), "type it again")
		case r > unicode.MaxASCII && unicode.IsDigit(r):
			return fault("its digits are not those of a plain keyboard", "write them as 0 to 9")
		}
	}
	switch {
	case negativeNumber.MatchString(text):
		return &AmountError{text, ErrAmountNegative, "write an amount above zero, such as 12.5"}
	case signedNumber.MatchString(text):
		return fault("it has a sign", "write the number without one, such as 12.5")
	case exponentNumber.MatchString(text):
		return fault("it has an exponent", "write all digits, such as 150000")
	case basedNumber.MatchString(text):
		return fault("it is not a decimal number", digits)
	}
	why := separatorError(text)
	switch why {
	case errManyPoints:
		return fault(why, suggestion(text, "leave one point"))
	case errSpace:
		return fault(why, suggestion(text, "leave the spaces out"))
	}
	return fault(why, suggestion(text, digits))
}

const (
	errSpace      syntaxError = "it has a space"
	errManyPoints syntaxError = "it has more than one point"
)

// separatorError names the refused character between the digits.
func separatorError(text string) syntaxError {
	switch {
	case strings.Trim(text, "0123456789., '’_") != "":
		return "it contains more than digits and a point"
	case strings.Contains(text, ","):
		return "a comma can mean a point or thousands"
	case strings.ContainsAny(text, "'’_"):
		return "it has thousands separators"
	case strings.Contains(text, " "):
		return errSpace
	}
	return errManyPoints
}

// suggestion returns how to write the number if it can mean only one or two things,
// otherwise the given hint.
func suggestion(text, otherwise string) string {
	bare := func(s string) string {
		return strings.NewReplacer(",", "", ".", "", " ", "", "'", "", "’", "", "_", "").Replace(s)
	}
	var readings []string
	if trimmed := strings.Trim(text, " "); trimmed != text && allDigits(strings.Replace(trimmed, ".", "", 1)) {
		readings = append(readings, trimmed)
	}
	if pointGrouped.MatchString(text) {
		readings = append(readings, bare(text))
	}
	if pointDecimals.MatchString(text) {
		whole, fraction, _ := strings.Cut(text, ".")
		readings = append(readings, strings.TrimSuffix(bare(whole)+"."+fraction, "."))
	}
	if commaDecimals.MatchString(text) {
		whole, fraction, _ := strings.Cut(text, ",")
		readings = append(readings, bare(whole)+"."+fraction)
	}
	if len(readings) == 0 || len(text) > 30 {
		return otherwise
	}
	return "write " + strings.Join(readings, " or ")
}
