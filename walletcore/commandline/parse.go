package commandline

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"billfold/ledger/codec"
	"billfold/ledger/usertext"
)

// maxNested is the maximum nesting depth of lists and objects.
const maxNested = 64

// Command is one line: an operation and its parameters, each as JSON.
type Command struct {
	Method string
	Params []json.RawMessage
}

// SyntaxError describes a line that cannot be read. It never repeats the line's contents, which might be secret.
type SyntaxError struct {
	Column int // in characters, from 1
	What   string
}

// Error returns the sentence.
func (e *SyntaxError) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.What) }

// IsEmpty reports whether a line does nothing: it is blank or a comment (#). A comment in which a line ends is none: what follows may be
// an operation.
func IsEmpty(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' && lineEnd(line) < 0
}

// lineEnd returns where a line end, another control character or a byte order mark is within text that was taken for one line, -1 if there
// is none. Some programs end a line there, or a text, or begin the next.
func lineEnd(text string) int {
	return strings.IndexFunc(text, func(r rune) bool {
		return r != '\t' && unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff'
	})
}

// Parse reads a line. Every error is a *SyntaxError.
func Parse(line string) (Command, error) {
	line = strings.TrimRightFunc(line, unicode.IsSpace)
	s := &scanner{text: line}
	if at := lineEnd(line); at >= 0 {
		return Command{}, s.fault(at, `a line ends here, or a control character; put each operation on a line of its own, and write one in a text as \n or \u0007 between double quotes`)
	}
	for at := range line {
		if r, size := utf8.DecodeRuneInString(line[at:]); r == utf8.RuneError && size == 1 {
			return Command{}, s.fault(at, "this is not text in UTF-8")
		}
	}
	var values []json.RawMessage
	for s.skipBlanks(); s.at < len(s.text); s.skipBlanks() {
		value, err := s.value(0)
		if err != nil {
			return Command{}, err
		}
		if s.at < len(s.text) && !s.atBlank() {
			return Command{}, s.fault(s.at, "a blank is missing between two values")
		}
		values = append(values, value)
	}
	var c Command
	if len(values) == 0 || json.Unmarshal(values[0], &c.Method) != nil || values[0][0] != '"' {
		return c, s.fault(0, "a line begins with the name of an operation")
	}
	c.Params = values[1:]
	return c, nil
}

// scanner walks through a line.
type scanner struct {
	text string
	at   int // in bytes
}

func (s *scanner) fault(at int, what string) error {
	return &SyntaxError{Column: utf8.RuneCountInString(s.text[:at]) + 1, What: what}
}

func (s *scanner) atBlank() bool {
	r, _ := utf8.DecodeRuneInString(s.text[s.at:])
	return unicode.IsSpace(r)
}

func (s *scanner) skipBlanks() {
	s.at = len(s.text) - len(strings.TrimLeftFunc(s.text[s.at:], unicode.IsSpace))
}

// next returns the current byte, 0 at the end.
func (s *scanner) next() byte {
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// value reads one value as JSON.
func (s *scanner) value(depth int) (json.RawMessage, error) {
	if depth > maxNested {
		return nil, s.fault(s.at, "lists and objects are nested too deeply")
	}
	switch s.next() {
	case '"':
		return s.quoted()
	case '\'':
		return s.verbatim()
	case '[':
		return s.list('[', ']', depth, s.value)
	case '{':
		return s.list('{', '}', depth, s.member)
	}
	return s.word(depth)
}

// quoted reads text between double quotes.
func (s *scanner) quoted() (json.RawMessage, error) {
	start := s.at
	for i := start + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '"':
			s.at = i + 1
			if codec.HasHalfCharacter([]byte(s.text[start:s.at])) {
				return nil, s.fault(start, codec.ErrHalfCharacter.Error())
			}
			var text string
			if tab := strings.IndexByte(s.text[start:s.at], '\t'); tab >= 0 {
				return nil, s.fault(start+tab, `a tab in a text is written as \t between double quotes; it may stand as it is between single quotes`)
			}
			if json.Unmarshal([]byte(s.text[start:s.at]), &text) != nil {
				return nil, s.fault(start, `this text is not written as JSON; write \\ for a backslash, or put it between single quotes`)
			}
			return textValue(text), nil
		}
	}
	return nil, s.fault(start, "this quote is not closed")
}

// verbatim reads text between single quotes, in which no character is special.
func (s *scanner) verbatim() (json.RawMessage, error) {
	end := strings.IndexByte(s.text[s.at+1:], '\'')
	if end < 0 {
		return nil, s.fault(s.at, "this quote is not closed")
	}
	text := s.text[s.at+1 : s.at+1+end]
	s.at += end + 2
	return textValue(text), nil
}

