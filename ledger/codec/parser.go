package codec

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"billfold/ledger/printable"
)

// Parser reads JSON from the front, by the reference's rules.
type Parser struct {
	data    []byte
	pos     int
	depth   int
	unknown bool     // something this program does not know was skipped
	exact   bool     // an object must have exactly the known members, each once
	partial bool     // known members may be missing where it is exact
	others  []string // members that are skipped even so
}

func (p *Parser) skipSpace() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// Peek returns the next byte that is not white space, 0 at the end.
func (p *Parser) Peek() byte {
	p.skipSpace()
	if p.pos == len(p.data) {
		return 0
	}
	return p.data[p.pos]
}

func (p *Parser) end() error {
	if p.Peek() != 0 || p.pos != len(p.data) {
		return ErrJSON
	}
	return nil
}

func (p *Parser) want(c byte) error {
	if p.Peek() != c {
		return p.unexpected(c)
	}
	p.pos++
	return nil
}

// unexpected returns an error that names what was expected and what was found.
func (p *Parser) unexpected(want byte) error {
	names := map[byte]string{'{': "an object", '[': "a list", '"': "text", ':': `":"`}
	have := "the end"
	switch c := p.Peek(); {
	case p.pos == len(p.data):
	case c == '{':
		have = "an object"
	case c == '[':
		have = "a list"
	case c == '"':
		have = "text"
	case c == 't' || c == 'f':
		have = "a boolean"
	case c == 'n':
		have = "null"
	case c == '-' || c >= '0' && c <= '9':
		have = "a number"
	default:
		return ErrJSON
	}
	return fmt.Errorf("expected %s, found %s", names[want], have)
}

// Word skips w if it is next, and reports whether it was.
func (p *Parser) Word(w string) bool {
	p.skipSpace()
	if !bytes.HasPrefix(p.data[p.pos:], []byte(w)) {
		return false
	}
	p.pos += len(w)
	return true
}

// Null skips null if it is next, and reports whether it was.
func (p *Parser) Null() bool { return p.Word("null") }

// Bool reads true, false, "true", "false" or a number, 0 meaning false; of what a person or program wrote (Exact), no number but 0 and 1.
func (p *Parser) Bool() (bool, error) {
	switch {
	case p.Word("true"), p.Word(`"true"`):
		return true, nil
	case p.Word("false"), p.Word(`"false"`):
		return false, nil
	}
	text, err := p.Whole()
	if err != nil {
		return false, errors.New("expected true or false")
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || p.exact && n != 0 && n != 1 {
		return false, errors.New("expected true or false")
	}
	return n != 0, nil
}

// Number returns the text of a number, or of a string that should hold one. It
// does not check the digits.
func (p *Parser) Number() (string, error) {
	if p.Peek() == '"' {
		return p.Text()
	}
	start := p.pos
	for p.pos < len(p.data) && bytes.IndexByte([]byte("+-.0123456789eE"), p.data[p.pos]) >= 0 {
		p.pos++
	}
	if start == p.pos {
		return "", fmt.Errorf("expected a number")
	}
	return string(p.data[start:p.pos]), nil
}

// Scalar reads a string, or a number or boolean as its literal text, as the node
// does where it expects text.
func (p *Parser) Scalar() (string, error) {
	switch c := p.Peek(); {
	case c == '"':
		return p.Text()
	case p.Word("true"):
		return "true", nil
	case p.Word("false"):
		return "false", nil
	case c == '-' || c >= '0' && c <= '9':
		return p.Number()
	}
	return "", p.unexpected('"')
}

// Text reads a string.
func (p *Parser) Text() (string, error) {
	b, escaped, err := p.textBytes()
	text := string(b)
	if escaped {
		clear(b) // it may have been a password
	}
	return text, err
}

// escapedRoom holds a password or a key with escapes in it, which growing would copy.
const escapedRoom = 256

// textBytes reads a string; the bytes alias the input when nothing is escaped.
func (p *Parser) textBytes() (text []byte, escaped bool, err error) {
	if err := p.want('"'); err != nil {
		return nil, false, err
	}
	start := p.pos
	for ; p.pos < len(p.data); p.pos++ {
		switch p.data[p.pos] {
		case '"':
			p.pos++
			return p.data[start : p.pos-1], false, nil
		case '\\':
			text, err := p.escapedText(append(make([]byte, 0, min(len(p.data)-start, escapedRoom)), p.data[start:p.pos]...))
			return text, true, err
		}
	}
	return nil, false, ErrJSON
}

func (p *Parser) escapedText(out []byte) ([]byte, error) {
	for p.pos < len(p.data) {
		c := p.data[p.pos]
		p.pos++
		if c == '"' {
			return out, nil
		}
		if c != '\\' {
			out = append(out, c)
			continue
		}
		if p.pos == len(p.data) {
			break
		}
		if p.exact && beginsHalf(p.data[p.pos-1:]) {
			clear(out) // it may have been a password
			return nil, ErrHalfCharacter
		}
		out = p.unescape(out)
	}
	return nil, ErrJSON
}

// unescape reads what follows a backslash. A character that is no escape stands
// for itself, as in the reference's reader.
func (p *Parser) unescape(out []byte) []byte {
	c := p.data[p.pos]
	p.pos++
	switch c {
	case 't':
		return append(out, '\t')
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case 'a':
		return append(out, '\a')
	case 'u':
		r, n := decodeUnicodeEscape(p.data[p.pos-2:])
		p.pos += n - 2
		return utf8.AppendRune(out, r)
	}
	return append(out, c)
}

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
