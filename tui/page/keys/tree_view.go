package keys

import (
	"fmt"

	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/panel"
)

// presenceSign returns the sign for how far a party counts.
func presenceSign(state presence) canvas.Line {
	switch state {
	case present:
		return canvas.In(theme.OK, theme.SignOn)
	case partial:
		return canvas.In(theme.Pending, theme.SignWork)
	case absent:
	}
	return canvas.In(theme.Muted, theme.SignOff)
}

// drawParties draws a tree around its cursor. The first row on screen names its role.
func (a *authorities) drawParties(p panel.Panel, in canvas.Area, at *list.Cursor, rows []party) {
	line := func(i int) []canvas.Line { return a.treeLine(rows[i], rows[i].role, in.W-4) }
	first, _ := at.Window(len(rows), in.H, func(i int) int { return len(line(i)) })
	p.Rows(in, at, len(rows), func(i int) []canvas.Line {
		if i == first {
			return a.treeLine(rows[i], roleOf(rows, i), in.W-4)
		}
		return line(i)
	})
}

// roleOf returns the role to which a row of the tree belongs.
func roleOf(rows []party, i int) string {
	for i > 0 && rows[i].role == "" {
		i--
	}
	return rows[i].role
}

// treeLine returns a row of the tree with a word before it; what has no room goes on another line.
func (a *authorities) treeLine(p party, word string, w int) []canvas.Line {
	branch := canvas.Text(fmt.Sprintf("%-6s ", word))
	for _, more := range p.bars {
		branch = canvas.Join(branch, canvas.In(theme.Border, map[bool]string{true: " │ ", false: "   "}[more]))
	}
	elbow := map[bool]string{true: " └─", false: " ├─"}[p.last]
	if p.role != "" {
		elbow = map[bool]string{true: "───", false: "─┬─"}[p.last]
	}
	weight := canvas.Text(fmt.Sprintf(" %d/%d ", p.weight, p.threshold))
	start := canvas.Join(branch, canvas.In(theme.Border, elbow), weight, presenceSign(p.state))
	who := canvas.Join(canvas.In(theme.Muted, " key "), canvas.Text(format.KeyShort(p.key)))
	if p.account != 0 {
		who = canvas.Join(canvas.In(theme.Muted, " account "), format.Account(a.nameOf(p.account)))
	}
	for _, end := range []canvas.Line{a.statusText(p), a.flags(p)} {
		if line := canvas.Join(start, who, end); line.Width() <= w {
			return []canvas.Line{line}
		}
	}
	return append([]canvas.Line{start}, canvas.Join(who, a.statusText(p)).Wrap(w)...)
}

// statusText returns whether a row counts, and why.
func (a *authorities) statusText(p party) canvas.Line {
	word := "  here: " + map[presence]string{present: "yes", partial: "in part", absent: "no"}[p.state]
	if p.account != 0 && p.nested != nil {
		word += fmt.Sprintf(", %d of %d", a.tree.weightHere(*p.nested, len(p.bars)+1), p.nested.WeightThreshold)
	}
	if p.tooDeep {
		word = ""
	}
	return canvas.Join(canvas.In(theme.Muted, word), a.flags(p))
}

// flags returns what is special about a row: that it is nested too deep to count, or that it is switched.
func (a *authorities) flags(p party) (l canvas.Line) {
	if p.tooDeep {
		l = canvas.In(theme.Warn, "  "+theme.SignCareful+" too deep, does not count")
	}
	if a.tree.flipped[p.flipKey()] {
		l = canvas.Join(l, canvas.Bold(theme.Pending, " · what if"))
	}
	return l
}
