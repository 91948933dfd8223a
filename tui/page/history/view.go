package history

import (
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
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
