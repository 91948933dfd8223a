package tui_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"billfold/tui/theme"
)

// looks returns the themes that a person can choose, at every colour depth.
func looks() []struct {
	name string
	set  theme.Settings
} {
	return []struct {
		name string
		set  theme.Settings
	}{
		{"dark", theme.Settings{Depth: theme.TrueColor}}, {"light", theme.Settings{Depth: theme.TrueColor, Light: true}},
		{"contrast", theme.Settings{Depth: theme.TrueColor, Contrast: true}},
		{"contrast light", theme.Settings{Depth: theme.TrueColor, Contrast: true, Light: true}},
		{"256", theme.Settings{Depth: theme.ANSI256}}, {"256 light", theme.Settings{Depth: theme.ANSI256, Light: true}},
		{"16", theme.Settings{Depth: theme.ANSI16}}, {"16 light", theme.Settings{Depth: theme.ANSI16, Light: true}}, {"none", theme.Settings{}},
	}
}

// theme/testdata/looks.txt has the escape sequences of each meaning in each look. Together with the meanings of the golden screens, it
// determines how the screens look in all of them. GOLDEN=update writes it.
func TestMeaningsLookAsDrawn(t *testing.T) {
	var out strings.Builder
	for _, look := range looks() {
		th := theme.New(look.set)
		fmt.Fprintf(&out, "%s\n", look.name)
		for _, k := range theme.Tokens() {
			style := theme.Of(k)
			if k >= theme.SelectBg {
				style = theme.Of(theme.Text).On(k)
			}
			before, _ := th.Around(style)
			fmt.Fprintf(&out, "  %-12v %s\n", k, strings.ReplaceAll(before, "\x1b", "␛"))
		}
	}
	const path = "theme/testdata/looks.txt"
	if os.Getenv("GOLDEN") == "update" {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || out.String() != string(want) {
		t.Errorf("what meanings look like differs from %s (run with GOLDEN=update if it should): %v\n%s", path, err, out.String())
	}
}
