package ledger

import (
	"strings"
	"unicode"
)

// How many characters a private key in wallet import format has: the plain form, and
// the compressed one.
const (
	wifLetters           = 51
	wifLettersCompressed = 52
)

// HoldsWIF reports whether a private key in wallet import format stands somewhere in the
// text: also with other characters glued to it, and broken by blanks, line ends,
// punctuation or characters that cannot be seen.
func HoldsWIF(text string) bool {
	if len(text) < wifLetters {
		return false
	}
	joined := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
	for i := range joined {
		if isWIF(joined[i:], '5', wifLetters) || isWIF(joined[i:], 'K', wifLettersCompressed) ||
			isWIF(joined[i:], 'L', wifLettersCompressed) {
			return true
		}
	}
	return false
}

// isWIF reports whether the first letters of the text are a private key that begins with first.
func isWIF(text string, first byte, letters int) bool {
	if len(text) < letters || text[0] != first || letters == wifLetters && (text[1] < 'H' || text[1] > 'K') {
		return false // 5 goes before H, J or K
	}
	key, err := ParseWIF(text[:letters])
	if err != nil {
		return false
	}
	key.Wipe()
	return true
}
