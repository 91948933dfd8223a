package tui_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"billfold/tui/theme"
)

// luminance returns the relative luminance of a colour, as WCAG defines it.
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

func TestTextHasContrast(t *testing.T) {
	onDark, onLight := theme.New(theme.Settings{Depth: theme.TrueColor}), theme.New(theme.Settings{Depth: theme.TrueColor, Light: true})
	onBlack := theme.New(theme.Settings{Depth: theme.TrueColor, Contrast: true})
	onWhite := theme.New(theme.Settings{Depth: theme.TrueColor, Contrast: true, Light: true})
	for _, k := range theme.Tokens() {
		least := 4.5
		switch {
		case k == theme.Faint || k == theme.Border:
			least = 1.95
		case k >= theme.SelectBg:
			continue
		}
		dark, light := ratio(onDark.Hex(k), "#11141B"), ratio(onLight.Hex(k), "#FCFBF8")
		if dark < least || light < least {
			t.Errorf("%v has %.1f on dark and %.1f on light, needs %.1f", k, dark, light, least)
		}
		for _, look := range []theme.Theme{onDark, onLight} {
			if least == 4.5 && ratio(look.Hex(k), look.Hex(theme.SelectBg)) < 4.5 {
				t.Errorf("%v cannot be read on the selection", k)
			}
		}
		if ratio(onBlack.Hex(k), "#000000") < 7 || ratio(onWhite.Hex(k), "#FFFFFF") < 7 {
			t.Errorf("%v of the contrast theme is below 7", k)
		}
	}
}

func TestSixteenColoursNeverUseBrightBlack(t *testing.T) {
	for _, light := range []bool{false, true} {
		look := theme.New(theme.Settings{Depth: theme.ANSI16, Light: light})
		for _, k := range theme.Tokens() {
			if look.Hex(k) == "8" {
				t.Errorf("%v is bright black", k)
			}
		}
	}
}

func TestDepthFollowsTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		name, colour, env string
		want              theme.Depth
	}{
		{"", "", "COLORTERM=truecolor TERM=xterm", theme.TrueColor}, {"", "", "TERM=xterm-256color", theme.ANSI256}, {"", "", "TERM=xterm", theme.ANSI16},
		{"", "", "NO_COLOR=1 COLORTERM=24bit", theme.None}, {"mono", "", "COLORTERM=24bit", theme.None}, {"", "24bit", "NO_COLOR=1", theme.TrueColor},
		{"", "none", "COLORTERM=24bit", theme.None}, {"", "16", "COLORTERM=24bit", theme.ANSI16}, {"", "256", "", theme.ANSI256}, {"", "", "TERM=dumb", theme.None},
	} {
		if got := theme.Choose(c.name, c.colour, false, false, environment(c.env)).Depth; got != c.want {
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
		if got := theme.Choose("", "", false, false, environment(env)).ASCII; got != want {
			t.Errorf("%q: ascii %v", env, got)
		}
	}
}

func TestSignsHaveAnASCIIFormOfOneCell(t *testing.T) {
	want := map[string]string{theme.SignOn: "*", theme.SignOff: "o", theme.SignWork: "%", theme.SignDone: "+", theme.SignFailed: "x",
		theme.SignCareful: "!", theme.SignRow: ">", theme.SignOut: ">", theme.SignIn: "<", theme.SignBrand: "#", theme.SignChoice: "v",
		theme.SignCrumb: ">", theme.SignCut: "~", theme.SignGutter: "|", theme.SignBar: "#", theme.SignTrack: ".",
		"“": `"`, "━": "=", "┃": "|", "┏": "#", "╭": "+", "│": "|", "a": "a", "漢": "??"}
	for sign, ascii := range want {
		width := 1
		if sign == "漢" {
			width = 2
		}
		if got := theme.ASCIIOf(sign, width); got != ascii {
			t.Errorf("%s becomes %q, want %q", sign, got, ascii)
		}
	}
}

func TestMeaningsSurviveWithoutColour(t *testing.T) {
	th := theme.New(theme.Settings{})
	for k, code := range map[theme.Token]string{theme.Focus: "1", theme.Warn: "1", theme.Danger: "1"} {
		if got := th.Style(theme.Of(k)).Render("x"); got != fmt.Sprintf("\x1b[%smx\x1b[0m", code) {
			t.Errorf("%v without colour is %q", k, got)
		}
	}
	if got := th.Style(theme.Of(theme.Text).On(theme.SelectBg)).Render("x"); got != "\x1b[7mx\x1b[0m" {
		t.Errorf("the selection without colour is %q", got)
	}
}
