package firstrun

import "billfold/tui/widget/canvas"

// page writes wrapped lines from the top.
type page struct {
	in canvas.Area
	y  int
}

func (p *page) put(l canvas.Line) {
	for _, r := range l.Wrap(p.in.W - 4) {
		p.in.Put(2, p.y, r)
		p.y++
	}
}

// The box of the page, where there is room for it.
const pageW, pageH = 84, 18
