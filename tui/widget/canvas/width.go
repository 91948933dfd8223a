package canvas

import (
	"iter"
	"strings"

	"billfold/tui/theme"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
)

// Width measures text in cells; ambiguous signs count as one.
func Width(s string) int {
	if isPlain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// isPlain reports that each byte of a text is a letter of its own, one cell wide: most of what a frame has.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// graphemes goes through what a reader sees as single letters.
func graphemes(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if isPlain(s) {
			for i := range len(s) {
				if !yield(s[i : i+1]) {
					return
				}
			}
			return
		}
		for g := uniseg.NewGraphemes(s); g.Next(); {
			if !yield(g.Str()) {
				return
			}
		}
	}
}

// Cut shortens text to at most w cells, ending in a mark when it was cut. It is
// never used for amounts or accounts.
func Cut(s string, w int) string {
	if Width(s) <= w {
		return s
	}
	if w <= 0 {
		return ""
	}
	var out strings.Builder
	used := 0
	for g := range graphemes(s) {
		gw := Width(g)
		if used+gw > w-1 {
			break
		}
		out.WriteString(g)
		used += gw
	}
	return out.String() + theme.SignCut
}
