package canvas

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"billfold/tui/theme"
)

// Area is a rectangle of a frame with its own coordinates from 0,0. Drawing outside it does nothing; only Edge writes into the frame
// that was drawn around it.
type Area struct {
	c    *Canvas
	x, y int
	W, H int
	edge edge
}

// edge is the row of a frame that has room for a count: its lower edge, or the title row of a panel without a frame.
type edge struct{ end, y, w int } // the column after it, the row, and how many cells it has; w is 0 if there is none

// All returns the whole frame.
func (c *Canvas) All() Area { return Area{c: c, W: c.w, H: c.h} }

// Sub returns the part of a at x,y of w by h cells, clipped to a.
func (a Area) Sub(x, y, w, h int) Area {
	x, y = max(x, 0), max(y, 0)
	return Area{c: a.c, x: a.x + x, y: a.y + y, W: max(min(w, a.W-x), 0), H: max(min(h, a.H-y), 0), edge: a.edge}
}

// Inset returns the area without dx cells left and right and dy rows above and below.
func (a Area) Inset(dx, dy int) Area { return a.Sub(dx, dy, a.W-2*dx, a.H-2*dy) }

// Top returns the first h rows.
func (a Area) Top(h int) Area { return a.Sub(0, 0, a.W, h) }

// Below returns what remains under the first h rows.
func (a Area) Below(h int) Area { return a.Sub(0, h, a.W, a.H-h) }

// Put writes a line from x on and returns the column after it. If the line does not fit, the last cell of the row is the sign for
// missing text; for a row below the area, that sign is in the last row.
func (a Area) Put(x, y int, l Line) int {
	if y >= a.H && a.H > 0 && strings.TrimSpace(l.String()) != "" {
		a.put(a.W-1, a.H-1, theme.SignCut, theme.Of(theme.Muted))
	}
	start, cut := x, false
	for _, s := range l {
		for g := range graphemes(s.Text) {
			cut = cut || x < a.W && x+Width(g) > a.W && g != " " || x >= a.W && g != " "
			x += a.put(x, y, g, s.Style)
		}
	}
	if cut && start < a.W {
		a.put(a.W-1, y, theme.SignCut, theme.Of(theme.Muted))
	}
	return x
}

// put writes one grapheme and returns how many cells it takes. A control character becomes a question mark: package format cleans
// text, and this is the last line of defence.
func (a Area) put(x, y int, g string, style theme.Style) int {
	r, _ := utf8.DecodeRuneInString(g)
	w := Width(g)
	if unicode.IsControl(r) || r == utf8.RuneError || w < 1 || w > 2 {
		g, w = "?", 1
	}
	if y < 0 || y >= a.H || x < 0 || x+w > a.W {
		return w
	}
	i := (a.y+y)*a.c.w + a.x + x
	a.release(i)
	a.c.cells[i] = cell{text: g, style: style}
	if w == 2 {
		a.release(i + 1)
		a.c.cells[i+1] = cell{style: style}
	}
	return w
}

// release blanks the other half of a wide character of which one half is about to be overwritten.
func (a Area) release(i int) {
	cells := a.c.cells
	if cells[i].text == "" && i > 0 {
		cells[i-1].text = " "
	}
	if Width(cells[i].text) == 2 && i+1 < len(cells) {
		cells[i+1].text = " "
	}
}

// PutRight writes a line so that it ends at the right edge, margin cells short.
func (a Area) PutRight(margin, y int, l Line) { a.Put(a.W-margin-l.Width(), y, l) }

// PutCentre writes a line in the middle of row y.
func (a Area) PutCentre(y int, l Line) { a.Put(max((a.W-l.Width())/2, 0), y, l) }

// Edge writes a line at the right end of the frame that was drawn around the area, over what stands there: the end of its keys.
func (a Area) Edge(l Line) {
	w := l.Width() + 2
	if a.edge.w < w+1 {
		return
	}
	row := Area{c: a.c, x: a.edge.end - a.edge.w, y: a.edge.y, W: a.edge.w, H: 1}
	at := row.W - w
	if over := row.c.cells[row.y*row.c.w+row.x+at-1]; over.text != "─" && over.text != "━" && over.text != " " {
		row.put(at-1, 0, theme.SignCut, over.style)
	}
	row.Put(at, 0, pad1(l.On(row.c.cells[row.y*row.c.w+row.x].style.Bg)))
}

// Fill blanks the area and gives it a background.
func (a Area) Fill(style theme.Style) {
	for y := range a.H {
		a.Put(0, y, Line{{Text: strings.Repeat(" ", a.W), Style: style}})
	}
}

// Tint sets the background of row y and keeps what is written there.
func (a Area) Tint(y int, bg theme.Token) {
	for x := range a.W {
		if y >= 0 && y < a.H {
			a.c.cells[(a.y+y)*a.c.w+a.x+x].style.Bg = bg
		}
	}
}

// Zone makes clicks on the area send a message.
func (a Area) Zone(click any) {
	a.c.zones = append(a.c.zones, Zone{X: a.x, Y: a.y, W: a.W, H: a.H, Click: click})
}

// CopyRows fills a with the rows of another area, which is as wide, from row top on.
func (a Area) CopyRows(from Area, top int) {
	for y := range min(a.H, from.H-top) {
		at, of := (a.y+y)*a.c.w+a.x, (from.y+top+y)*from.c.w+from.x
		copy(a.c.cells[at:at+min(a.W, from.W)], from.c.cells[of:])
	}
}

// Row returns row y alone.
func (a Area) Row(y int) Area { return a.Sub(0, y, a.W, 1) }
