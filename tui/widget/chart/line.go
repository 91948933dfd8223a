package chart

import (
	"math/bits"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// The least size of the area of Line, in cells.
const (
	LeastWidth  = 40
	LeastHeight = 5
)

// Line draws values as a line of braille dots over the area, the oldest at the left; each value holds until the next one. If only
// ASCII may be written it draws bars instead, because dots have no ASCII replacement.
func Line(a canvas.Area, values []int64, ascii bool, t theme.Token) {
	if len(values) == 0 || a.W <= 0 || a.H <= 0 {
		return
	}
	low, high := Bounds(values)
	if ascii {
		above := make([]int64, a.W)
		for x := range above {
			above[x] = at(values, x, a.W) - low
		}
		Bars(a, above, t)
		return
	}
	dots := newDots(a.W, a.H)
	previous := -1
	for x := range 2 * a.W {
		y := dots.row(at(values, x, 2*a.W), low, high)
		from := y
		if previous >= 0 {
			from = previous
		}
		for i := min(from, y); i <= max(from, y); i++ {
			dots.set(x, i)
		}
		previous = y
	}
	for y, line := range dots.cells {
		for x, c := range line {
			if c != 0 {
				a.Put(x, y, canvas.In(t, string(rune(0x2800)+rune(c))))
			}
		}
	}
}

// Bounds returns the lowest and the highest value; values must not be empty.
func Bounds(values []int64) (low, high int64) {
	low, high = values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// at returns the value of column x of w.
func at(values []int64, x, w int) int64 {
	if w <= 1 {
		return values[len(values)-1]
	}
	return values[x*(len(values)-1)/(w-1)]
}

// dots is a grid of cells of two by four dots.
type dots struct{ cells [][]uint8 }

func newDots(w, h int) dots {
	d := dots{make([][]uint8, h)}
	for y := range d.cells {
		d.cells[y] = make([]uint8, w)
	}
	return d
}

// row returns the row of dots of a value, 0 at the top; if low and high are equal, the middle row.
func (d dots) row(v, low, high int64) int {
	last := 4*len(d.cells) - 1
	if low == high {
		return last / 2
	}
	return last - scale(v, low, high, last)
}

// scale maps v between low and high to a step from 0 to steps.
func scale(v, low, high int64, steps int) int {
	up, carry := bits.Mul64(uint64(v)-uint64(low), uint64(steps))
	n, _ := bits.Div64(up, carry, uint64(high)-uint64(low))
	return int(n)
}

// set sets a dot: Unicode numbers those of a cell column by column, with the lowest row last.
func (d dots) set(x, y int) {
	bit := [4][2]uint8{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}[y%4][x%2]
	d.cells[y/4][x/2] |= bit
}

// Spark returns a line of text with a bar for each value, scaled between the lowest and the highest; if all are equal, they are
// shown at a middle height. Blanks fill the line up to cells at the left, for values that are not known.
func Spark(values []int64, cells int) string {
	out := make([]rune, 0, cells)
	for range cells - len(values) {
		out = append(out, ' ')
	}
	steps := []rune(eighths)
	if len(values) == 0 {
		return string(out)
	}
	low, high := Bounds(values)
	for _, v := range values {
		n := 2
		if low != high {
			n = scale(v, low, high, len(steps)-1)
		}
		out = append(out, steps[n])
	}
	return string(out)
}
