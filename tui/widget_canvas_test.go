package tui_test

import (
	"strings"
	"testing"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	"github.com/charmbracelet/x/ansi"
)

func TestNothingLeavesItsArea(t *testing.T) {
	c := canvas.New(6, 3)
	a := c.All().Sub(1, 1, 3, 1)
	a.Put(-1, 0, canvas.Text("abcdef"))
	a.Put(0, 1, canvas.Text("below"))
	if got := c.Plain(); got != "      \n bc…  \n      \n" {
		t.Errorf("the frame is %q", got)
	}
}

// Text that is cut has a mark; spaces at its end may be missing without one.
func TestCutTextHasAMark(t *testing.T) {
	for text, want := range map[string]string{"abcd": "abcd", "abcde": "abc…", "abcd   ": "abcd", "abc d": "abc…", "": ""} {
		c := canvas.New(4, 1)
		c.All().Put(0, 0, canvas.Text(text))
		if got := strings.TrimRight(c.Plain(), " \n"); got != want {
			t.Errorf("%q is drawn as %q, want %q", text, got, want)
		}
	}
}

func TestWideCharactersDoNotStraddleEdges(t *testing.T) {
	c := canvas.New(5, 1)
	c.All().Put(0, 0, canvas.Text("a漢字b"))
	if got := c.Plain(); got != "a漢 …\n" {
		t.Errorf("%q: b does not fit, and the sign that it is missing takes the place of the character before", got)
	}
	c.All().Put(0, 0, canvas.Text("a漢字"))
	c.All().Put(2, 0, canvas.Text("x")) // over the right half of the first
	if got := c.Plain(); got != "a x字\n" {
		t.Errorf("after writing over half a character: %q", got)
	}
}

func TestControlCharactersDoNotEnterACell(t *testing.T) {
	c := canvas.New(8, 1)
	c.All().Put(0, 0, canvas.Text("a\x1bb\u200bc\r\nd"))
	if got := strings.TrimSpace(c.Plain()); got != "a?b?c?d" {
		t.Errorf("%q", got)
	}
}

// ASCII and frame characters are measured without the Unicode tables, which must give the same width, whatever is next to them.
func TestSimpleCharactersAreAsWideAsUnicodeSays(t *testing.T) {
	for r := rune(' '); r < 0x3000; r++ {
		for _, text := range []string{string(r), "─" + string(r), string(r) + "─", string(r) + "\u0301", "─\u0301" + string(r)} {
			if got, want := canvas.Width(text), ansi.StringWidth(text); got != want {
				t.Errorf("%q (%U) is measured as %d cells wide, and is %d", text, r, got, want)
			}
		}
	}
	c := canvas.New(6, 1)
	c.All().Put(0, 0, canvas.Text("─\u0301│·e\u0301x"))
	if got := c.Plain(); got != "─\u0301│·e\u0301x \n" {
		t.Errorf("accents do not stay on their letters: %q", got)
	}
}

func TestWrapLosesNothing(t *testing.T) {
	for text, want := range map[string]string{
		"one two three":  "one two|three",
		"abcdefghijkl":   "abcdefghij|kl",
		"漢字漢字漢字":         "漢字漢字漢|字",
		"ab cdefghijklm": "ab|cdefghijkl|m",
		"":               "",
	} {
		var rows []string
		for _, l := range canvas.Text(text).Wrap(10) {
			if l.Width() > 10 {
				t.Errorf("%q is wider than 10", l.String())
			}
			rows = append(rows, l.String())
		}
		if got := strings.Join(rows, "|"); got != want {
			t.Errorf("%q wraps to %q, want %q", text, got, want)
		}
	}
}

func TestCutEndsInAMark(t *testing.T) {
	for text, want := range map[string]string{"short": "short", "exactly10!": "exactly10!",
		"more than ten": "more than…", "漢字漢字漢字": "漢字漢字…"} {
		if got := canvas.Cut(text, 10); got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
}

func TestBoxesAreDrawn(t *testing.T) {
	c := canvas.New(24, 4)
	in := c.All().Box(canvas.Frame{Title: canvas.Text("Title"), State: canvas.Text("2"), Foot: canvas.Text("keys"), Heavy: true})
	in.Put(0, 0, canvas.Text("inside"))
	want := "┏━ Title ━━━━━━━━━━ 2 ━┓\n┃inside                ┃\n┃                      ┃\n┗━ keys ━━━━━━━━━━━━━━━┛\n"
	if got := c.Plain(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestClicksFindTheTopmostZone(t *testing.T) {
	c := canvas.New(10, 4)
	c.All().Zone("page")
	c.All().Row(2).Zone("row")
	if hit, _ := c.Hit(3, 2); hit != "row" {
		t.Errorf("row 2 answers %v", hit)
	}
	if hit, _ := c.Hit(3, 1); hit != "page" {
		t.Errorf("row 1 answers %v", hit)
	}
	c.MuteRows(0, 4)
	if hit, ok := c.Hit(3, 2); ok {
		t.Errorf("a muted page answers %v", hit)
	}
}

func TestRenderKeepsTextAndNamesColours(t *testing.T) {
	c := canvas.New(6, 1)
	c.All().Put(0, 0, canvas.Join(canvas.In(theme.MoneyOut, "-1"), canvas.Text(" DCT")))
	out := c.Render(theme.New(theme.Settings{Depth: theme.TrueColor}))
	if ansi.Strip(out) != "-1 DCT" || !strings.Contains(out, "38;2;255;178;107") {
		t.Errorf("rendered %q", out)
	}
	if c.StyleAt(0, 0).Fg != theme.MoneyOut || c.StyleAt(3, 0).Fg != theme.Text {
		t.Error("the cells have other meanings")
	}
	if out := c.Render(theme.New(theme.Settings{})); out != "-1 DCT" {
		t.Errorf("without colour %q", out)
	}
}

func BenchmarkWrap(b *testing.B) {
	fits := canvas.Join(canvas.In(theme.Muted, "Signs with  "), canvas.Text("owner key of alice 1.2.9"))
	long := canvas.Text("You are about to sign this operation. It was read back from the bytes that will be signed.")
	for name, line := range map[string]canvas.Line{"fits": fits, "long": long} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				line.Wrap(76)
			}
		})
	}
}
