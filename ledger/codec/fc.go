package codec

import (
	"bytes"
	"unicode/utf8"
)

// ToFC makes JSON readable for the node, whose reader does not decode \uXXXX:
// such escapes, and \b and \f, become the raw bytes they stand for
// (docs/protocol/ledger.md 2). JSON without them is returned as is.
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

// appendRawRune appends r raw, unless the node's reader needs it escaped.
func appendRawRune(b []byte, r rune) []byte {
	switch r {
	case '"', '\\', '\t', '\n', '\r':
		return appendEscape(b, byte(r))
	}
	return utf8.AppendRune(b, r)
}

// FromFC turns the node's JSON into standard JSON: control characters that its
// writer leaves raw inside strings, and its \a, become escapes. Text without
// them is returned as is.
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
		if c < 0x20 || c == '\\' && i+1 < len(data) && bytes.IndexByte([]byte(`tnr"\/bfu`), data[i+1]) < 0 {
			return true
		}
	}
	return false
}

// appendRepaired appends the standard form of c, which followed a backslash.
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
