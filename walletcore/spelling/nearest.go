// Package spelling finds the word that somebody meant.
package spelling

import "strings"

// Nearest returns the word that differs least from what was written, ignoring case and the signs between words; "" if
// none is near.
func Nearest(written string, words []string) string {
	written = fold(written)
	if len(written) > 64 {
		return ""
	}
	best, least := "", len(written)/3+2
	if len(written) < 4 { // with one letter changed it is another word
		least = min(len(written), 2)
	}
	for _, word := range words {
		if d := Distance(written, fold(word)); d < least {
			best, least = word, d
		}
	}
	return best
}

// Within reports whether written differs from word by at most so many letters, as Nearest counts them.
func Within(written, word string, letters int) bool {
	written, word = fold(written), fold(word)
	return len(written) <= len(word)+letters && Distance(written, word) <= letters
}

func fold(name string) string {
	return strings.Trim(strings.NewReplacer("_", "-", ".", "-", " ", "-").Replace(strings.ToLower(name)), "-")
}

// Distance counts the letters that must be added, left out, changed or swapped with their neighbour to turn a into b.
func Distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
