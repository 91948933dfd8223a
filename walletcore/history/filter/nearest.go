package filter

import (
	"strings"

	"billfold/walletcore/spelling"
)

// nearest returns the candidate that a word may have been meant to be: one that begins
// with it, otherwise one that differs in few letters; empty if there is none.
func nearest(word string, candidates []string) string {
	best, least := "", max(len(word)/3, 1)+1
	for _, c := range candidates {
		if word != "" && strings.HasPrefix(c, word) && (best == "" || least > 0 || len(c) < len(best)) {
			best, least = c, 0
			continue
		}
		if d := len(word) - len(c); max(d, -d) >= least {
			continue
		}
		if d := spelling.Distance(word, c); d < least {
			best, least = c, d
		}
	}
	return best
}