// list reads a JSON list or object: items between brackets.
func (s *scanner) list(opening, closing byte, depth int, item func(depth int) (json.RawMessage, error)) (json.RawMessage, error) {
	start := s.at
	s.at++
	out := json.RawMessage{opening}
	for s.skipBlanks(); s.next() != closing; s.skipBlanks() {
		if len(out) > 1 {
			if s.next() != ',' {
				return nil, s.unclosed(start, "a comma is missing before this")
			}
			s.at++
			s.skipBlanks()
			out = append(out, ',')
		}
		if s.next() == 0 {
			return nil, s.unclosed(start, "")
		}
		value, err := item(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, value...)
	}
	s.at++
	return append(out, closing), nil
}

// unclosed returns the error for a list that started at start.
func (s *scanner) unclosed(start int, what string) error {
	if s.next() == 0 {
		return s.fault(start, "this bracket is not closed")
	}
	return s.fault(s.at, what)
}

// member reads a name with its value.
func (s *scanner) member(depth int) (json.RawMessage, error) {
	at := s.at
	name, err := s.value(depth)
	if err != nil {
		return nil, err
	}
	if name[0] != '"' {
		return nil, s.fault(at, "the name of a member is text")
	}
	s.skipBlanks()
	if s.next() != ':' {
		return nil, s.fault(s.at, "a colon and a value are missing after the name")
	}
	s.at++
	s.skipBlanks()
	value, err := s.value(depth)
	return append(append(name, ':'), value...), err
}

// word reads a bare word. Inside brackets it ends at JSON's own punctuation.
func (s *scanner) word(depth int) (json.RawMessage, error) {
	start := s.at
	ends := `"'[]{}`
	if depth > 0 {
		ends += ",:"
	}
	for s.at < len(s.text) && !s.atBlank() && !strings.ContainsRune(ends, rune(s.text[s.at])) {
		_, size := utf8.DecodeRuneInString(s.text[s.at:])
		s.at += size
	}
	word := s.text[start:s.at]
	switch sign := usertext.DashInFront(word); {
	case word == "":
		return nil, s.fault(start, "a value is missing here")
	case sign != "":
		return nil, s.fault(start, "this word has "+sign+`; a line takes no options, and a text that begins with it stands between double quotes`)
	case strings.HasPrefix(word, "--"):
		return nil, s.fault(start, `a line takes no options, and a text that begins with -- stands between double quotes`)
	case usertext.QuoteAround(word) != "":
		return nil, s.fault(start, "this word has "+usertext.QuoteAround(word)+`; write " as on a keyboard`)
	}
	return wordValue(s.text[start:s.at], depth > 0), nil
}

// wordValue returns a bare word as JSON. Inside brackets a whole number may be written with a point or an exponent, too;
// elsewhere what is expected decides, see Number.
func wordValue(word string, inside bool) json.RawMessage {
	switch {
	case inside && isWhole(word):
		return json.RawMessage(word)
	case word == "true" || word == "false" || word == "null":
		return json.RawMessage(word)
	case integer().MatchString(word):
		return json.RawMessage(word)
	}
	return textValue(word)
}

// Number reads text that is a number with a base prefix, or with a point or an exponent as JSON allows, and returns it as
// JSON.
func Number(value json.RawMessage) (number json.RawMessage, ok bool) {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return nil, false
	}
	if decimal().MatchString(text) {
		return json.RawMessage(text), true
	}
	if !based().MatchString(text) {
		return nil, false
	}
	n, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return nil, false
	}
	return json.RawMessage(n.String()), true
}

// isWhole reports whether a word is a whole number with a point or an exponent as JSON writes it.
func isWhole(word string) bool {
	if !decimal().MatchString(word) {
		return false
	}
	_, err := codec.WholeNumber(word)
	return err == nil
}

// The patterns are compiled on first use: compiling took a sixth of the program's time before its first line.
var (
	// integer is an integer as JSON writes it.
	integer = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?(0|[1-9][0-9]{0,38})$`) })
	// decimal is a number with a point or an exponent as JSON writes it.
	decimal = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^-?(0|[1-9][0-9]{0,38})(\.[0-9]{1,39}([eE][+-]?[0-9]{1,9})?|[eE][+-]?[0-9]{1,9})$`)
	})
	// based is an integer with a base prefix.
	based = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^0(x[0-9A-Fa-f]{1,32}|b[01]{1,128}|o[0-7]{1,42})$`) })
)

// textValue returns text as JSON.
func textValue(text string) json.RawMessage {
	out, err := json.Marshal(text)
	if err != nil {
		return json.RawMessage(strconv.Quote(text))
	}
	return out
}
