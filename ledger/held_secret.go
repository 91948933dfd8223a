package ledger

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"billfold/ledger/usertext"

	"golang.org/x/text/unicode/norm"
)

// Lengths of a private key in wallet import format, in characters: the plain form and
// the compressed one.
const (
	wifLength           = 51
	wifLengthCompressed = 52
)

// phraseWords is how many words in a row make a phrase.
const phraseWords = 12

// What SecretIn finds, as the noun of a sentence.
const (
	privateKeyHeld = "a private key"
	damagedKeyHeld = "what was a private key, with a character too many, too few or mistyped"
	PhraseHeld     = "a recovery phrase or brain key"
)

// HoldsWIF reports whether a text that may be a phrase holds a private key instead: see SecretIn.
func HoldsWIF(text string) bool {
	held := SecretIn(text)
	return held == privateKeyHeld || held == damagedKeyHeld
}

// HoldsPrivateKey reports whether a text holds a private key as it is, which nobody means to send: see SecretIn, which also finds what looks like
// one and takes ten times as long.
func HoldsPrivateKey(text string) bool {
	return len(text) >= wifLength && holdsWIF(norm.NFKC.String(text))
}

// SecretIn returns what a text holds that whoever reads it can spend with, in words such as "a private key"; "" if it holds nothing of the kind.
// It decides what people may send as a memo, and what is never repeated, shown or kept. The text is read as Unicode composes it (NFKC), in which
// wide letters are plain ones. It finds
//
//   - a private key in wallet import format, also if other characters adjoin it, or spaces, line ends, punctuation or invisible characters interrupt it;
//   - a word that was such a key before a character of it was lost, added or mistyped;
//   - twelve words in a row that brain keys and recovery phrases are made from. On the list of 2048, hardly twelve words of anything else follow each
//     other, in whatever form, and a checksum decides nothing: brain keys of that list have none, and so has a phrase of which a word is missing. On
//     the reference's list of 50,000 are most words of the language, but four of five are of no everyday use: of twelve drawn words hardly ever
//     more than six are, of what people write most.
//
// Public keys, addresses of other ledgers, hashes and sentences of a language are none of these.
func SecretIn(text string) string {
	if len(text) < 2*phraseWords-1 {
		return ""
	}
	text = norm.NFKC.String(text)
	switch {
	case holdsWIF(text):
		return privateKeyHeld
	case holdsDamagedWIF(text):
		return damagedKeyHeld
	case holdsPhrase(text):
		return PhraseHeld
	}
	return ""
}

func holdsWIF(text string) bool {
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
	return isPrivateKey(text[:length])
}

func isPrivateKey(text string) bool {
	key, err := ParseWIF(text)
	if err != nil {
		return false
	}
	key.Wipe()
	return true
}

// lettersAndDigits matches what a key is a part of, or the whole. A key of another program stands behind its prefix.
var lettersAndDigits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:PUB_[KR]1_)?[\pL\pN]+`) })

// holdsDamagedWIF reports whether one of the words has the form of a private key, give or take a character.
func holdsDamagedWIF(text string) bool {
	if !hasWordOf(text, wifLength-1) { // most texts: the words of a text take long to be found
		return false
	}
	return slices.ContainsFunc(lettersAndDigits().FindAllString(text, -1), func(word string) bool {
		switch {
		case len(word) < wifLength-1 || len(word) > wifLengthCompressed+1:
			return false
		case strings.IndexByte("5KL", word[0]) < 0: // the first character may be the lost one
			return isPrivateKey("5"+word) || isPrivateKey("K"+word) || isPrivateKey("L"+word)
		case strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII }):
			return false
		}
		_, err := ParsePublicKey(publicKeyPrefix + word) // of another ledger, or without its prefix
		return err != nil && strings.ContainsFunc(word, unicode.IsUpper) && strings.ContainsFunc(word, unicode.IsLower) &&
			strings.ContainsFunc(word[1:], unicode.IsDigit)
	})
}

// hasWordOf reports whether n letters and digits follow each other, in bytes.
func hasWordOf(text string, n int) bool {
	length := 0
	for _, r := range text {
		if length += utf8.RuneLen(r); !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsNumber(r) {
			length = 0
		}
		if length >= n {
			return true
		}
	}
	return false
}

// functionWords are words that are on the reference's list, and without which hardly twelve words of a sentence follow each other, as are
// words of two letters. Of the words of a random phrase they are one in a thousand.
const functionWords = " the this that for from with and but not are was were been you she they your his her our their its him them does did have had " +
	"will would can could should all please thank thanks "

// holdsPhrase reports whether words of a list follow each other as in a phrase: of ours whatever separates them, of the reference's blanks alone,
// and no more than half of them words of every day.
func holdsPhrase(text string) bool {
	text = strings.ToLower(text)
	if inARow(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }), isEnglishWord, phraseWords) {
		return true
	}
	return inARow(usertext.Words(text), func(word string) bool {
		return len(word) > 2 && !strings.Contains(functionWords, " "+word+" ") && IsBrainKeyWord(word)
	}, phraseWords/2)
}

// inARow reports whether phraseWords words in a row are such ones, and at most so many of them words of every day.
func inARow(words []string, are func(string) bool, everyday int) bool {
	row := 0
	for i, word := range words {
		if row++; !are(word) {
			row = 0
		}
		if row < phraseWords {
			continue
		}
		often := 0
		for _, word := range words[i+1-phraseWords : i+1] {
			if isEverydayWord(word) {
				often++
			}
		}
		if often <= everyday {
			return true
		}
	}
	return false
}
