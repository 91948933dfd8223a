// Package strength estimates how many guesses a new password resists, in the order in which guessers try them: first
// words and passwords that many people use, names, rows of keys, dates, repetitions, and mixtures of them; then letters.
//
//	"Horse2026!"  ─► horse · 2026 · !  ─► rank × years × signs ─► guesses ─► time
//
// It is an estimate, and a low one where a text can be read in two ways. The word lists are those of zxcvbn (lists/LICENSE); phrases.txt
// has sayings and lines of films, songs and books that guessers try as a whole. They are
// read when an Estimator is made, which takes some milliseconds and megabytes, so one is made when it is needed and
// dropped afterwards; one made soon after reuses the lists of the last. Nothing of a password is kept.
package strength

import (
	"embed"
	"math"
	"strings"
	"sync"
	"unicode"
	"weak"
)

//go:embed lists/*.txt
var files embed.FS

// most is the maximum number of letters that are checked; a longer password is at least as strong as its beginning.
const most = 64

// wordCount is roughly how many words the lists have.
const wordCount = 86_000

// words are in lower case, with their ranks: rank 1 is guessed first.
type words map[string]int

// Estimator knows the words that are guessed first.
type Estimator struct {
	listed *words // shared, and never modified
	known  words  // those of this wallet

	signs, others *strings.Replacer // signs that stand for letters
}

// New reads the word lists. known are further words that a guesser would try for this wallet, such as the names of its accounts.
func New(known ...string) *Estimator {
	e := &Estimator{listed: listed(), known: words{}, others: strings.NewReplacer("1", "l", "0", "o", "3", "e", "$", "s"),
		signs: strings.NewReplacer("4", "a", "@", "a", "8", "b", "(", "c", "3", "e", "6", "g", "9", "g", "1", "i", "!", "i", "0", "o",
			"$", "s", "5", "s", "7", "t", "+", "t", "2", "z")}
	for i, word := range append(known, "billfold", "wallet", "decent", "dcore") {
		e.known.add(strings.ToLower(word), i+1)
	}
	return e
}

// rank returns the place of a word among those that are guessed first.
func (e *Estimator) rank(word string) (place int, known bool) {
	place, known = (*e.listed)[word]
	if own, also := e.known[word]; also && (!known || own < place) {
		return own, true
	}
	return place, known
}

// last holds the lists that were read last, until the garbage collector takes them.
var last struct {
	sync.Mutex
	words weak.Pointer[words]
}

// listed returns the words of all lists.
func listed() *words {
	last.Lock()
	defer last.Unlock()
	if w := last.words.Value(); w != nil {
		return w
	}
	w := make(words, wordCount)
	for _, list := range lists() {
		w.read(list)
	}
	last.words = weak.Make(&w)
	return &w
}

func lists() []string {
	return []string{"passwords", "english", "male_names", "female_names", "surnames"}
}

// read adds the words of a list, a line each, the one that is guessed first at the top.
func (w words) read(name string) {
	text, err := files.ReadFile("lists/" + name + ".txt")
	if err != nil {
		return // a missing list makes the estimate higher, not wrong; a test reads all
	}
	rank := 0
	for word := range strings.FieldsSeq(string(text)) {
		rank++
		w.add(word, rank)
	}
}

func (w words) add(word string, rank int) {
	if was, known := w[word]; len(word) > 2 && (!known || rank < was) {
		w[word] = rank
	}
}

// phraseGuesses returns the guesses for a phrase that is known as a whole, however it is written, and what stands around it, as a power of
// ten; false if the letters are of none.
func phraseGuesses(text string) (cost float64, known bool) {
	var letters strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsLetter(r):
			letters.WriteRune(unicode.ToLower(r))
		case unicode.IsDigit(r):
			cost += math.Log10(letterGuesses(r))
		}
	}
	list, err := files.ReadFile("lists/phrases.txt")
	if err != nil {
		return 0, false
	}
	rank := 0
	for phrase := range strings.Lines(string(list)) {
		rank++
		if strings.ReplaceAll(strings.TrimSuffix(phrase, "\n"), " ", "") == letters.String() {
			return cost + math.Log10(float64(rank)), true
		}
	}
	return 0, false
}

// Guesses returns how many tries it takes, as a power of ten.
func (e *Estimator) Guesses(password string) float64 {
	guesses := e.wordsGuesses(password)
	if phrase, known := phraseGuesses(password); known {
		guesses = min(guesses, phrase)
	}
	return guesses
}

