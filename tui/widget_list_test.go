package tui_test

import (
	"testing"

	"billfold/tui/widget/list"

	"pgregory.net/rapid"
)

func TestCursorIsAlwaysOnScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total, room := rapid.IntRange(0, 60).Draw(t, "total"), rapid.IntRange(1, 12).Draw(t, "room")
		height := func(i int) int { return 1 + i%3 }
		var c list.Cursor
		for _, by := range rapid.SliceOfN(rapid.IntRange(-20, 20), 1, 12).Draw(t, "moves") {
			c.Move(by, total)
			first, end := c.Window(total, room, height)
			switch {
			case total == 0 && (first != 0 || end != 0):
				t.Fatalf("an empty list shows %d..%d", first, end)
			case total > 0 && (c.At < first || c.At >= end):
				t.Fatalf("row %d is not in %d..%d of %d", c.At, first, end, total)
			}
			if used := linesOf(first, end, height); end-first > 1 && used > room {
				t.Fatalf("rows %d..%d take %d lines of %d", first, end, used, room)
			}
		}
	})
}

func linesOf(from, to int, height func(int) int) int {
	n := 0
	for i := from; i < to; i++ {
		n += height(i)
	}
	return n
}

func TestViewStaysWhileTheCursorIsInIt(t *testing.T) {
	var c list.Cursor
	for _, step := range []struct{ by, first int }{{9, 0}, {1, 1}, {-5, 1}, {-4, 1}, {-1, 0}, {99, 20}} {
		c.Move(step.by, 30)
		if first, end := c.Window(30, 10, list.OneLine); first != step.first || end != first+10 {
			t.Errorf("row %d shows %d..%d, want from %d", c.At, first, end, step.first)
		}
	}
}
