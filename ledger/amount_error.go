package ledger

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"billfold/ledger/printable"
)

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
