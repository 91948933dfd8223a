package keys

import (
	"fmt"

	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/panel"
)

// sign is how far something counts.
func sign(state counts) canvas.Line {
	switch state {
	case fully:
		return canvas.In(theme.OK, theme.SignOn)
	case partly:
		return canvas.In(theme.Pending, theme.SignWork)
	case not:
	}
	return canvas.In(theme.Muted, theme.SignOff)
}

// drawParties draws a tree around its cursor. The first row on screen names the role that it is of.
func (m *known) drawParties(p panel.Panel, in canvas.Area, at *list.Cursor, rows []party) {
	line := func(i int) []canvas.Line { return m.treeLine(rows[i], rows[i].role, in.W-4) }
	first, _ := at.Window(len(rows), in.H, func(i int) int { return len(line(i)) })
	p.Rows(in, at, len(rows), func(i int) []canvas.Line {
		if i == first {
			return m.treeLine(rows[i], roleOf(rows, i), in.W-4)
		}
		return line(i)
	})
}

// roleOf is the role whose authority a row of the tree belongs to.
func roleOf(rows []party, i int) string {
	for i > 0 && rows[i].role == "" {
		i--
	}
	return rows[i].role
}

// treeLine is a row of the tree with the word before it; one that has no room takes another line.
func (m *known) treeLine(p party, word string, w int) []canvas.Line {
	branch := canvas.Text(fmt.Sprintf("%-6s ", word))
	for _, more := range p.bars {
		branch = canvas.Join(branch, canvas.In(theme.Border, map[bool]string{true: " │ ", false: "   "}[more]))
	}
	elbow := map[bool]string{true: " └─", false: " ├─"}[p.last]
	if p.role != "" {
		elbow = map[bool]string{true: "───", false: "─┬─"}[p.last]
	}
	start := canvas.Join(branch, canvas.In(theme.Border, elbow), canvas.Text(fmt.Sprintf(" %d/%d ", p.weight, p.threshold)), sign(p.state))
	who := canvas.Join(canvas.In(theme.Muted, " key "), canvas.Text(format.KeyShort(p.key)))
	if p.account != 0 {
		who = canvas.Join(canvas.In(theme.Muted, " account "), format.Account(m.name(p.account)))
	}
	for _, end := range []canvas.Line{m.status(p), m.mark(p)} {
		if line := canvas.Join(start, who, end); line.Width() <= w {
			return []canvas.Line{line}
		}
	}
	return append([]canvas.Line{start}, canvas.Join(who, m.status(p)).Wrap(w)...)
}

// status returns in words whether a row counts, and why.
func (m *known) status(p party) canvas.Line {
	word := "  here: " + map[counts]string{fully: "yes", partly: "in part", not: "no"}[p.state]
	if p.account != 0 && p.nested != nil {
		word += fmt.Sprintf(", %d of %d", m.tree.weight(*p.nested, len(p.bars)+1), p.nested.WeightThreshold)
	}
	if p.tooDeep {
		word = ""
	}
	return canvas.Join(canvas.In(theme.Muted, word), m.mark(p))
}

// mark is what is special about a row: that the ledger does not look into it, or that it is switched.
func (m *known) mark(p party) (l canvas.Line) {
	if p.tooDeep {
		l = canvas.In(theme.Warn, "  "+theme.SignCareful+" too deep, does not count")
	}
	if m.tree.flipped[p.flips()] {
		l = canvas.Join(l, canvas.Bold(theme.Pending, " · what if"))
	}
	return l
}
