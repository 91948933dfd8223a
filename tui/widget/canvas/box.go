package canvas

import (
	"strings"

	"billfold/tui/theme"
)

// Frame describes a panel's border.
type Frame struct {
	Title Line
	State Line // at the right of the top edge: a state or a count
	Foot  Line // in the bottom edge: the panel's own keys
	Heavy bool // for the panel in focus, a pop-up, a boxed field
	Bg    theme.Token
}

// Box draws a frame around the area and returns what is inside. If there is no room for a frame, it returns the area itself.
func (a Area) Box(f Frame) Area {
	if a.W < 4 || a.H < 2 {
		return a
	}
	s := theme.Of(theme.Border).On(f.Bg)
	corners := []rune("╭─╮│╰╯")
	if f.Heavy {
		s, corners = theme.Of(theme.Focus).On(f.Bg), []rune("┏━┓┃┗┛")
	}
	bar := strings.Repeat(string(corners[1]), a.W-2)
	a.Put(0, 0, Line{{Text: string(corners[0]) + bar + string(corners[2]), Style: s}})
	a.Put(0, a.H-1, Line{{Text: string(corners[4]) + bar + string(corners[5]), Style: s}})
	for y := 1; y < a.H-1; y++ {
		a.Put(0, y, Line{{Text: string(corners[3]), Style: s}})
		a.Put(a.W-1, y, Line{{Text: string(corners[3]), Style: s}})
	}
	a.labels(f)
	in := a.Inset(1, 1)
	in.edge = edge{a.x + a.W - 2, a.y + a.H - 1, a.W - 4}
	return in
}

// Panel is Box if framed; otherwise it draws a rule with title and state, and returns what is below it.
func (a Area) Panel(f Frame, framed bool) Area {
	if framed {
		return a.Box(f)
	}
	a.Rule(0)
	a.Put(1, 0, pad1(f.Title))
	if n := f.State.Width(); n > 0 && n+f.Title.Width()+8 < a.W {
		a.PutRight(1, 0, pad1(f.State))
	}
	in := a.Below(1)
	in.edge = edge{a.x + a.W - 1, a.y, a.W - 2}
	return in
}

// labels writes title, state and foot; if the top edge is too narrow for both, the state is left out, and of the title its last parts.
func (a Area) labels(f Frame) {
	free := a.W - 6
	for f.Title.Width() > free && len(f.Title) > 0 {
		f.Title = f.Title[:len(f.Title)-1]
	}
	if f.Title.Width() > 0 && f.Title.Width() <= free {
		a.Put(2, 0, pad1(f.Title.On(f.Bg)))
		free -= f.Title.Width() + 3
	}
	if f.State.Width() > 0 && f.State.Width() <= free {
		a.PutRight(2, 0, pad1(f.State.On(f.Bg)))
	}
	if f.Foot.Width() > 0 && f.Foot.Width() <= a.W-6 {
		a.Put(2, a.H-1, pad1(f.Foot.On(f.Bg)))
	}
}

func pad1(l Line) Line {
	edge := Line{{Text: " "}}
	if len(l) > 0 {
		edge[0].Style.Bg = l[0].Style.Bg
	}
	return Join(edge, l, edge)
}

// Rule draws a thin line across row y, for panels without frames.
func (a Area) Rule(y int) { a.Put(0, y, In(theme.Border, strings.Repeat("─", a.W))) }

// Scroll draws a scroll bar in the last column, whose thumb stands for rows first..first+shown of total.
func (a Area) Scroll(first, shown, total int) {
	if total <= shown || a.H < 2 || a.W < 1 {
		return
	}
	size := max(a.H*shown/total, 1)
	at := (a.H - size) * first / max(total-shown, 1)
	for y := range a.H {
		if y >= at && y < at+size {
			a.Put(a.W-1, y, In(theme.Muted, theme.SignBar))
		} else {
			a.Put(a.W-1, y, In(theme.Faint, "│"))
		}
	}
}
