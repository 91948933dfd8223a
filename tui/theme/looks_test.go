package theme

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// looks are the themes that a person can choose, in the depths of colour that there are.
func looks() []struct {
	name string
	set  Settings
} {
	return []struct {
		name string
		set  Settings
	}{
		{"dark", Settings{Depth: TrueColor}}, {"light", Settings{Depth: TrueColor, Light: true}},
		{"contrast", Settings{Depth: TrueColor, Contrast: true}}, {"contrast light", Settings{Depth: TrueColor, Contrast: true, Light: true}},
		{"256", Settings{Depth: ANSI256}}, {"256 light", Settings{Depth: ANSI256, Light: true}},
		{"16", Settings{Depth: ANSI16}}, {"16 light", Settings{Depth: ANSI16, Light: true}}, {"none", Settings{}},
	}
}

// testdata/looks.txt has what each meaning is written as in each look. With the meanings of the golden screens it says how they look in all
// of them. GOLDEN=update writes it.
func TestMeaningsLookAsTheyDid(t *testing.T) {
	var out strings.Builder
	for _, look := range looks() {
		th := New(look.set)
		fmt.Fprintf(&out, "%s\n", look.name)
		for _, k := range Tokens() {
			style := Of(k)
			if k >= SelectBg {
				style = Of(Text).On(k)
			}
			before, _ := th.Around(style)
			fmt.Fprintf(&out, "  %-12v %s\n", k, strings.ReplaceAll(before, "\x1b", "␛"))
		}
	}
	const path = "testdata/looks.txt"
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
