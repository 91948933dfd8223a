package theme

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// luminance is the relative luminance of WCAG.
func luminance(hex string) float64 {
	n, _ := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	l := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := float64(n>>(16-8*i)&0xff) / 255
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		l += weight * v
	}
	return l
}

func ratio(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestWhatIsReadHasContrast(t *testing.T) {
	for _, k := range Tokens() {
		least := 4.5
		switch {
		case k == Faint || k == Border:
			least = 1.95
		case k >= SelectBg:
			continue
		}
		dark, light := ratio(row(k).dark, "#11141B"), ratio(row(k).light, "#FCFBF8")
		if dark < least || light < least {
			t.Errorf("%v has %.1f on dark and %.1f on light, needs %.1f", k, dark, light, least)
		}
		if least == 4.5 && (ratio(row(k).dark, row(SelectBg).dark) < 4.5 || ratio(row(k).light, row(SelectBg).light) < 4.5) {
			t.Errorf("%v cannot be read on the selection", k)
		}
		if contrast(k, false) != "" && (ratio(contrast(k, false), "#000000") < 7 || ratio(contrast(k, true), "#FFFFFF") < 7) {
			t.Errorf("%v of the contrast theme is below 7", k)
		}
	}
}

func TestSixteenColoursNeverUseBrightBlack(t *testing.T) {
	for _, k := range Tokens() {
		if row(k).darkANSI == "8" || row(k).lightANSI == "8" {
			t.Errorf("%v is bright black", k)
		}
	}
}

func TestDepthFollowsTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		name, colour, env string
		want              Depth
	}{
		{"", "", "COLORTERM=truecolor TERM=xterm", TrueColor}, {"", "", "TERM=xterm-256color", ANSI256}, {"", "", "TERM=xterm", ANSI16},
		{"", "", "NO_COLOR=1 COLORTERM=24bit", None}, {"mono", "", "COLORTERM=24bit", None}, {"", "24bit", "NO_COLOR=1", TrueColor},
		{"", "none", "COLORTERM=24bit", None}, {"", "16", "COLORTERM=24bit", ANSI16}, {"", "256", "", ANSI256}, {"", "", "TERM=dumb", None},
	} {
		if got := Choose(c.name, c.colour, false, false, environment(c.env)).Depth; got != c.want {
			t.Errorf("%+v gives depth %d", c, got)
		}
	}
}

func environment(text string) func(string) string {
	return func(name string) string {
		for _, f := range strings.Fields(text) {
			if k, v, _ := strings.Cut(f, "="); k == name {
				return v
			}
		}
		return ""
	}
}

func TestASCIIIsChosenByTheLocale(t *testing.T) {
	for env, want := range map[string]bool{"": false, "LANG=C": true, "LANG=cs_CZ.UTF-8": false, "LC_ALL=C LANG=en_US.utf8": true} {
		if got := Choose("", "", false, false, environment(env)).ASCII; got != want {
			t.Errorf("%q: ascii %v", env, got)
		}
	}
}

func TestSignsHaveAnASCIIFormOfOneCell(t *testing.T) {
	want := map[string]string{SignOn: "*", SignOff: "o", SignWork: "%", SignDone: "+", SignFailed: "x", SignCareful: "!", SignRow: ">",
		SignOut: ">", SignIn: "<", SignBrand: "#", SignChoice: "v", SignCrumb: ">", SignCut: "~", SignGutter: "|", SignBar: "#",
		SignTrack: ".", "“": `"`, "━": "=", "┃": "|", "┏": "#", "╭": "+", "│": "|", "a": "a", "漢": "??"}
	for sign, ascii := range want {
		width := 1
		if sign == "漢" {
			width = 2
		}
		if got := ASCIIOf(sign, width); got != ascii {
			t.Errorf("%s becomes %q, want %q", sign, got, ascii)
		}
	}
}

func TestMeaningsSurviveWithoutColour(t *testing.T) {
	th := New(Settings{})
	for k, code := range map[Token]string{Focus: "1", Warn: "1", Danger: "1"} {
		if got := th.Style(Of(k)).Render("x"); got != fmt.Sprintf("\x1b[%smx\x1b[0m", code) {
			t.Errorf("%v without colour is %q", k, got)
		}
	}
	if got := th.Style(Of(Text).On(SelectBg)).Render("x"); got != "\x1b[7mx\x1b[0m" {
		t.Errorf("the selection without colour is %q", got)
	}
}
