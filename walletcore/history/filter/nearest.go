package filter

import "strings"

// nearest finds the candidate that a word may have been meant to be: one that
// begins like it, else one that differs in few letters; empty when none does.
func nearest(word string, candidates []string) string {
	best, least := "", max(len(word)/3, 1)+1
	for _, c := range candidates {
		if word != "" && strings.HasPrefix(c, word) && (best == "" || least > 0 || len(c) < len(best)) {
			best, least = c, 0
			continue
		}
		if d := letters(word, c, least); d < least {
			best, least = c, d
		}
	}
	return best
}

// letters is how many letters must be added, taken away, changed or swapped with the
// next to make b of a; limit when it is that many or more.
func letters(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return min(row[len(b)], limit)
}
