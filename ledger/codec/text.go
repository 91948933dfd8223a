package codec

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"billfold/ledger/printable"
)

// maxJSONNumber is the highest value written as a number; a higher one is a decimal string (docs/protocol/ledger.md 2).
const maxJSONNumber = 1<<32 - 1

// AppendInt appends v as the node does: as a string if it is above 4294967295,
// otherwise, and always if negative, as a number.
func AppendInt(b []byte, v int64) []byte {
	if v < 0 {
		return strconv.AppendInt(b, v, 10)
	}
	return AppendUint(b, uint64(v))
}

// AppendUint appends v as a number, or as a string if it does not fit 32 bits.
func AppendUint(b []byte, v uint64) []byte {
	if v <= maxJSONNumber {
		return strconv.AppendUint(b, v, 10)
	}
	b = strconv.AppendUint(append(b, '"'), v, 10)
	return append(b, '"')
}

// AppendString appends s as a JSON string.
func AppendString(b []byte, s string) []byte {
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

// AppendHex appends data as a JSON string of lower-case hex.
func AppendHex(b, data []byte) []byte {
	b = append(b, '"')
	b = hex.AppendEncode(b, data)
	return append(b, '"')
}

// ParseHex decodes text into dst, which it must fill exactly; what names the value in the error.
func ParseHex(dst []byte, text, what string) error {
	if len(text) != 2*len(dst) {
		return fmt.Errorf("%q is not a %s: expected %d hex digits", printable.Clip(text), what, 2*len(dst))
	}
	if _, err := hex.Decode(dst, []byte(text)); err != nil {
		return fmt.Errorf("%q is not a %s: expected %d hex digits", printable.Clip(text), what, 2*len(dst))
	}
	return nil
}

// decodeUnicodeEscape reads \uXXXX, and a low surrogate that follows, at the start
// of data; n is the number of bytes read. A malformed escape is U+FFFD.
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

// ErrHalfCharacter is the error for an escape that is only one half of a character, such as \ud83d alone. Readers
// disagree on what it stands for, so it is refused rather than replaced.
var ErrHalfCharacter = errors.New(`a text holds half a character, an escape such as \ud83d without its other half`)

// HasHalfCharacter reports whether an escape in JSON is only one half of a character.
func HasHalfCharacter(text []byte) bool {
	if !bytes.Contains(text, []byte(`\u`)) {
		return false
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if beginsHalf(text[i:]) {
			return true
		}
		_, n := decodeUnicodeEscape(text[i:]) // of another escape, its first two bytes
		i += n - 1
	}
	return false
}

// beginsHalf reports whether the escape at the start of data is only one half of a character.
func beginsHalf(data []byte) bool {
	r, ok := hex4(data)
	_, n := decodeUnicodeEscape(data)
	return ok && r >= 0xd800 && r <= 0xdfff && n == 6
}

func hex4(data []byte) (rune, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(data[2:6]), 16, 32)
	return rune(v), err == nil
}
