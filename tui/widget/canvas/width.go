package canvas

import (
	"strings"

	"billfold/tui/theme"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
)

// Width measures text in cells; ambiguous signs count as one.
func Width(s string) int { return ansi.StringWidth(s) }

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
	for g := uniseg.NewGraphemes(s); g.Next(); {
		gw := Width(g.Str())
		if used+gw > w-1 {
			break
		}
		out.WriteString(g.Str())
		used += gw
	}
	return out.String() + theme.SignCut
}
