package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
)

var errJSON = errors.New("the text is not JSON")

// Unmarshal reads JSON into v, a pointer, by the reference's rules: an integer
// may be a number or a decimal string, unknown members are skipped, missing
// ones keep the type's default, of a repeated name the first counts, sets are
// put in order. A fraction or an exponent is never taken for an integer.
func Unmarshal(data []byte, v any) error {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return errors.New("ledger: Unmarshal needs a pointer")
	}
	p := parser{data: data}
	if err := codecOf(rv.Type().Elem()).parse(&p, rv.Elem()); err != nil {
		return err
	}
	return p.end()
}

// parser reads JSON from the front; unknown says that something was skipped
// that this program has no word for.
type parser struct {
	data    []byte
	pos     int
	depth   int
	unknown bool
}

func (p *parser) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek gives the next byte that is not white space, 0 at the end.
func (p *parser) peek() byte {
	p.space()
	if p.pos == len(p.data) {
		return 0
	}
	return p.data[p.pos]
}

func (p *parser) end() error {
	if p.peek() != 0 || p.pos != len(p.data) {
		return errJSON
	}
	return nil
}

func (p *parser) want(c byte) error {
	if p.peek() != c || p.pos == len(p.data) {
		return p.misfit(c)
	}
	p.pos++
	return nil
}

// misfit says what was expected and what stands there.
func (p *parser) misfit(want byte) error {
	names := map[byte]string{'{': "an object", '[': "a list", '"': "text", ':': `":"`}
	have := "the end"
	switch c := p.peek(); {
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
		return errJSON
	}
	return fmt.Errorf("expected %s, found %s", names[want], have)
}

func (p *parser) word(w string) bool {
	p.space()
	if !bytes.HasPrefix(p.data[p.pos:], []byte(w)) {
		return false
	}
	p.pos += len(w)
	return true
}

func (p *parser) null() bool { return p.word("null") }

// bool reads true, false, "true", "false" or a number, 0 meaning false.
func (p *parser) bool() (bool, error) {
	switch {
	case p.word("true"), p.word(`"true"`):
		return true, nil
	case p.word("false"), p.word(`"false"`):
		return false, nil
	}
	text, err := p.number()
	if err != nil {
		return false, errors.New("expected true or false")
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return false, errors.New("expected true or false")
	}
	return n != 0, nil
}

// number gives the digits of a number, or of a string that holds one.
func (p *parser) number() (string, error) {
	if p.peek() == '"' {
		return p.text()
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

// scalarText reads text, or the literal digits of a number or boolean as text,
// which is how the node reads a text member.
func (p *parser) scalarText() (string, error) {
	switch c := p.peek(); {
	case c == '"':
		return p.text()
	case p.word("true"):
		return "true", nil
	case p.word("false"):
		return "false", nil
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	return "", p.misfit('"')
}

func (p *parser) text() (string, error) {
	b, err := p.textBytes()
	return string(b), err
}

// textBytes reads a string; the bytes alias the input when nothing is escaped.
func (p *parser) textBytes() ([]byte, error) {
	if err := p.want('"'); err != nil {
		return nil, err
	}
	start := p.pos
	for ; p.pos < len(p.data); p.pos++ {
		switch p.data[p.pos] {
		case '"':
			p.pos++
			return p.data[start : p.pos-1], nil
		case '\\':
			return p.escapedText(append([]byte(nil), p.data[start:p.pos]...))
		}
	}
	return nil, errJSON
}

func (p *parser) escapedText(out []byte) ([]byte, error) {
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
		out = p.unescape(out)
	}
	return nil, errJSON
}

// unescape reads what follows a backslash. A character without a meaning of
// its own stands for itself, as in the reference's reader.
func (p *parser) unescape(out []byte) []byte {
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

func (p *parser) enter() error {
	if p.depth++; p.depth > maxDepth {
		return errDeep
	}
	return nil
}

// array calls item for each element; item must read it.
func (p *parser) array(item func() error) error {
	if err := p.want('['); err != nil {
		return err
	}
	if err := p.enter(); err != nil {
		return err
	}
	defer func() { p.depth-- }()
	for first := true; p.peek() != ']'; first = false {
		if !first {
			if err := p.separator(']'); err != nil {
				return err
			}
		}
		if err := item(); err != nil {
			return err
		}
	}
	p.pos++
	return nil
}

// separator reads the comma between two members; what follows must be another.
func (p *parser) separator(closing byte) error {
	if p.peek() != ',' {
		return errJSON
	}
	p.pos++
	if p.peek() == closing {
		return errJSON
	}
	return nil
}

// object calls member with each name; member must read the value.
func (p *parser) object(member func(name []byte) error) error {
	if err := p.want('{'); err != nil {
		return err
	}
	if err := p.enter(); err != nil {
		return err
	}
	defer func() { p.depth-- }()
	for first := true; p.peek() != '}'; first = false {
		if !first {
			if err := p.separator('}'); err != nil {
				return err
			}
		}
		name, err := p.textBytes()
		if err != nil {
			return err
		}
		if err := p.want(':'); err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
	p.pos++
	return nil
}

// tagged reads [number, value], the form of a choice of one.
func (p *parser) tagged(most uint64, value func(n uint64) error) error {
	part := 0
	err := p.array(func() error {
		part++
		switch part {
		case 1:
			text, err := p.number()
			if err != nil {
				return err
			}
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil || n > most {
				return fmt.Errorf("type number %s is not known", clip(text))
			}
			part = 1
			return p.afterTag(n, value)
		}
		return errors.New("a choice is [number, value]")
	})
	if err == nil && part == 0 {
		return errors.New("a choice is [number, value]")
	}
	return err
}

// afterTag reads the comma and the value, leaving only the closing bracket.
func (p *parser) afterTag(n uint64, value func(n uint64) error) error {
	if p.peek() != ',' {
		return errors.New("a choice is [number, value]")
	}
	p.pos++
	return value(n)
}

// raw gives the text of the next value, whatever it is, checked to be JSON.
func (p *parser) raw() (json.RawMessage, error) {
	p.space()
	start := p.pos
	if err := p.skip(); err != nil {
		return nil, err
	}
	return json.RawMessage(p.data[start:p.pos]), nil
}

// skip passes over the next value.
func (p *parser) skip() error {
	switch c := p.peek(); {
	case c == '{':
		return p.object(func([]byte) error { return p.skip() })
	case c == '[':
		return p.array(p.skip)
	case c == '"':
		_, err := p.textBytes()
		return err
	case p.word("true"), p.word("false"), p.word("null"):
		return nil
	case c == '-' || c >= '0' && c <= '9':
		_, err := p.number()
		return err
	}
	return errJSON
}
