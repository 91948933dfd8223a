package tui_test

import (
	"strings"
	"testing"

	"billfold/tui/widget/canvas"
	"billfold/tui/widget/qr"

	rsc "rsc.io/qr"
)

// The cells show the modules of the code, with a light margin around them.
func TestCellsAreTheModules(t *testing.T) {
	for _, text := range []string{"dcore:alice", "dcore:alice?amount=12.5&asset=DCT&memo=rent%20november"} {
		code, err := qr.New(text)
		if err != nil {
			t.Fatal(err)
		}
		modules, err := rsc.Encode(text, rsc.L)
		if err != nil {
			t.Fatal(err)
		}
		const margin = 2
		w, h := code.Size()
		if w != modules.Size+2*margin {
			t.Errorf("%q takes %d columns for %d modules", text, w, modules.Size)
		}
		for _, inverted := range []bool{false, true} {
			c := canvas.New(w, h)
			code.Draw(c.All(), inverted)
			rows := strings.Split(strings.TrimRight(c.Plain(), "\n"), "\n")
			for y := range w {
				row := append([]rune(rows[y/2]), []rune(strings.Repeat(" ", w))...)
				for x := range w {
					ink := row[x] == '█' || row[x] == '▀' && y%2 == 0 || row[x] == '▄' && y%2 == 1
					if dark := modules.Black(x-margin, y-margin); (ink != inverted) != dark {
						t.Fatalf("%q, inverted %v: module %d,%d is dark %v, drawn %v", text, inverted, x, y, dark, ink)
					}
				}
			}
		}
	}
}

func TestTextTooLongForACode(t *testing.T) {
	if _, err := qr.New(strings.Repeat("x", 4000)); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("%v", err)
	}
}

func TestSVG(t *testing.T) {
	code, err := qr.New("dcore:alice?memo=<b>")
	if err != nil {
		t.Fatal(err)
	}
	svg := string(code.SVG())
	if !strings.HasPrefix(svg, "<svg ") || strings.Contains(svg, "<b>") || strings.Count(svg, "h1v1h-1z") < 100 {
		t.Errorf("%s", svg)
	}
}
