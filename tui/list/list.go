// Package list keeps the place in a list of any length: which row is in focus
// and which is the first on screen. It promises that the row in focus is
// always on screen and builds no rows itself.
package list

// Cursor is a place in a list. The zero value is the first row.
type Cursor struct{ At, top int }

// Move goes n rows down (up when negative) in a list of total rows.
func (c *Cursor) Move(n, total int) { c.Jump(c.At+n, total) }

// Jump goes to a row, or to the nearest there is.
func (c *Cursor) Jump(at, total int) { c.At = max(min(at, total-1), 0) }

// Window gives the rows first..end that are on screen in room lines, where row
// i takes height(i) lines.
func (c *Cursor) Window(total, room int, height func(int) int) (first, end int) {
	c.Jump(c.At, total)
	first = min(c.top, c.At)
	for first < c.At && lines(first, c.At+1, height) > room {
		first++
	}
	end = first
	for used := 0; end < total; end++ {
		used += height(end)
		if used > room && end > first {
			break
		}
	}
	for first > 0 && end == total && lines(first-1, end, height) <= room {
		first--
	}
	c.top = first
	return first, end
}

func lines(from, to int, height func(int) int) int {
	n := 0
	for i := from; i < to; i++ {
		n += height(i)
	}
	return n
}

// One is the height of rows that take one line each.
func One(int) int { return 1 }
