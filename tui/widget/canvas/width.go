package canvas

import (
	"iter"
	"strings"
	"unicode/utf8"

	"billfold/tui/theme"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
)

// Width returns the width of text in cells; characters of ambiguous width count as one.
func Width(s string) int {
	if n, plain := countSimple(s); plain {
		return n
	}
	return ansi.StringWidth(s)
}

// countSimple counts the runes of a text if each of them is a grapheme one cell wide: ASCII and the characters of frames, which make
// up most of what is drawn. Otherwise simple is false.
func countSimple(s string) (n int, simple bool) {
	for _, r := range s {
		if (r < ' ' || r > '~') && (r < '─' || r > '▟') && r != '·' {
			return 0, false
		}
		n++
	}
	return n, true
}

// graphemes iterates over what a reader sees as single characters.
func graphemes(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if _, plain := countSimple(s); plain {
			for len(s) > 0 {
				_, size := utf8.DecodeRuneInString(s)
				if !yield(s[:size]) {
					return
				}
				s = s[size:]
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

// Cut shortens text to at most w cells, ending in a mark if it was cut. It is never used for amounts or accounts.
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
