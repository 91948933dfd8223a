package keys

import (
	"fmt"

	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
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

// treeLine is a row of the tree; one that has no room takes another line.
func (m *known) treeLine(p party, w int) []canvas.Line {
	branch := canvas.Text(fmt.Sprintf("%-6s ", p.role))
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
	for _, end := range []canvas.Line{m.standing(p), m.mark(p)} {
		if line := canvas.Join(start, who, end); line.Width() <= w {
			return []canvas.Line{line}
		}
	}
	return append([]canvas.Line{start}, canvas.Join(who, m.standing(p)).Wrap(w)...)
}

// standing says whether a row counts, and why.
func (m *known) standing(p party) canvas.Line {
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
