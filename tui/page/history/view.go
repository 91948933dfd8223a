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
	"billfold/tui/widget/list"
	"billfold/tui/widget/rows"
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

// draw draws the page, and the pop-up over it.
func (v view) draw(a canvas.Area) {
	v.drawPanels(a)
	if v.m.label.ask != nil {
		v.m.label.ask.Draw(v.env, a)
	}
	if v.m.form != nil {
		v.drawForm(a)
	}
	if v.m.export != nil {
		r := layout.Popup(layout.Rect{W: a.W, H: a.H}, exportW, exportH, v.env.Class)
		v.m.export.draw(v.env, a.Sub(r.X, r.Y, r.W, r.H))
	}
}

func (v view) drawPanels(a canvas.Area) {
	e, ok := v.t.focused()
	p := v.m.panels(a.W, a.H, v.env)
	at := func(r layout.Rect) canvas.Area { return a.Sub(r.X, r.Y, r.W, r.H) }
	if !p.Filter.Empty() {
		v.drawLine(at(p.Filter))
	}
	if v.m.detailPage && ok {
		v.drawDetail(at(p.List), e, true)
		return
	}
	v.drawList(at(p.List))
	if !p.Detail.Empty() {
		if ok {
			v.drawDetail(at(p.Detail), e, false)
		} else {
			at(p.Detail).Box(canvas.Frame{Title: canvas.Bold(theme.Text, "Detail")})
		}
	}
}

func (v view) drawList(a canvas.Area) {
	title, state := v.title(), v.stateTexts()
	fits := firstFitting(a.W-9-title.Width(), state)
	in := frameless(v.env, a, canvas.Frame{Title: title, State: fits, Foot: v.foot(a.W - 6), Heavy: true})
	if v.t.total == 0 {
		v.drawEmpty(in)
		return
	}
	t := rows.New(v.env, v.t.widest, in.W-3, true)
	top := 0
	if in.H > 5 {
		in.Put(2, 0, t.Head())
		top = 1
	}
	v.drawRows(in.Below(top), t)
}

// linesOf returns a function that returns the lines of a row. It makes them once for a frame: a row is measured more than once
// before it is drawn.
func (v view) linesOf(t rows.Table) func(i int) []canvas.Line {
	made := map[int][]canvas.Line{}
	return func(i int) []canvas.Line {
		e, ok := v.t.row(i)
		if !ok {
			return []canvas.Line{canvas.In(theme.Faint, theme.SignDot)}
		}
		if _, done := made[i]; !done {
			e.Final = isFinal(v.env, e)
			made[i] = t.Row(e)
		}
		return made[i]
	}
}

// drawRows draws the rows around the cursor; a row that is not loaded yet keeps
// its place.
func (v view) drawRows(a canvas.Area, t rows.Table) {
	lines := v.linesOf(t)
	at := v.t.at
	from, end := at.Window(v.t.total, a.H, func(i int) int { return len(lines(i)) })
	y := 0
	for i := from; i < end; i++ {
		e, ok := v.t.row(i)
		for n, l := range lines(i) {
			a.Put(2, y, l)
			if ok && n == 0 && !isFinal(v.env, e) {
				a.Put(1, y, canvas.In(theme.Pending, theme.SignWork))
			}
			rows.Mark(a, y, i == v.t.at.At, screen.Click{At: i})
			y++
		}
	}
	list.Scroll(a, from, end-from, v.t.total)
}

func (v view) title() canvas.Line {
	if len(v.env.Accounts) == 0 {
		return canvas.Bold(theme.Text, "History")
	}
	title := canvas.Join(canvas.Bold(theme.Text, "History of "), format.Account(v.env.Account))
	title = canvas.Join(title, v.env.AsOf(v.l.asOf()))
	if v.l.index.newer > 0 {
		key := "g"
		if v.t.order == oldestFirst {
			key = "G"
		}
		title = canvas.Join(
			title,
			canvas.In(theme.Info, fmt.Sprintf(" · %s %s new, %s shows them", theme.SignNew, format.Count(v.l.index.newer), key)),
		)
	}
	return title
}

