package ledger

import (
	"bytes"
	"crypto/sha256"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"billfold/ledger/usertext"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/text/unicode/norm"
)

// Lengths of a private key in wallet import format, in characters: the plain form and
// the compressed one.
const (
	wifLength           = 51
	wifLengthCompressed = 52
)

// phraseWords is the number of words in a row that make a phrase.
const phraseWords = 12

// What SecretIn finds, as the noun of a sentence.
const (
	privateKeyHeld = "a private key"
	damagedKeyHeld = "what was a private key, with a character too many, some too few or one mistyped"
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
	return len(text) >= wifLength && holdsWIF(norm.NFKC.String(unescaped(text)))
}

// jsonEscape matches a character as JSON may have it.
var jsonEscape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\u[0-9a-fA-F]{4}`) })

// unescaped returns a text with the characters that JSON in it has escaped: who reads it sees those.
func unescaped(text string) string {
	if !strings.Contains(text, `\u`) {
		return text
	}
	return jsonEscape().ReplaceAllStringFunc(text, func(escape string) string {
		n, err := strconv.ParseUint(escape[2:], 16, 16)
		if err != nil {
			return escape
		}
		return string(rune(n))
	})
}

// SecretIn returns what a text holds that whoever reads it can spend with, in words such as "a private key"; "" if it holds nothing of the kind.
// It decides what people may send as a memo, and what is never repeated, shown or kept. The text is read as Unicode composes it (NFKC), in which
// wide letters are plain ones. It finds
//
//   - a private key in wallet import format, also if other characters adjoin it, or spaces, line ends, punctuation or invisible characters interrupt it, or JSON
//     has escaped some of it;
//   - a word that was such a key before up to three characters of it were lost, one was added or one was mistyped;
//   - twelve words in a row that brain keys and recovery phrases are made from. On the list of 2048, hardly twelve words of anything else follow each
//     other, in whatever form, and a checksum decides nothing: brain keys of that list have none, and so has a phrase of which a word is missing. On
//     the reference's list of 50,000 are most words of the language, but four of five are of no everyday use: of twelve drawn words hardly ever
//     more than six are, of what people write most. In capitals, as the reference writes a brain key, twelve such words are one, whatever they are.
//
// Public keys, addresses of other ledgers, hashes and sentences of a language are none of these.
func SecretIn(text string) string {
	if len(text) < 2*phraseWords-1 {
		return ""
	}
	text = norm.NFKC.String(unescaped(text))
	switch {
	case holdsWIF(text):
		return privateKeyHeld
	case holdsDamagedWIF(text):
		return damagedKeyHeld
	case holdsPhrase(text), strings.ContainsFunc(text, isFormat) && holdsPhrase(strings.Map(dropFormat, text)):
		return PhraseHeld
	}
	return ""
}

// isFormat reports whether a character shows nothing, as the soft hyphens and zero-width spaces that a page has within words, or between them.
func isFormat(r rune) bool { return unicode.Is(unicode.Cf, r) }

// dropFormat is a mapping that drops those.
func dropFormat(r rune) rune {
	if isFormat(r) {
		return -1
	}
	return r
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
	key, err := parseWIF(text)
	if err != nil {
		return false
	}
	key.Wipe()
	return true
}

// lettersAndDigits matches what a key is a part of, or the whole. A key of another program stands behind its prefix.
var lettersAndDigits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:PUB_[KR]1_)?[\pL\pN]+`) })

// maxLost is the maximum number of missing characters with which a private key is known by its form. With four,
// addresses of other ledgers are as long.
const maxLost = 3

