// Package canvas is the grid of cells that every screen draws on.
//
// It promises that a frame is exactly as wide and as high as the terminal,
// whatever is put on it: text is cut at grapheme boundaries, a wide character
// never straddles an edge, and nothing outside an Area can be touched. It
// refuses control characters: a cell holds printable text or a space.
package canvas

import (
	"strings"

	"billfold/tui/theme"
)

// cell is one cell of the grid. The right half of a wide character is a cell with empty text.
type cell struct {
	text  string
	style theme.Style
}

// Zone is a part of the frame where a click sends a message.
type Zone struct {
	X, Y, W, H int
	Click      any
}

// Canvas is one frame.
type Canvas struct {
	w, h  int
	cells []cell
	zones []Zone
}

// New returns an empty frame of w by h cells.
func New(w, h int) *Canvas {
	c := &Canvas{w: max(w, 0), h: max(h, 0)}
	c.cells = make([]cell, c.w*c.h)
	for i := range c.cells {
		c.cells[i].text = " "
	}
	return c
}

// Hit returns what a click at a place sends: the message of the topmost zone, which was drawn last.
func (c *Canvas) Hit(x, y int) (any, bool) {
	for i := len(c.zones) - 1; i >= 0; i-- {
		z := c.zones[i]
		if x >= z.X && x < z.X+z.W && y >= z.Y && y < z.Y+z.H {
			return z.Click, true
		}
	}
	return nil, false
}

// MuteRows turns rows y..y+h into a muted background with the same text, and makes the whole frame ignore clicks. A pop-up is drawn
// on top.
func (c *Canvas) MuteRows(y, h int) {
	for i := max(y, 0) * c.w; i < min(y+h, c.h)*c.w; i++ {
		c.cells[i].style = theme.Of(theme.Muted)
	}
	c.zones = nil
}

// Render returns the frame as lines with escape sequences.
func (c *Canvas) Render(t theme.Theme) string {
	var out strings.Builder
	for y := range c.h {
		if y > 0 {
			out.WriteByte('\n')
		}
		c.renderLine(&out, t, c.cells[y*c.w:(y+1)*c.w])
	}
	return out.String()
}

func (c *Canvas) renderLine(out *strings.Builder, t theme.Theme, line []cell) {
	for start := 0; start < len(line); {
		end, before, after := start, "", ""
		if line[start].style != (theme.Style{}) || t.Settings().Depth > theme.ANSI16 {
			before, after = t.Around(line[start].style)
		}
		out.WriteString(before)
		for end < len(line) && line[end].style == line[start].style {
			out.WriteString(asASCII(t, line[end].text))
			end++
		}
		out.WriteString(after)
		start = end
	}
}

func asASCII(t theme.Theme, text string) string {
	if !t.ASCII() || text == "" {
		return text
	}
	return theme.ASCIIOf(text, Width(text))
}

// Plain returns the frame as text without colour, one line per row.
func (c *Canvas) Plain() string {
	var out strings.Builder
	for y := range c.h {
		for x := range c.w {
			out.WriteString(c.cells[y*c.w+x].text)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// Caret returns the cell in which what is typed next appears; false if nothing is being typed. Only fields draw a cell in reverse.
func (c *Canvas) Caret() (x, y int, typing bool) {
	for i := range c.cells {
		if c.cells[i].style.Attr&theme.Reverse != 0 {
			return i % c.w, i / c.w, true
		}
	}
	return 0, 0, false
}

// StyleAt returns how a cell is drawn, for tests of meaning.
func (c *Canvas) StyleAt(x, y int) theme.Style { return c.cells[y*c.w+x].style }

// RunEnd returns where the run of one style that begins at a place ends, in the same row.
func (c *Canvas) RunEnd(x, y int) int {
	end := x
	for end < c.w && c.StyleAt(end, y) == c.StyleAt(x, y) {
		end++
	}
	return end
}

// TextOf returns the text of the cells from x to end of a row.
func (c *Canvas) TextOf(x, end, y int) string {
	var out strings.Builder
	for _, at := range c.cells[y*c.w+x : y*c.w+end] {
		out.WriteString(at.text)
	}
	return out.String()
}
