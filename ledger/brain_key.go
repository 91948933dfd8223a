package ledger

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tyler-smith/go-bip39/wordlists"
)

// brainKeyWords is the number of words in a suggested brain key, out of a list of 2048: 176 random bits.
const brainKeyWords = 16

// NormalizeBrainKey returns the form of a brain key that keys are derived from: its words
// joined by one space, ASCII letters raised to upper case, all other bytes left as
// they are (docs/protocol/ledger.md 4.3). The key of an account's owner is DeriveKey(normalized, 0).
func NormalizeBrainKey(s string) string {
	words := strings.FieldsFunc(s, isBrainKeySpace)
	normalized := []byte(strings.Join(words, " "))
	defer clear(normalized)
	for i, c := range normalized {
		if 'a' <= c && c <= 'z' {
			normalized[i] = c - 'a' + 'A'
		}
	}
	return string(normalized)
}

func isBrainKeySpace(r rune) bool {
	switch r {
	case ' ', '\t', '\r', '\n', '\v', '\f':
		return true
	}
	return false
}

// IsBrainKeyWord reports whether a word, in any case, is on the list that brain keys are made from.
func IsBrainKeyWord(word string) bool {
	_, found := slices.BinarySearch(wordlists.English, strings.ToLower(word))
	return found
}

// SuggestBrainKey makes a new brain key in its normalized form. It fails only if the
// operating system provides no random bytes.
func SuggestBrainKey() (string, error) {
	list := wordlists.English
	size := big.NewInt(int64(len(list)))
	words := make([]string, brainKeyWords)
	for i := range words {
		at, err := rand.Int(rand.Reader, size)
		if err != nil {
			return "", fmt.Errorf("no brain key could be made: the operating system provides no random bytes: %w", err)
		}
		words[i] = list[at.Int64()]
	}
	return NormalizeBrainKey(strings.Join(words, " ")), nil
}
