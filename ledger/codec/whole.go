package codec

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"billfold/ledger/printable"
)

// Whole reads a whole number as JSON may write it, or a string that should hold its digits, and returns the digits. Those of a
// string are not checked, nor is the range.
func (p *Parser) Whole() (digits string, err error) {
	text := p.Peek() == '"'
	digits, err = p.Number()
	if err != nil || text {
		return digits, err
	}
	return WholeNumber(digits)
}

// Exact reports whether what is read was written by a person or program, see UnmarshalExact.
func (p *Parser) Exact() bool { return p.exact }

// maxWholeDigits is more than the largest number has.
const maxWholeDigits = 40

// WholeNumber returns the digits of a whole number in a form of JSON: 20 for 20, 20.0, 2e1 and 200E-1. A number with a
// fraction is an error, never rounded.
func WholeNumber(literal string) (digits string, err error) {
	if !strings.ContainsAny(literal, ".eE") && literal != "-0" {
		return literal, nil
	}
	number, negative := strings.CutPrefix(literal, "-")
	mantissa, power, scaled := strings.Cut(strings.ToLower(number), "e")
	whole, fraction, pointed := strings.Cut(mantissa, ".")
	shift := 0
	if scaled {
		shift, err = strconv.Atoi(power) // out of range, it is the largest number of its sign
	}
	if !isDigits(whole) || len(whole) > 1 && whole[0] == '0' || pointed && !isDigits(fraction) || errors.Is(err, strconv.ErrSyntax) {
		return "", fmt.Errorf("%q is not a number", printable.Clip(literal))
	}
	far := len(literal) + maxWholeDigits // as good as infinite
	digits = strings.TrimLeft(whole+fraction, "0")
	before := len(digits) - len(fraction) + min(max(shift, -far), far) // digits before the point
	digits = strings.TrimRight(digits, "0")
	switch {
	case digits == "":
		return "0", nil
	case len(digits) > before:
		return "", fmt.Errorf("%s is not a whole number", printable.Clip(literal))
	case before > maxWholeDigits:
		return "", fmt.Errorf("%s is out of range", printable.Clip(literal))
	}
	digits += strings.Repeat("0", before-len(digits))
	if negative {
		digits = "-" + digits
	}
	return digits, nil
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
