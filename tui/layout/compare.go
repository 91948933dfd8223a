package layout

// ComparePanels are two trees to be compared, and what the difference means. Single means that the trees are shown one at a time.
type ComparePanels struct {
	Single             bool
	Now, Then, Meaning Rect
}

// The rows that the meaning takes and that a tree needs at least, frames included.
const (
	meaningRows = 8
	compareRows = 5
)

// CompareScreen divides a body: side by side if it is wide, one above the other if it is high, else one at a time.
func CompareScreen(w, h int, class Class) ComparePanels {
	meaning := min(meaningRows, h/2)
	top := h - meaning
	p := ComparePanels{Meaning: Rect{0, top, w, meaning}}
	switch {
	case class >= Full:
		p.Now, p.Then = Rect{0, 0, w / 2, top}, Rect{w / 2, 0, w - w/2, top}
	case class >= Home && top >= 2*compareRows:
		p.Now, p.Then = Rect{0, 0, w, top / 2}, Rect{0, top / 2, w, top - top/2}
	default:
		p.Single = true
		p.Now, p.Then = Rect{0, 0, w, top}, Rect{0, 0, w, top}
	}
	return p
}
