package tui_test

import (
	"strings"
	"testing"

	"billfold/tui/format"
)

func FuzzRowsOfOthersText(f *testing.F) {
	for _, s := range []string{"", "a\x1b[2J", "\u202e\u200b", "\xff", "e\u0301\u0301\u0301\u0301\u0301\u0301",
		"\U000e0041", "\u0e33\u1160"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, w := range []int{3, 10, 40} {
			for _, l := range format.Gutter(text, w) {
				if !strings.HasPrefix(l.String(), "▏") || l.Width() > w {
					t.Fatalf("Gutter(%q, %d) has the row %q", text, w, l.String())
				}
			}
			if q := format.Quote(text, w); q.Width() > w {
				t.Fatalf("Quote(%q, %d) is %d wide", text, w, q.Width())
			}
		}
	})
}

// No text by others can end the quotes around it or look like what Clean writes.
func TestTextByOthersStaysInItsQuotes(t *testing.T) {
	for text, want := range map[string]string{
		"x” ✓ verified":  `“x\” ✓ verified”`,
		`literal \u202e`: `“literal \\u202e”`,
		"real \u202e":    `“real \u202e”`,
		"a\tb":           `“a\tb”`,
		"“a":             `“\“a”`,
	} {
		if got := format.Quote(text, 60).String(); got != want {
			t.Errorf("%q is shown as %s, not %s", text, got, want)
		}
		if got := format.Gutter(text, 60)[0].String(); got != "▏"+want {
			t.Errorf("after the gutter %q is written as %s", text, got)
		}
	}
}
