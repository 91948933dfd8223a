package sign

import (
	"fmt"
	"time"

	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/proposal"
)

// table is the proposals laid out for one width.
type table struct {
	w      int
	rows   []row
	wide   row  // the widest cell of each column
	narrow bool // what a proposal does stands on lines of its own
}

// row is the cells of a proposal.
type row struct {
	id, from, what, weight, ends, waits canvas.Line
}

const gap = 2

// heads returns the titles of the columns.
func heads() row {
	return row{id: canvas.Text("ID"), from: canvas.Text("FOR"), what: canvas.Text("WHAT"), weight: canvas.Text("WEIGHT"),
		ends: canvas.Text("ENDS IN")}
}

func (m *Model) table(env screen.Env, w int) table {
	t := table{w: w, wide: heads()}
	for _, p := range m.filtered() {
		r := rowOf(env, p)
		t.rows = append(t.rows, r)
		t.wide = row{wider(t.wide.id, r.id), wider(t.wide.from, r.from), wider(t.wide.what, r.what), wider(t.wide.weight, r.weight),
			wider(t.wide.ends, r.ends), wider(t.wide.waits, r.waits)}
	}
	t.narrow = t.line(t.wide, true).Width() > w
	return t
}

func wider(a, b canvas.Line) canvas.Line {
	if a.Width() >= b.Width() {
		return a
	}
	return b
}

// line returns a row in one line, with or without what the proposal does.
func (t table) line(r row, what bool) canvas.Line {
	cell := func(l, widest canvas.Line) canvas.Line { return l.Pad(widest.Width() + gap) }
	does := canvas.Line(nil)
	if what {
		does = cell(r.what, t.wide.what)
	}
	return canvas.Join(cell(r.id, t.wide.id), cell(r.from, t.wide.from), does, cell(r.weight, t.wide.weight),
		cell(r.ends, t.wide.ends), r.waits)
}

func rowOf(env screen.Env, p proposal.Proposal) row {
	n := p.First()
	r := row{id: canvas.Text(p.ID.String()), from: format.Account(n.Account), what: deedLine(env, p), waits: waitsLine(env, p)}
	r.weight = canvas.Text(fmt.Sprintf("%d of %d", n.Weight, n.Threshold))
	left := p.ExpirationTime.Time().Sub(chainTime(env).Time())
	r.ends = canvas.Text(timeLeft(left))
	if left < time.Hour {
		r.ends = canvas.In(theme.Warn, theme.SignCareful+" "+timeLeft(left))
	}
	return r
}

// head returns the line of column titles; nil if it does not fit.
func (t table) head() canvas.Line {
	if head := t.line(heads(), !t.narrow).As(theme.Muted); t.line(t.wide, !t.narrow).Width() <= t.w {
		return head
	}
	return nil
}

// lines returns the lines of a proposal.
func (t table) lines(i int) []canvas.Line {
	r := t.rows[i]
	if !t.narrow {
		return []canvas.Line{t.line(r, true)}
	}
	var out []canvas.Line
	if t.line(t.wide, false).Width() <= t.w {
		out = append(out, t.line(r, false))
	} else {
		space := canvas.Text("  ")
		out = append(out, canvas.Join(r.id, space, r.from).Wrap(t.w)...)
		out = append(out, canvas.Join(space, r.weight, space, r.ends, space, r.waits))
	}
	for _, l := range r.what.Wrap(max(t.w-gap, 8)) {
		out = append(out, canvas.Join(canvas.Text("  "), l))
	}
	return out
}

// height returns how many lines all rows take.
func (t table) height() int {
	n := 0
	for i := range t.rows {
		n += len(t.lines(i))
	}
	return n
}

// panels returns the layout of the page.
func (m *Model) panels(env screen.Env) layout.SignPanels {
	t := m.table(env, env.W-6)
	lines := 2 + 3 // the frame; the heads and the legend with a free line
	lines += t.height()
	return layout.SignScreen(env.W, env.H, env.PanelClass(), max(lines, 7))
}

// detailWidth returns the width of the detail's lines.
func (m *Model) detailWidth(env screen.Env) int {
	w := m.panels(env).Detail.W
	if env.Class > layout.Tiny {
		w -= 2
	}
	return w - 4
}

// detailRows returns how many lines of the detail are on screen.
func (m *Model) detailRows(env screen.Env) int {
	h := m.panels(env).Detail.H
	if env.Class > layout.Tiny {
		return h - 2
	}
	return h - 1
}
