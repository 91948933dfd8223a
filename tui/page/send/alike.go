package send

import "strings"

// confusable reports whether two different names look the same at a glance: same
// letters after folding what looks alike, or one letter apart.
func confusable(a, b string) bool {
	if a == b || a == "" || b == "" {
		return false
	}
	if fold(a) == fold(b) {
		return true
	}
	far := 1
	if min(len(a), len(b)) >= 9 {
		far = 2
	}
	return distance(a, b, far) <= far
}

// fold replaces what looks alike by one form and drops doubled letters and
// hyphens.
func fold(s string) string {
	s = strings.NewReplacer("rn", "m", "vv", "w", "1", "l", "i", "l", "0", "o", "-", "").Replace(s)
	var out strings.Builder
	var last rune
	for _, r := range s {
		if r != last {
			out.WriteRune(r)
		}
		last = r
	}
	return out.String()
}

// distance is the number of letters to insert, drop or change, as far as it is
// not above far.
func distance(a, b string, far int) int {
	if d := len(a) - len(b); d > far || -d > far {
		return far + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			next := min(row[j], row[j-1]) + 1
			if a[i-1] == b[j-1] {
				next = min(next, diag)
			} else {
				next = min(next, diag+1)
			}
			diag, row[j] = row[j], next
		}
	}
	return row[len(b)]
}
