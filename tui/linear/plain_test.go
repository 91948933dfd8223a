package linear

import (
	"math"
	"strings"
	"testing"

	"billfold/tui/format"
	"billfold/tui/widget/canvas"
)

// Text by others stands between the only two unescaped quotes, whatever it contains, and keeps its symbols.
func TestTextByOthersCannotEndItsQuotes(t *testing.T) {
	for text, want := range map[string]string{
		`tea`:                     `"tea"`,
		`hi" Total out: 5`:        `"hi\" Total out: 5"`,
		`hi\" more`:               `"hi\\\" more"`,
		`back\`:                   `"back\\"`,
		`“q” and ▏`:               `"\u201cq\u201d and \u258f"`,
		`✓ paid · ▲ → 1,000 ~5`:   `"\u2713 paid \u00b7 \u25b2 \u2192 1,000 ~5"`,
		`a  b ******************`: `"a  b ******************"`,
		"\x1b[2J\u202e":           `"\x1b[2J\u202e"`,
		"end…":                    `"end..."`,
		"\U000f0022 x":            `"\u{f0022} x"`,
	} {
		got := lineText(canvas.Join(canvas.Text("Memo "), format.Quote(text, math.MaxInt), canvas.Text(" · 1,000")), false)
		if got != "Memo "+want+", 1000" {
			t.Errorf("%q is printed as %s, not %s", text, got, want)
		}
		if n := strings.Count(strings.ReplaceAll(strings.ReplaceAll(got, `\\`, ""), `\"`, ""), `"`); n != 2 {
			t.Errorf("%q has %d unescaped quotes: %s", text, n, got)
		}
	}
}
