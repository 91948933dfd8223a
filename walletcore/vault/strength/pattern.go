package strength

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// longestWord is the maximum length of a word, in bytes.
const longestWord = 64

func countUpper(text string) (n int) {
	for _, r := range text {
		if unicode.IsUpper(r) {
			n++
		}
	}
	return n
}

func reversed(text string) string {
	r := []rune(text)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// rows are walks over a keyboard that people use.
const rows = "1234567890 qwertyuiop asdfghjkl zxcvbnm qwertzuiop yxcvbnm azertyuiop qsdfghjklm wxcvbn 1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik " +
	"qazwsxedcrfvtgbyhnujmikolp 147258369 789456123 !@#$%^&*()"

// rowGuesses returns the guesses for a walk over the keyboard: where it can start, how long it
// is, and its direction; 0 if text is none.
func rowGuesses(text string) float64 {
	lower := strings.ToLower(text)
	if len(text) < 3 || !strings.Contains(rows, lower) && !strings.Contains(rows, reversed(lower)) || strings.Contains(text, " ") {
		return 0
	}
	return 50 * float64(len(text)) * float64(1+countUpper(text))
}

// runGuesses returns the guesses for steps through the alphabet or the digits, such as abcd, 9876 or aceg; 0 if piece is none.
func runGuesses(piece []rune) float64 {
	if len(piece) < 3 {
		return 0
	}
	step := piece[1] - piece[0]
	if step == 0 || step > 3 || step < -3 {
		return 0
	}
	for i := 1; i < len(piece); i++ {
		if piece[i]-piece[i-1] != step {
			return 0
		}
	}
	guesses := 26.0 * float64(len(piece))
	if unicode.IsDigit(piece[0]) {
		guesses = 10 * float64(len(piece))
	}
	if step != 1 {
		guesses *= 3
	}
	return guesses
}

var (
	year = regexp.MustCompile(`^(19|20)[0-9]{2}$`)
	date = regexp.MustCompile(`^([0-9]{1,4})[-./ ]?([0-9]{1,2})[-./ ]?([0-9]{2,4})$`)
)

// dateGuesses returns the guesses for a year, or for a day within about a hundred years; 0 if text is neither.
func dateGuesses(text string) float64 {
	if text[0] < '0' || text[0] > '9' || len(text) > len("21. 11. 2026") {
		return 0
	}
	if year.MatchString(text) {
		return 120
	}
	m := date.FindStringSubmatch(text)
	if m == nil || len(text) < 6 {
		return 0
	}
	at := func(i int) int { n, _ := strconv.Atoi(m[i]); return n }
	month := at(2) >= 1 && at(2) <= 12 || at(1) >= 1 && at(1) <= 12 && at(2) <= 31 // in American order too
	if !month || at(1) == 0 || at(3) == 0 {
		return 0
	}
	return 365 * 100
}
