package history

import (
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/history"
)

// view draws the page for one Env; it changes nothing.
type view struct {
	m   *Model
	l   *listing
	t   *table
	env screen.Env
}

func viewOf(m *Model, env screen.Env) view { return view{m, &m.list, &m.list.table, env} }

// sumLine returns what the matching rows move in and out, if they are all of one asset.
func (v view) sumLine() canvas.Line {
	if len(v.l.filter.sums) != 1 || !v.m.hasLine() || v.l.filter.applied == "" {
		return nil
	}
	s := v.l.filter.sums[0]
	if !s.In.IsInt64() || !s.Out.IsInt64() {
		return canvas.In(theme.Muted, "too large to add up")
	}
	money := func(name, sign string, in theme.Token, n int64) canvas.Line {
		if n == 0 {
			sign, in = "", theme.Text
		}
		return canvas.Join(canvas.In(theme.Muted, name), v.env.Money().Aligned(format.Column{}, sign, in, s.Asset, n))
	}
	return canvas.Join(
		money("in ", "+", theme.MoneyIn, s.In.Int64()),
		canvas.Text("   "),
		money("out ", "-", theme.MoneyOut, s.Out.Int64()),
	)
}

// firstFitting returns the first of the lines that fits into w cells, nil if none does.
func firstFitting(w int, lines []canvas.Line) canvas.Line {
	for _, l := range lines {
		if l.Width() <= w {
			return l
		}
	}
	return nil
}

func count(n uint64) string { return format.Count(int(min(n, 1<<53))) }

// frameless draws a box, or on a tiny terminal only a row with the title, and returns the area inside.
func frameless(env screen.Env, a canvas.Area, f canvas.Frame) canvas.Area {
	if env.Class > layout.Tiny {
		return a.Box(f)
	}
	a.Rule(0)
	end := a.Put(1, 0, canvas.Join(canvas.Text(" "), f.Title.As(theme.Focus), canvas.Text(" ")))
	if f.Foot.Width() > 0 && end+f.Foot.Width()+4 < a.W {
		a.PutRight(1, 0, canvas.Join(canvas.Text(" "), f.Foot, canvas.Text(" ")))
	}
	return a.Below(1)
}

// isFinal reports whether a row's block can no longer be undone, by the last irreversible
// block known now.
func isFinal(env screen.Env, e history.Entry) bool {
	return e.Final || env.Status.Irreversible >= e.Block && env.Status.Irreversible != 0
}
