package tui_test

import (
	"strings"
	"testing"

	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// Amounts in a sentence are hidden completely, however it was composed; everything else stays.
func TestAmountsInSentencesAreHidden(t *testing.T) {
	dots := strings.Repeat(theme.SignDots, 14)
	paid := canvas.Join(canvas.In(theme.OK, "✓ Payment of "), (format.Money{}).Amount(asset(8), 123450000000),
		canvas.Text(" to bobby 1.2.17"))
	for _, c := range []struct {
		line canvas.Line
		want string
	}{
		{paid, "✓ Payment of " + dots + " DCT to bobby 1.2.17"},
		{canvas.Text("alice bought ipfs:x for 12 DCT, 1.5 ALX.GOLD and 7 1.3.9"),
			"alice bought ipfs:x for " + dots + " DCT, " + dots + " ALX.GOLD and " + dots + " 1.3.9"},
		{canvas.Text("12,000 DCT"), dots + " DCT"},
		{canvas.Text(`"params":["alice","bobby","1.5","DCT",""]`), `"params":["alice","bobby","` + dots + `","DCT",""]`},
		{canvas.Text("until 2026-11-20 14:02:10 UTC in block #18,204,511"), "until 2026-11-20 14:02:10 UTC in block #18,204,511"},
	} {
		if got := (format.Money{Hidden: true}).Masked(c.line).String(); got != c.want {
			t.Errorf("%q is hidden as %q, want %q", c.line.String(), got, c.want)
		}
		if got := (format.Money{}).Masked(c.line).String(); got != c.line.String() {
			t.Errorf("%q is shown as %q", c.line.String(), got)
		}
	}
}
