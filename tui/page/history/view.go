package history

import (
	"fmt"
	"time"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/rows"
	"billfold/walletcore"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	m.drawPanels(env, a)
	if m.export != nil {
		r := layout.Popup(layout.Rect{W: a.W, H: a.H}, exportW, exportH, env.Class)
		m.drawExport(env, a.Sub(r.X, r.Y, r.W, r.H))
	}
}

func (m *Model) drawPanels(env screen.Env, a canvas.Area) {
	e, ok := m.focused()
	p := layout.HistoryScreen(a.W, a.H, env.Class, m.hasLine(), m.detail && !m.page)
	at := func(r layout.Rect) canvas.Area { return a.Sub(r.X, r.Y, r.W, r.H) }
	if !p.Filter.Empty() {
		m.drawLine(env, at(p.Filter))
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

func (m *Model) drawList(env screen.Env, a canvas.Area) {
	title, state := m.title(env), m.state(env)
	in := frameless(env, a, canvas.Frame{Title: title, State: first(a.W-9-title.Width(), state), Foot: m.foot(env, a.W-6), Heavy: true})
	if m.total == 0 {
		m.drawEmpty(env, in)
		return
	}
	t := rows.New(env, m.fit, in.W-3, true)
	top := 0
	if in.H > 5 {
		in.Put(2, 0, t.Head())
		top = 1
	}
	m.drawRows(env, in.Below(top), t)
}

// drawRows draws those around the cursor; the place of one that is not at hand
// yet is kept.
func (m *Model) drawRows(env screen.Env, a canvas.Area, t rows.Table) {
	lines := func(i int) []canvas.Line {
		if e, ok := m.row(i); ok {
			e.Final = isFinal(env, e)
			return t.Row(e)
		}
		return []canvas.Line{canvas.In(theme.Faint, theme.SignDot)}
	}
	at := m.at
	from, end := at.Window(m.total, a.H, func(i int) int { return len(lines(i)) })
	y := 0
	for i := from; i < end; i++ {
		e, ok := m.row(i)
		for n, l := range lines(i) {
			a.Put(2, y, l)
			if ok && n == 0 && !isFinal(env, e) {
				a.Put(1, y, canvas.In(theme.Pending, theme.SignWork))
			}
			rows.Mark(a, y, i == m.at.At, screen.Click{At: i})
			y++
		}
	}
	a.Scroll(from, end-from, m.total)
}

// first is the first of the lines that fits into w cells.
func first(w int, lines []canvas.Line) canvas.Line {
	for _, l := range lines {
		if l.Width() <= w {
			return l
		}
	}
	return nil
}

func (m *Model) title(env screen.Env) canvas.Line {
	if len(env.Accounts) == 0 {
		return canvas.Bold(theme.Text, "History")
	}
	title := canvas.Join(canvas.Bold(theme.Text, "History of "), format.Account(env.Account))
	title = canvas.Join(title, env.AsOf(m.asOf()))
	if m.fresh > 0 {
		key := "g"
		if m.oldest {
			key = "G"
		}
		title = canvas.Join(title, canvas.In(theme.Info, fmt.Sprintf(" · %s %s new, %s shows them", theme.SignNew, format.Count(m.fresh), key)))
	}
	return title
}

// asOf is the time up to which the rows are all there are.
func (m *Model) asOf() time.Time {
	switch {
	case !m.indexed:
		return m.read
	case m.progress.AsOf != 0:
		return m.progress.AsOf.Time()
	case len(m.rows) > 0: // newer ones were being read
		return m.rows[0].Time.Time()
	}
	return time.Time{}
}

// state is what the page does, in words for any room, the longest first.
func (m *Model) state(env screen.Env) []canvas.Line {
	for _, topic := range []string{look, newest, older} {
		if since, busy := m.tasks.Busy(topic); busy && env.Now.Sub(since) > slow {
			return []canvas.Line{canvas.In(theme.Pending, theme.SpinnerFrame(env.Tick)+" reading")}
		}
	}
	if m.indexed && !m.progress.Whole {
		return m.building(env)
	}
	order := "newest first"
	if m.oldest {
		order = "oldest first"
	}
	if m.follow {
		order += " · follows"
	}
	long := canvas.In(theme.Muted, order)
	if env.Class >= layout.Full && m.indexed {
		return []canvas.Line{canvas.In(theme.Muted, order+" · o order"), long}
	}
	return []canvas.Line{long}
}

// slow is what is told of work that takes longer.
const slow = 150 * time.Millisecond

// building returns how far the index is, in words for any room.
func (m *Model) building(env screen.Env) []canvas.Line {
	sign := theme.SpinnerFrame(env.Tick)
	if !env.Online() {
		sign = theme.SignOff
	}
	short := fmt.Sprintf("%s %s of %s rows", sign, count(m.progress.Rows), count(m.progress.Total))
	long := fmt.Sprintf("%s Building the index: %s of %s rows", sign, count(m.progress.Rows), count(m.progress.Total))
	left := ""
	switch d, ok := m.pace.left(m.progress); {
	case !env.Online():
		left = " · waits for a node"
	case ok:
		left = " · " + format.Wait(d) + " left"
	}
	var out []canvas.Line
	for _, text := range []string{long + left + ". You can use what is here", long + left, short + left, short, sign + " index"} {
		out = append(out, canvas.In(theme.Pending, text))
	}
	return out
}

func count(n uint64) string { return format.Count(int(min(n, 1<<53))) }

// foot returns where the cursor is, and what the filter's rows move when there is
// no room for it above.
func (m *Model) foot(env screen.Env, w int) canvas.Line {
	if m.total == 0 {
		return nil
	}
	of := format.Count(m.total)
	if !m.counted || m.more && !m.indexed {
		of += "+"
	}
	where := canvas.In(theme.Muted, fmt.Sprintf("row %s of %s", format.Count(m.at.At+1), of))
	if sums := m.sumLine(env); sums != nil && env.Class < layout.Wide {
		return first(w, []canvas.Line{canvas.Join(where, canvas.In(theme.Muted, " · "), sums), where})
	}
	return where
}

// sumLine is what came and went, when it is all of one asset.
func (m *Model) sumLine(env screen.Env) canvas.Line {
	if len(m.sums) != 1 || !m.hasLine() || m.words == "" {
		return nil
	}
	s := m.sums[0]
	if !s.In.IsInt64() || !s.Out.IsInt64() {
		return canvas.In(theme.Muted, "more than can be added up here")
	}
	money := func(name, sign string, in theme.Token, n int64) canvas.Line {
		if n == 0 {
			sign, in = "", theme.Text
		}
		return canvas.Join(canvas.In(theme.Muted, name), env.Money().Aligned(format.Column{}, sign, in, s.Asset, n))
	}
	return canvas.Join(money("in ", "+", theme.MoneyIn, s.In.Int64()), canvas.Text("   "), money("out ", "-", theme.MoneyOut, s.Out.Int64()))
}

// frameless is a box, or on a tiny terminal a title row.
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
		put(canvas.Text("This wallet has no account yet. Press 1 for Home, then i to import a key."))
	case m.fault != nil:
		what, next := advice.Of(m.fault)
		put(canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what)))
		put(canvas.In(theme.Muted, "Money is not affected. "+next))
	case m.read.IsZero():
		put(canvas.Join(canvas.In(theme.Pending, theme.SignWork+" Reading history of "), format.Account(env.Account), canvas.Text(" …")))
	case m.words != "":
		put(canvas.Join(canvas.Text("Nothing matches "), canvas.Bold(theme.Text, format.Clean(m.words)), canvas.Text(". "),
			canvas.Bold(theme.Key, "esc"), canvas.Text(" clears the filter, "), canvas.Bold(theme.Key, "/"), canvas.Text(" edits it.")))
		if !m.progress.Whole {
			put(canvas.In(theme.Muted, "The index is still being built: older rows are not looked through yet."))
		}
	default:
		put(canvas.Text("No operations yet. The first payment shows here about 5 s after it is sent."))
	}
}

// isFinal reports whether a row's block can no longer be undone, by what is known of
// the irreversible block now.
func isFinal(env screen.Env, e walletcore.HistoryEntry) bool {
	return e.Final || env.Status.Irreversible >= e.Block && env.Status.Irreversible != 0
}
