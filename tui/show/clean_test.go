package show

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestCleanNamesWhatItTakesAway(t *testing.T) {
	for in, want := range map[string]string{
		"plain text":             "plain text",
		"žluťoučký 漢字 👍":         "žluťoučký 漢字 👍",
		"\x1b[31mred":            `\x1b[31mred`,
		"bell\a del\x7f nul\x00": `bell\x07 del\x7f nul\x00`,
		"c1 \u009b31m":           `c1 \x9b31m`,
		"cut \xff\xfe":           `cut \xff\xfe`,
		"a\u202eb":               `a\u202eb`,
		"a\u200bb\u2060c":        `a\u200bb\u2060c`,
		"tag \U000e0041":         `tag \u{e0041}`,
		"heart \u2764\ufe0f":     "heart \u2764" + `\ufe0f`,
		"two\nlines\tand":        "two⏎lines⏎and",
		"nb\u00a0sp":             "nb sp",
		"\u2800blank":            `\u2800blank`,
		"icon \ue0b0":            `icon \ue0b0`,
		"z" + strings.Repeat("\u0301", 300) + "y": "z" + strings.Repeat("\u0301", 4) + "…y",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "a\x1b[2J", "\u202e\u200b", "\xff", "e\u0301\u0301\u0301\u0301\u0301\u0301", "\U000e0041", "\u0e33\u1160"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Clean(text)
		if !utf8.ValidString(got) {
			t.Fatalf("%q is not UTF-8", got)
		}
		for _, r := range got {
			if !unicode.IsPrint(r) || Invisible(r) {
				t.Fatalf("Clean(%q) left %q", text, r)
			}
		}
		if again := Clean(got); again != got {
			t.Fatalf("Clean(%q) = %q, and again %q", text, got, again)
		}
		for _, w := range []int{3, 10, 40} {
			for _, l := range Gutter(text, w) {
				if !strings.HasPrefix(l.String(), "▏") || l.Width() > w {
					t.Fatalf("Gutter(%q, %d) has the row %q", text, w, l.String())
				}
			}
			if q := Quote(text, w); q.Width() > w {
				t.Fatalf("Quote(%q, %d) is %d wide", text, w, q.Width())
			}
		}
	})
}
