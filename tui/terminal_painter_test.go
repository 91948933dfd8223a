package tui_test

import (
	"os"
	"path/filepath"
	"testing"

	"billfold/tui/terminal"
)

// A painter writes only what differs from the frame before, at its position.
func TestOnlyChangedCellsArePainted(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p := terminal.NewPainter(&terminal.Output{File: file})
	var caret *terminal.Caret
	written := func(frame string) string {
		t.Helper()
		before, _ := file.Seek(0, 1)
		p.Paint(frame, caret)
		after, _ := file.Seek(0, 1)
		text := make([]byte, after-before)
		if _, err := file.ReadAt(text, before); err != nil && len(text) > 0 {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, c := range []struct{ frame, want string }{
		{"one\ntwo", "\x1b[Hone\x1b[2;1Htwo"},
		{"one\ntwo", ""},
		{"one\nTWO", "\x1b[2;1HTWO"},
		{"one\nTWO\n3..", "\x1b[3;1H3.."},
	} {
		if got := written(c.frame); got != c.want {
			t.Errorf("%q is painted as %q, want %q", c.frame, got, c.want)
		}
	}
	p.Forget()
	if got := written("one\nTWO"); got != "\x1b[Hone\x1b[2;1HTWO" {
		t.Errorf("a forgotten screen is painted as %q", got)
	}
	caret = &terminal.Caret{X: 1, Y: 1} // the cursor follows what is typed, whoever writes
	if got := written("one\nTWO"); got != "\x1b[2;2H" {
		t.Errorf("the cursor is moved by %q", got)
	}
	if got := written("one\nTWo"); got != "\x1b[2;1HTWo\x1b[2;2H" {
		t.Errorf("beside a caret it is painted as %q", got)
	}
	if caret = nil; written("one\nTWo") != "" {
		t.Error("the cursor is moved although nothing is typed")
	}
	if none := terminal.NewPainter(nil); none != nil {
		t.Error("there is a painter without a terminal")
	}
}
