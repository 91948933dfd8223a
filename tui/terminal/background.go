package terminal

import (
	"strconv"
	"strings"
)

// askBackground asks a terminal for its background colour, and then for its type: every terminal answers the second question, so
// that its answer ends the wait.
const askBackground = "\x1b]11;?\x1b\\\x1b[c"

// parseBackground parses the answer, "\x1b]11;rgb:ffff/ffff/ffff" with one to four digits per colour. ok is false if text contains
// no such answer.
func parseBackground(text string) (light, ok bool) {
	_, rest, found := strings.Cut(text, "\x1b]11;rgb:")
	if !found {
		return false, false
	}
	end := strings.IndexAny(rest, "\x1b\a")
	if end < 0 {
		return false, false
	}
	parts := strings.Split(rest[:end], "/")
	if len(parts) != 3 {
		return false, false
	}
	bright := 0.0
	for i, weight := range []float64{0.299, 0.587, 0.114} {
		n, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil {
			return false, false
		}
		bright += weight * float64(n) / float64(uint64(1)<<(4*len(parts[i]))-1)
	}
	return bright > 0.5, true
}

// answerComplete reports whether the terminal has answered both questions.
func answerComplete(text string) bool {
	at := strings.LastIndex(text, "\x1b[?")
	return at >= 0 && strings.ContainsRune(text[at:], 'c')
}
