// Package sheet writes details into a panel, line by line: a label, and beside it a text, wrapped.
package sheet

import (
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// Sheet is the inside of a panel, written from the top.
type Sheet struct {
	In     canvas.Area
	Y      int // the next line
	Labels int // the width of the labels
}

// Put writes a label and a text beside it.
func (s *Sheet) Put(label string, text canvas.Line) {
	for i, l := range text.Wrap(max(s.In.W-s.Labels-3, 8)) {
		if i == 0 {
			s.In.Put(2, s.Y, canvas.In(theme.Muted, label))
		}
		s.In.Put(2+s.Labels, s.Y, l)
		s.Y++
	}
}
