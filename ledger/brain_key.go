package ledger

import (
	"crypto/rand"
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/big"
	"slices"
	"strings"
	"sync"

	"billfold/ledger/usertext"
)

// brainKeyWords is the number of words in a suggested brain key, out of a list of 2048: 176 random bits.
const brainKeyWords = 16

// BrainKeyWords returns the words of a brain key. Whoever counts words counts these: keys are derived from the same.
func BrainKeyWords(s string) []string { return usertext.Words(s) }

// NormalizeBrainKey returns the form of a brain key that keys are derived from: its words
// joined by one space, ASCII letters raised to upper case, all other bytes left as
// they are (docs/protocol/ledger.md 4.3). The key of an account's owner is DeriveKey(normalized, 0). A no-break space is a letter here, as it
// is to the reference; where a person typed the words, PlainBrainKey takes it for a blank.
func NormalizeBrainKey(s string) string { return raiseBrainKey(strings.FieldsFunc(s, isBrainKeySpace)) }

// PlainBrainKey is NormalizeBrainKey of the words as BrainKeyWords counts them: written down and typed again, they yield the same keys.
func PlainBrainKey(s string) string { return raiseBrainKey(BrainKeyWords(s)) }

// BrainKeyProblem returns why a new brain key would yield other keys to somebody who types it again from paper, "" if nothing is wrong with it:
// see usertext.Problem. Which blanks of ASCII stand between its words, and how many, is all the same.
func BrainKeyProblem(s string) string {
	for i, word := range strings.FieldsFunc(s, isBrainKeySpace) {
		if why := usertext.Problem(fmt.Sprintf("word %d of the brain key", i+1), word); why != "" {
			return why
		}
	}
	return ""
}

// BrainKeyForms returns every form of a brain key that programs of this ledger derive keys from, the PlainBrainKey one first: raised to upper
// case, by ASCII's rules or by those of Unicode, as it is written, in lower case as it was made, and with blanks that the reference takes
// for letters.
func BrainKeyForms(s string) (forms []string) {
	written := strings.Join(BrainKeyWords(s), " ")
	for _, form := range []string{PlainBrainKey(s), written, strings.ToLower(written), strings.ToUpper(written),
		NormalizeBrainKey(s)} {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// raiseBrainKey joins words by one space, ASCII letters raised to upper case.
func raiseBrainKey(words []string) string {
	normalized := []byte(strings.Join(words, " "))
	defer clear(normalized)
	for i, c := range normalized {
		if 'a' <= c && c <= 'z' {
			normalized[i] = c - 'a' + 'A'
		}
	}
	return string(normalized)
}

// isBrainKeySpace reports whether the reference separates words there.
func isBrainKeySpace(r rune) bool {
	switch r {
	case ' ', '\t', '\r', '\n', '\v', '\f':
		return true
	}
	return false
}

// referenceWords are the FNV-1a hashes (32 bits) of the words that the reference makes brain keys from, some 50,000: in ascending order,
// each as the distance to the one before it, in base 128. Any other word is taken for one of them in one of 86,000 cases.
//
//go:embed reference_words.bin
var referenceWords []byte

var referenceHashes = sync.OnceValue(func() (hashes []uint32) {
	last := uint64(0)
	for rest := referenceWords; len(rest) > 0; {
		distance, n := binary.Uvarint(rest)
		last, rest = last+distance, rest[n:]
		hashes = append(hashes, uint32(last))
	}
	return hashes
})

// everydayWords has a bit for each of referenceHashes, from the lowest bit of the first byte on: whether the word is in everyday use, which one in
// five is. TestEverydayWords makes it, from the lists by which passwords are judged.
//
//go:embed everyday_words.bin
var everydayWords []byte

// englishWords are the 2048 words of BIP 39, in order, each with a line feed.
//
//go:embed english_words.txt
var englishWords string

var englishList = sync.OnceValue(func() []string { return strings.Fields(englishWords) })

// IsBrainKeyWord reports whether a word, in any case, is on one of the lists that brain keys of this ledger are made from: ours of 2048
// words, or the reference's.
func IsBrainKeyWord(word string) bool {
	word = strings.ToLower(word)
	_, found := referencePlace(word)
	return found || isEnglishWord(word)
}

// isEnglishWord reports whether a word in lower case is on our list.
func isEnglishWord(word string) bool {
	_, found := slices.BinarySearch(englishList(), word)
	return found
}

// referencePlace returns the place of a word in lower case among referenceHashes, and whether it is one of them.
func referencePlace(word string) (at int, found bool) {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(word)) // never fails
	return slices.BinarySearch(referenceHashes(), hash.Sum32())
}

// isEverydayWord reports whether a word in lower case is of those of our lists that people use every day.
func isEverydayWord(word string) bool {
	at, found := referencePlace(word)
	return found && everydayWords[at/8]&(1<<(at%8)) != 0 || isEnglishWord(word)
}

// SuggestBrainKey makes a new brain key in its normalized form. It fails only if the
// operating system provides no random bytes.
func SuggestBrainKey() (string, error) {
	list := englishList()
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
