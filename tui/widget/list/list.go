// Package list keeps the position in a list of any length: which row is in focus and which is the first on screen. It promises that
// the row in focus is always on screen, and that a list of which a part is not on screen shows how much is missing. It builds no rows
// itself.
package list

import (
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// Cursor is a position in a list. The zero value is the first row.
type Cursor struct{ At, top int }

// Move goes n rows down (up if negative) in a list of total rows.
func (c *Cursor) Move(n, total int) { c.Jump(c.At+n, total) }

// Jump goes to a row, or to the nearest one that exists.
func (c *Cursor) Jump(at, total int) { c.At = max(min(at, total-1), 0) }

// Pick goes to a row that was clicked. A click beside the rows, at -1, is ignored.
func (c *Cursor) Pick(at, total int) {
	if at >= 0 {
		c.Jump(at, total)
	}
}

// pageRows is the number of rows that a page up or down goes.
const pageRows = 10

// Do performs an action that moves in a list of total rows, and reports whether id is one.
func (c *Cursor) Do(id action.ID, total int) bool {
	switch id {
	case "up":
		c.Move(-1, total)
	case "down":
		c.Move(1, total)
	case "pgup":
		c.Move(-pageRows, total)
	case "pgdn":
		c.Move(pageRows, total)
	case "first":
		c.Jump(0, total)
	case "last":
		c.Jump(total-1, total)
	default:
		return false
	}
	return true
}

// Window returns the rows first..end that are on screen in room lines, where row i takes height(i) lines. It measures no rows but
// those near the screen.
func (c *Cursor) Window(total, room int, height func(int) int) (first, end int) {
	c.Jump(c.At, total)
	if total == 0 {
		return 0, 0
	}
	first = min(max(c.top, firstOfScreen(c.At, room, height)), c.At)
	used := 0
	for end = first; end < total; end++ {
		used += height(end)
		if used > room && end > first {
			break
		}
	}
	if end == total {
		first = min(first, max(firstOfScreen(total-1, room, height), 0))
	}
	c.top = first
	return first, end
}

// firstOfScreen returns the first row of a full screen that ends with row last.
func firstOfScreen(last, room int, height func(int) int) int {
	first, used := last, height(last)
	for first > 0 {
		used += height(first - 1)
		if used > room {
			break
		}
		first--
	}
	return first
}

// Scroll marks the area of a list, or of lines of text, as showing first..first+shown of total: with a scroll bar, and in the frame
// around it with how many are above and below. If all are on screen, it draws nothing.
func Scroll(in canvas.Area, first, shown, total int) {
	in.Scroll(first, shown, total)
	if text := missing(max(first, 0), max(total-first-shown, 0)); text != "" {
		in.Edge(canvas.In(theme.Muted, text))
	}
}

func missing(above, below int) string {
	switch {
	case above == 0 && below == 0:
		return ""
	case above == 0:
		return format.Count(below) + " more below"
	case below == 0:
		return format.Count(above) + " more above"
	}
	return format.Count(above) + " above, " + format.Count(below) + " below"
}

// OneLine is the height of rows that take one line each.
func OneLine(int) int { return 1 }
