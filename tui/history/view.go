package history

import (
	"fmt"
	"time"

	"billfold/tui/advice"
	"billfold/tui/canvas"
	"billfold/tui/layout"
	"billfold/tui/rows"
	"billfold/tui/screen"
	"billfold/tui/show"
	"billfold/tui/theme"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	e, ok := m.focused()
	p := layout.HistoryScreen(a.W, a.H, env.Class, m.typing || !m.filter.Empty(), m.detail && !m.page)
	at := func(r layout.Rect) canvas.Area { return a.Sub(r.X, r.Y, r.W, r.H) }
	if !p.Filter.Empty() {
		m.drawFilter(at(p.Filter))
	}
	if m.page && ok {
		m.drawDetail(env, at(p.List), e, true)
		return
	}
	m.drawList(env, at(p.List))
	if !p.Detail.Empty() {
		if ok {
			m.drawDetail(env, at(p.Detail), e, false)
		} else {
			at(p.Detail).Box(canvas.Frame{Title: canvas.Bold(theme.Text, "Detail")})
		}
	}
}

func (m *Model) drawFilter(a canvas.Area) {
	count := canvas.In(theme.Muted, fmt.Sprintf("%s of %s rows read", show.Count(len(m.shown)), m.total()))
	x := a.Put(1, 0, canvas.In(theme.Muted, "Filter / "))
	a.Put(x, 0, m.filter.Line(a.W-x-count.Width()-3, m.typing))
	a.PutRight(1, 0, count)
}

// total is how many rows are known, with a plus when there are older ones.
func (m *Model) total() string {
	if m.more {
		return show.Count(len(m.entries)) + "+"
	}
	return show.Count(len(m.entries))
}

func (m *Model) drawList(env screen.Env, a canvas.Area) {
	title := canvas.Join(canvas.Bold(theme.Text, "History of "), show.Account(env.Account))
	if len(env.Accounts) == 0 {
		title = canvas.Bold(theme.Text, "History")
	}
	if !env.Online() && !m.read.IsZero() {
		title = canvas.Join(title, canvas.In(theme.Warn, " · as of "+show.Clock(m.read)))
	}
	state := canvas.In(theme.Muted, "newest first")
	for _, topic := range []string{"new", "old"} {
		if since, busy := m.desk.Busy(topic); busy && env.Now.Sub(since) > 150*time.Millisecond {
			state = canvas.In(theme.Pending, theme.SpinnerFrame(env.Tick)+" reading")
		}
	}
	foot := ""
	if len(m.shown) > 0 {
		foot = fmt.Sprintf("row %s of %s", show.Count(m.at.At+1), show.Count(len(m.shown)))
		if m.more && m.filter.Empty() {
			foot += "+"
		}
	}
	in := frameless(env, a, canvas.Frame{Title: title, State: state, Foot: canvas.In(theme.Muted, foot), Heavy: true})
	if len(m.shown) == 0 {
		m.drawEmpty(env, in)
		return
	}
	t := rows.New(env, m.shown[:min(len(m.shown), pageRows)], in.W-3, true)
	top := 0
	if in.H > 5 {
		in.Put(2, 0, t.Head())
		top = 1
	}
	cursor := m.at
	t.Draw(in.Below(top), &cursor, m.shown, true, 0)
}

// frameless is a box, or on a tiny terminal a title row.
func frameless(env screen.Env, a canvas.Area, f canvas.Frame) canvas.Area {
	if env.Class > layout.Tiny {
		return a.Box(f)
	}
	a.Rule(0)
	a.Put(1, 0, canvas.Join(canvas.Say(" "), f.Title.As(theme.Focus), canvas.Say(" ")))
	return a.Below(1)
}

func (m *Model) drawEmpty(env screen.Env, in canvas.Area) {
	y := 1
	put := func(l canvas.Line) {
		for _, r := range l.Wrap(in.W - 4) {
			in.Put(2, y, r)
			y++
		}
	}
	switch {
	case len(env.Accounts) == 0:
		put(canvas.Say("This wallet has no account yet. Press 1 for Home, then i to import a key."))
	case !m.filter.Empty() && len(m.entries) > 0:
		put(canvas.Join(canvas.Say("Nothing that was read matches the filter. "), canvas.Bold(theme.Key, "esc"), canvas.Say(" clears it.")))
	case m.fault != nil:
		what, next := advice.Of(m.fault)
		put(canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Say(what)))
		put(canvas.In(theme.Muted, "Money is not affected. "+next))
	case m.read.IsZero():
		put(canvas.Join(canvas.In(theme.Pending, theme.SignWork+" Reading history of "), show.Account(env.Account), canvas.Say(" …")))
	default:
		put(canvas.Say("No operations yet. The first payment shows here about 5 s after it is sent."))
	}
}
