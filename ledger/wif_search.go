package ledger

import (
	"strings"
	"unicode"
)

// Lengths of a private key in wallet import format, in characters: the plain form and
// the compressed one.
const (
	wifLength           = 51
	wifLengthCompressed = 52
)

// HoldsWIF reports whether the text contains a private key in wallet import format, even
// if other characters adjoin it, or if spaces, line ends, punctuation or invisible
// characters interrupt it.
func HoldsWIF(text string) bool {
	if len(text) < wifLength {
		return false
	}
	joined := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
	for i := range joined {
		if isWIF(joined[i:], '5', wifLength) || isWIF(joined[i:], 'K', wifLengthCompressed) ||
			isWIF(joined[i:], 'L', wifLengthCompressed) {
			return true
		}
	}
	return false
}

// isWIF reports whether the text begins with a private key of the given length that begins with first.
func isWIF(text string, first byte, length int) bool {
	if len(text) < length || text[0] != first || length == wifLength && (text[1] < 'H' || text[1] > 'K') {
		return false // 5 is followed by H, J or K
	}
	key, err := ParseWIF(text[:length])
	if err != nil {
		return false
	}
	key.Wipe()
	return true
}
