// Package chart draws a row of values as bars or as a line. Charts are for a glance, not for reading off values.
package chart

import (
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// eighths are bars from one eighth of a cell to a whole cell.
const eighths = "▁▂▃▄▅▆▇█"

// Bars draws the newest values that fit, one per column, the newest at the right edge. The highest value fills the area; each bar is
// at least an eighth of a cell high, so that it is visible.
func Bars(a canvas.Area, values []int64, t theme.Token) {
	values = values[max(len(values)-a.W, 0):]
	highest := int64(1)
	for _, v := range values {
		highest = max(highest, v)
	}
	left := a.W - len(values)
	for i, v := range values {
		bar(a.Sub(left+i, 0, 1, a.H), max(v*int64(8*a.H)/highest, 1), t)
	}
}

// bar fills a column from the bottom with n eighths of a cell.
func bar(a canvas.Area, n int64, t theme.Token) {
	steps := []rune(eighths)
	for y := a.H - 1; y >= 0 && n > 0; y-- {
		a.Put(0, y, canvas.In(t, string(steps[min(n, 8)-1])))
		n -= 8
	}
}