// stateTexts returns what the page is doing, as texts for any width, the longest first.
func (v view) stateTexts() []canvas.Line {
	for _, topic := range []string{topicWindow, topicNewest, topicOlder} {
		if since, busy := v.l.tasks.Busy(topic); busy && v.env.Now.Sub(since) > showBusyAfter {
			return []canvas.Line{canvas.In(theme.Pending, v.env.Spinner()+" reading")}
		}
	}
	if v.l.index.known && !v.l.index.progress.Whole {
		return v.buildingTexts()
	}
	order := v.t.order.String()
	if v.l.follow {
		order += " · follows"
	}
	long := canvas.In(theme.Muted, order)
	if v.env.Class >= layout.Full && v.l.index.known {
		return []canvas.Line{canvas.In(theme.Muted, order+" · o order"), long}
	}
	return []canvas.Line{long}
}

// showBusyAfter is the duration of a reading after which the title shows it.
const showBusyAfter = 150 * time.Millisecond

// buildingTexts returns how much of the index is built, as texts for any width, the longest first.
func (v view) buildingTexts() []canvas.Line {
	sign := v.env.Spinner()
	if !v.env.Online() {
		sign = theme.SignOff
	}
	p := v.l.index.progress
	short := fmt.Sprintf("%s %s of %s rows", sign, count(p.Rows), count(p.Total))
	long := fmt.Sprintf("%s Building the index: %s of %s rows", sign, count(p.Rows), count(p.Total))
	left := ""
	switch d, ok := v.l.index.pace.timeLeft(p); {
	case !v.env.Online():
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

// foot returns where the cursor is, and what the matching rows move if that has
// no room above the list.
func (v view) foot(w int) canvas.Line {
	if v.t.total == 0 {
		return nil
	}
	of := format.Count(v.t.total)
	if !v.t.counted || v.l.unindexed.more && !v.l.index.known {
		of += "+"
	}
	where := canvas.In(theme.Muted, fmt.Sprintf("row %s of %s", format.Count(v.t.at.At+1), of))
	if sums := v.sumLine(); sums != nil && v.env.Class < layout.Wide {
		return firstFitting(w, []canvas.Line{canvas.Join(where, canvas.In(theme.Muted, " · "), sums), where})
	}
	return where
}

func (v view) drawEmpty(in canvas.Area) {
	y := 1
	put := func(l canvas.Line) {
		for _, r := range l.Wrap(in.W - 4) {
			in.Put(2, y, r)
			y++
		}
	}
	switch {
	case len(v.env.Accounts) == 0:
		put(canvas.Text("This wallet has no account yet. Press 1 for Home, then i to import a key."))
	case v.l.fault != nil:
		what, next := advice.Of(v.l.fault)
		put(canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what)))
		put(canvas.In(theme.Muted, "Money is not affected. "+next))
	case v.l.readAt.IsZero():
		put(
			canvas.Join(
				canvas.In(theme.Pending, theme.SignWork+" Reading history of "),
				format.Account(v.env.Account),
				canvas.Text(" …"),
			),
		)
	case v.l.filter.applied != "":
		put(canvas.Join(canvas.Text("Nothing matches "), canvas.Bold(theme.Text, format.Clean(v.l.filter.applied)), canvas.Text(". "),
			canvas.Bold(theme.Key, "esc"), canvas.Text(" clears the filter, "), canvas.Bold(theme.Key, "f"), canvas.Text(" edits it.")))
		if !v.l.index.progress.Whole {
			put(canvas.In(theme.Muted, "The index is still being built: older rows are not searched yet."))
		}
	default:
		put(canvas.Text("No operations yet. The first payment appears here about 5 s after it is sent."))
	}
}
