package ledger

import (
	"bytes"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Marshal writes v as JSON by the reference's rules: integers above 4294967295
// as decimal strings, hashes and bytes as hex, sets in order, optional members
// left out when not set. Text is raw UTF-8; only what JSON forbids is escaped.
// v may be any struct, slice, map with text keys, basic value or json.Marshaler.
func Marshal(v any) ([]byte, error) { return AppendJSON(nil, v) }

// AppendJSON appends what Marshal gives to b.
func AppendJSON(b []byte, v any) ([]byte, error) {
	if v == nil {
		return append(b, "null"...), nil
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	return appendAny(b, rv)
}

// appendString writes s as a JSON string.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c != 0x7f {
			continue
		}
		b = append(b, s[start:i]...)
		b = appendEscape(b, c)
		start = i + 1
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\t':
		return append(b, '\\', 't')
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	}
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}

// ToFC makes JSON readable for the node, whose reader does not decode \uXXXX:
// such escapes, and \b \f \/, become the raw bytes they stand for
// (protocol/ledger.md 2). JSON without them is returned as it is.
func ToFC(data []byte) []byte {
	if !bytes.Contains(data, []byte(`\u`)) && !bytes.Contains(data, []byte(`\b`)) && !bytes.Contains(data, []byte(`\f`)) {
		return data
	}
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' || i+1 == len(data) {
			out = append(out, data[i])
			continue
		}
		switch next := data[i+1]; next {
		case 'u':
			r, n := decodeUnicodeEscape(data[i:])
			out = appendRawRune(out, r)
			i += n - 1
		case 'b', 'f':
			out = append(out, map[byte]byte{'b': '\b', 'f': '\f'}[next])
			i++
		default:
			out = append(out, '\\', next)
			i++
		}
	}
	return out
}

// appendRawRune writes r raw, but for what the node's reader needs escaped.
func appendRawRune(b []byte, r rune) []byte {
	switch r {
	case '"', '\\', '\t', '\n', '\r':
		return appendEscape(b, byte(r))
	}
	return utf8.AppendRune(b, r)
}

// FromFC makes the node's JSON standard JSON: control characters that its
// writer leaves raw inside strings, and its \a, become \u00XX. Text without
// them is returned as it is.
func FromFC(data []byte) []byte {
	if !needsRepair(data) {
		return data
	}
	out := make([]byte, 0, len(data)+16)
	inside := false
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case !inside:
			inside = c == '"'
			out = append(out, c)
		case c == '\\' && i+1 < len(data):
			i++
			out = appendRepaired(out, data[i])
		case c < 0x20:
			out = appendEscape(out, c)
		default:
			inside = c != '"'
			out = append(out, c)
		}
	}
	return out
}

func needsRepair(data []byte) bool {
	for i, c := range data {
		if c < 0x20 && c != '\n' && c != '\r' && c != '\t' {
			return true
		}
		if c == '\\' && i+1 < len(data) && bytes.IndexByte([]byte(`tnr"\/bfu`), data[i+1]) < 0 {
			return true
		}
		if c == '\n' || c == '\t' || c == '\r' {
			return true
		}
	}
	return false
}

// appendRepaired writes the escape of c, which followed a backslash.
func appendRepaired(b []byte, c byte) []byte {
	switch c {
	case 't', 'n', 'r', '"', '\\', '/', 'b', 'f', 'u':
		return append(b, '\\', c)
	case 'a':
		return appendEscape(b, 7)
	}
	if c < 0x20 {
		return appendEscape(b, c)
	}
	return append(b, c)
}

// decodeUnicodeEscape reads \uXXXX (and a following low surrogate) at the start
// of data; n is how many bytes it took. Nonsense gives U+FFFD.
func decodeUnicodeEscape(data []byte) (r rune, n int) {
	r, ok := hex4(data)
	if !ok {
		return utf8.RuneError, min(len(data), 2)
	}
	if r < 0xd800 || r > 0xdfff {
		return r, 6
	}
	low, ok := hex4(data[6:])
	if r > 0xdbff || !ok || low < 0xdc00 || low > 0xdfff {
		return utf8.RuneError, 6
	}
	return (r-0xd800)<<10 + (low - 0xdc00) + 0x10000, 12
}

func hex4(data []byte) (rune, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(data[2:6]), 16, 32)
	return rune(v), err == nil
}