// wordsGuesses is Guesses for a password that is guessed piece by piece.
func (e *Estimator) wordsGuesses(password string) float64 {
	letters := []rune(password)
	if len(letters) > most {
		letters = letters[:most]
	}
	n := len(letters)
	// best[i][k] is the least for the first i letters in k parts
	best := make([][]float64, n+1)
	for i := range best {
		best[i] = make([]float64, n+1)
		for k := range best[i] {
			best[i][k] = math.Inf(1)
		}
	}
	best[0][0] = 0
	for i := range n {
		for _, p := range e.parts(letters[i:]) {
			for k := range i + 1 {
				end := i + p.length
				best[end][k+1] = min(best[end][k+1], best[i][k]+p.cost)
			}
		}
	}
	least, order := math.Inf(1), 0.0
	for k := range n + 1 {
		if k > 1 {
			order += math.Log10(float64(k)) // the guesser does not know the order of the parts
		}
		least = min(least, best[n][k]+order)
	}
	return least
}

// part is a piece of a password, with the guesses for it as a power of ten.
type part struct {
	length int
	cost   float64
}

// parts returns the pieces that a text can start with.
func (e *Estimator) parts(text []rune) []part {
	out := []part{{1, math.Log10(letterGuesses(text[0]))}}
	for length := 2; length <= len(text); length++ {
		if guesses := e.pieceGuesses(text[:length]); guesses > 0 {
			out = append(out, part{length, math.Log10(guesses)})
		}
	}
	return append(append(out, repeated(text)...), unknown(text)...)
}

// unknown returns the beginnings of a text about which nothing is known, as one part each.
func unknown(text []rune) []part {
	var out []part
	cost := 0.0
	for i, r := range text {
		if cost += math.Log10(letterGuesses(r)); i > 0 {
			out = append(out, part{i + 1, cost})
		}
	}
	return out
}

// repeated returns the repetitions that a text starts with: "abcabcabc" is guessed as "abc" and a count.
func repeated(text []rune) []part {
	var out []part
	for size := 1; size <= len(text)/2; size++ {
		times := 1
		for (times+1)*size <= len(text) && string(text[times*size:(times+1)*size]) == string(text[:size]) {
			times++
		}
		if times == 1 || times == 2 && size == 1 {
			continue
		}
		cost := math.Log10(float64(times))
		for _, r := range text[:size] {
			cost += math.Log10(letterGuesses(r))
		}
		out = append(out, part{times * size, cost})
	}
	return out
}

// letterGuesses returns how many characters of its kind are tried for one.
func letterGuesses(r rune) float64 {
	switch {
	case unicode.IsDigit(r):
		return 10
	case r < 0x80 && unicode.IsLower(r):
		return 20 // some are much more common than others
	case r < 0x80 && unicode.IsUpper(r):
		return 26
	case r < 0x80:
		return 33
	}
	return 100
}

// pieceGuesses returns how many tries precede a piece that is a word, a row of keys, a run of the
// alphabet, or a date; 0 if it is none of them.
func (e *Estimator) pieceGuesses(piece []rune) float64 {
	text := string(piece)
	least := 0.0
	for _, guesses := range []float64{e.wordGuesses(text), rowGuesses(text), runGuesses(piece), dateGuesses(text)} {
		if guesses > 0 && (least == 0 || guesses < least) {
			least = guesses
		}
	}
	return least
}

// wordGuesses returns the guesses for a word, however it is written: with capitals, with signs that look like letters,
// or backwards; 0 if text is none.
func (e *Estimator) wordGuesses(text string) float64 {
	if len(text) > longestWord {
		return 0
	}
	lower := strings.ToLower(text)
	ways := 1.0
	switch {
	case lower == text:
	case text == strings.ToUpper(text), text[1:] == lower[1:], text[:len(text)-1] == lower[:len(lower)-1]:
		ways = 2
	default:
		ways = float64(int(1) << min(countUpper(text)+1, 20))
	}
	for i, word := range []string{lower, e.signs.Replace(lower), e.others.Replace(lower), reversed(lower)} {
		if rank, known := e.rank(word); known {
			if i > 0 {
				ways *= 4
			}
			return float64(rank) * ways
		}
	}
	return 0
}
