// Package panel draws the panels of a page: their frames, the rows of a list around its cursor, and text.
package panel

import (
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/rows"
)

// Panel is a panel that can have the focus.
type Panel struct {
	ID    int // sent with its clicks
	Focus bool
	Title canvas.Line // its first span is made bold
	State canvas.Line // at the right of the top edge: a state or a count
	Foot  string      // in the bottom edge: the panel's own keys
}

// Draw draws the frame and returns what is inside; on a tiny terminal it draws a title row and no frame.
func (p Panel) Draw(env screen.Env, a canvas.Area) canvas.Area {
	token := theme.Text
	if p.Focus {
		token = theme.Focus
	}
	title := canvas.Join(canvas.Bold(token, p.Title[:1].String()), p.Title[1:])
	state := append(canvas.Line(nil), p.State...)
	for i := range state {
		state[i].Text = env.KeyHints(state[i].Text)
	}
	frame := canvas.Frame{Title: title, State: state, Foot: canvas.In(theme.Muted, env.KeyHints(p.Foot)), Heavy: p.Focus}
	in := a.Panel(frame, env.Class > layout.Tiny)
	in.Zone(screen.Click{Panel: p.ID, At: -1})
	return in
}

// Rows draws n rows around a cursor, each in as many lines as it needs, and returns the line after them. Nil lines are blank lines
// between rows.
func (p Panel) Rows(in canvas.Area, at *list.Cursor, n int, row func(i int) []canvas.Line) int {
	first, end := at.Window(n, in.H, func(i int) int { return len(row(i)) })
	y := 0
	for i := first; i < end; i++ {
		for _, l := range row(i) {
			in.Put(2, y, l)
			rows.Mark(in, y, i == at.At && p.Focus && l != nil, screen.Click{Panel: p.ID, At: i})
			y++
		}
	}
	list.Scroll(in, first, end-first, n)
	return min(y, in.H)
}

// Bottom writes a line into the last rows, in as many as it needs while leaving some free, and returns the area above it.
func Bottom(in canvas.Area, text canvas.Line) canvas.Area {
	const others = 2
	rows := len(text.Wrap(max(in.W-4, 2)))
	h := max(in.H-rows, min(others, in.H))
	Put(in.Below(h), 0, text)
	return in.Top(h)
}

// Put writes a line from row y on, in as many rows as it needs, and returns the row after it.
func Put(in canvas.Area, y int, text canvas.Line) int {
	for _, l := range text.Wrap(max(in.W-4, 2)) {
		in.Put(2, y, l)
		y++
	}
	return y
}