// holdsDamagedWIF reports whether one of the words was a private key: it has the form of one, give or take some characters.
func holdsDamagedWIF(text string) bool {
	if !hasWordOf(text, wifLength-maxLost-1) { // most texts: the words of a text take long to be found
		return false
	}
	return slices.ContainsFunc(lettersAndDigits().FindAllString(text, -1), isDamagedWIF) || slices.ContainsFunc(usertext.Words(text), func(word string) bool {
		// A sign was typed in place of a letter, or among the letters.
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		at := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if at < 0 || len(word) > 2*wifLength {
			return false
		}
		_, size := utf8.DecodeRuneInString(word[at:])
		return isDamagedWIF(word[:at] + word[at+size:])
	})
}

// isDamagedWIF reports whether a word was a private key before up to three characters of it were lost, one was added or one was mistyped.
func isDamagedWIF(word string) bool {
	switch {
	case len(word) < wifLength-maxLost || len(word) > wifLengthCompressed+1:
		return false
	case strings.IndexByte("5KL", word[0]) < 0: // what is wrong may be its beginning
		return isWIFWithoutStart(word)
	}
	strange := 0 // characters that no key has, of which one may be mistyped
	for _, r := range word {
		if r > unicode.MaxASCII || base58Digit(byte(r)) >= 58 {
			strange++
		}
	}
	return strange <= 1 && strings.ContainsFunc(word, unicode.IsUpper) && strings.ContainsFunc(word, unicode.IsLower) &&
		strings.ContainsFunc(word[1:], unicode.IsDigit) && !isOtherBase58(word)
}

// isWIFWithoutStart reports whether a word is a private key that lost its first characters, or whose first is mistyped.
func isWIFWithoutStart(word string) bool {
	_, first := utf8.DecodeRuneInString(word)
	for _, rest := range []string{word, word[first:]} {
		if isPrivateKey("5"+rest) || isPrivateKey("K"+rest) || isPrivateKey("L"+rest) {
			return true
		}
	}
	for _, second := range base58Alphabet {
		if isPrivateKey("K"+string(second)+word) || isPrivateKey("L"+string(second)+word) {
			return true
		}
		for _, start := range []string{"5H", "5J", "5K"} {
			if isPrivateKey(start+word) || isPrivateKey(start+string(second)+word) {
				return true
			}
		}
	}
	return false
}

// isOtherBase58 reports whether a word is, by its checksum, something else than a private key in the same characters: a public key of any ledger of
// this family, an address or key of Bitcoin's form, or an address of Substrate's.
func isOtherBase58(word string) bool {
	if _, err := ParsePublicKey(publicKeyPrefix + word); err == nil { // of another ledger, or without its prefix
		return true
	}
	data, ok := decodeBase58(word)
	if !ok || len(data) < wifChecksum+1 {
		return false
	}
	body := data[:len(data)-wifChecksum]
	once := sha256.Sum256(body)
	if twice := sha256.Sum256(once[:]); bytes.Equal(twice[:wifChecksum], data[len(body):]) {
		return true
	}
	const substrateChecksum = 2
	body = data[:len(data)-substrateChecksum]
	sum := blake2b.Sum512(append([]byte("SS58PRE"), body...))
	return bytes.Equal(sum[:substrateChecksum], data[len(body):])
}

// hasWordOf reports whether n bytes follow each other without a blank.
func hasWordOf(text string, n int) bool {
	length := 0
	for _, r := range text {
		if length += utf8.RuneLen(r); usertext.IsBlank(r) {
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
	if inARow(usertext.Words(text), isCapitals, phraseWords) {
		return true
	}
	text = strings.ToLower(text)
	if inARow(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }), isEnglishWord, phraseWords) {
		return true
	}
	return inARow(usertext.Words(text), func(word string) bool {
		return len(word) > 2 && !strings.Contains(functionWords, " "+word+" ") && IsBrainKeyWord(word)
	}, phraseWords/2)
}

// isCapitals reports whether a word can be one of a brain key as the reference writes it, whichever list it is from.
func isCapitals(word string) bool {
	return len(word) > 2 && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && !strings.Contains(functionWords, " "+strings.ToLower(word)+" ")
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
