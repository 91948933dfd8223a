package content

import (
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/rows"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	if m.plan != nil {
		title := "Publication"
		if env.Status.Sandbox {
			title = theme.SignChip + " " + title + " " + theme.SignChip
		}
		in := a.Panel(canvas.Frame{Title: canvas.Bold(theme.Focus, title), State: m.review.State(), Heavy: true,
			Foot: canvas.In(theme.Muted, "enter does nothing here")}, env.Class > layout.Tiny)
		m.review.Draw(env, in)
		return
	}
	m.drawPage(env, a)
	if m.form.Form != nil {
		m.form.Form.Draw(env, a)
	}
}

func (m *Model) drawPage(env screen.Env, a canvas.Area) {
	i, there := m.focused()
	if m.whole && there {
		drawDetail(env, a, i, true, m.top)
		return
	}
	p := layout.ContactScreen(a.W, a.H, env.PanelClass(), len(m.rows()))
	m.drawList(env, a.Sub(p.List.X, p.List.Y, p.List.W, p.List.H))
	if p.Detail.Empty() {
		return
	}
	side := a.Sub(p.Detail.X, p.Detail.Y, p.Detail.W, p.Detail.H)
	if there {
		drawDetail(env, side, i, false, 0)
		return
	}
	side.Panel(canvas.Frame{Title: canvas.Bold(theme.Text, "Detail")}, env.Class > layout.Tiny)
}

// tabs returns the names of the lists, the one on screen between brackets.
func (m *Model) tabs() canvas.Line {
	var out canvas.Line
	for l := range lists {
		if l == m.which {
			out = canvas.Join(out, canvas.Bold(theme.Focus, "["+l.String()+"]"))
			continue
		}
		out = canvas.Join(out, canvas.In(theme.Muted, " "+l.String()+" "))
	}
	return out
}

func (m *Model) drawList(env screen.Env, a canvas.Area) {
	foot := canvas.In(theme.Muted, env.KeyHints("b buy · e extract · n publish · o list"))
	in := a.Panel(canvas.Frame{Title: canvas.Join(canvas.Bold(theme.Focus, "Content"), env.AsOf(m.readAt[m.which])),
		State: canvas.In(theme.Muted, format.Count(len(m.rows()))), Foot: foot, Heavy: true}, env.Class > layout.Tiny)
	in.Put(2, 0, m.tabs())
	in = in.Below(1)
	if m.which == OnOffer && (m.typing || !m.search.Empty()) {
		in.Put(2, 0, canvas.In(theme.Muted, "/ "))
		in.Put(4, 0, m.search.Line(in.W-6, m.typing))
		in = in.Below(1)
	}
	all := m.rows()
	if len(all) == 0 {
		for i, l := range m.emptyText(env).Wrap(in.W - 4) {
			in.Put(2, i, l)
		}
		return
	}
	t := tableOf(env, all, in.W-4)
	if in.H > 3 {
		in.Put(2, 0, t.head())
		in = in.Below(1)
	}
	at := m.cursor()
	first, end := at.Window(len(all), in.H, func(i int) int { return len(t.row(env, all[i])) })
	y := 0
	for i := first; i < end; i++ {
		for _, l := range t.row(env, all[i]) {
			if y < in.H {
				in.Put(2, y, l)
				rows.Mark(in, y, i == at.At, screen.Click{At: i})
			}
			y++
		}
	}
	list.Scroll(in, first, end-first, len(all))
}

// emptyText returns what stands in place of the rows while the list has none.
func (m *Model) emptyText(env screen.Env) canvas.Line {
	_, busy := m.tasks.Busy(topicRead)
	switch {
	case m.faults[m.which] != nil:
		return canvas.In(theme.Warn, theme.SignCareful+" "+advice.Sentence(m.faults[m.which]))
	case m.readAt[m.which].IsZero() && (busy || m.which == UnderWay):
		return canvas.In(theme.Pending, theme.SignWork+" reading")
	case m.readAt[m.which].IsZero() && !env.Online():
		return canvas.In(theme.Muted, "Not read yet: "+env.NoNode()+".")
	}
	return canvas.Text([...]string{
		"Nothing is offered that matches. / searches, n publishes.",
		"Nothing bought yet. What you buy is downloaded and stands here until you extract it.",
		"Nothing published yet. n offers a folder or a file for sale.",
		"Nothing is under way. What was published stands under Published.",
	}[m.which])
}

// table is the columns of a list. Those that do not fit are left out; title, price and state never are.
type table struct {
	w, title, author, state int
	price                   format.Column
	symbol                  int
}

const (
	gap      = 2
	minTitle = 14
	maxTitle = 48
)

func tableOf(env screen.Env, all []Item, w int) (t table) {
	t.w = w
	title := len("TITLE")
	for _, i := range all {
		title = max(title, canvas.Width(format.Clean(i.Title))+2)
		t.state = max(t.state, canvas.Width(format.Clean(i.State)))
		if i.Asset.Symbol != "" {
			t.price = t.price.Fit("", i.Asset, i.Price)
			t.symbol = max(t.symbol, env.Money().Aligned(t.price, "", theme.Text, i.Asset, i.Price).Width())
		}
		if i.Author.Name != "" {
			t.author = max(t.author, format.Account(i.Author).Width())
		}
	}
	t.state = min(max(t.state, len("STATE")), 24)
	left := w - t.state - gap
	if t.symbol > 0 {
		left -= t.symbol + gap
	}
	if t.author > 0 && left-t.author-gap < minTitle {
		t.author = 0
	} else if t.author > 0 {
		left -= t.author + gap
	}
	t.title = max(min(title, left, maxTitle), min(minTitle, w))
	return t
}

func (t table) head() canvas.Line {
	out := canvas.Text("TITLE").Pad(t.title)
	if t.author > 0 {
		out = canvas.Join(out.Pad(out.Width()+gap), canvas.Text("AUTHOR").Pad(t.author))
	}
	if t.symbol > 0 {
		out = canvas.Join(out.Pad(out.Width()+gap), canvas.Text("PRICE").Pad(t.symbol))
	}
	return canvas.Join(out.Pad(out.Width()+gap), canvas.Text("STATE")).As(theme.Muted)
}

// row returns the row of an item.
func (t table) row(env screen.Env, i Item) []canvas.Line {
	out := format.Quote(i.Title, t.title).Pad(t.title)
	if i.Task != "" {
		out = canvas.Text(canvas.Cut(format.Clean(i.Title), t.title)).Pad(t.title)
	}
	if t.author > 0 {
		name := canvas.Line(nil)
		if i.Author.Name != "" {
			name = format.Account(i.Author)
		}
		out = canvas.Join(out.Pad(out.Width()+gap), name.Pad(t.author))
	}
	if t.symbol > 0 {
		price := canvas.Line(nil)
		if i.Asset.Symbol != "" {
			price = env.Money().Aligned(t.price, "", theme.Text, i.Asset, i.Price)
		}
		out = canvas.Join(out.Pad(out.Width()+gap), price.Pad(t.symbol))
	}
	return []canvas.Line{canvas.Join(out.Pad(out.Width()+gap), canvas.In(stateToken(i), canvas.Cut(format.Clean(i.State), t.state)))}
}

func stateToken(i Item) theme.Token {
	switch {
	case i.Delivered() && i.Here:
		return theme.OK
	case i.State == "failed":
		return theme.Danger
	case i.Task != "" || i.Buying != nil:
		return theme.Pending
	}
	return theme.Muted
}

// labelW is the width of the labels of the detail.
const labelW = 10

func drawDetail(env screen.Env, a canvas.Area, i Item, whole bool, top int) {
	state := canvas.In(theme.Muted, "↵ whole")
	if whole {
		state = canvas.In(theme.Muted, "↑↓ scroll · esc back")
	}
	in := a.Panel(canvas.Frame{Title: canvas.Bold(theme.Text, "Detail"), State: state, Heavy: whole}, env.Class > layout.Tiny)
	lines := detailLines(env, i, in.W-4)
	top = max(min(top, len(lines)-in.H), 0)
	for n, l := range lines[top:] {
		in.Put(2, n, l)
	}
	list.Scroll(in, top, min(in.H, len(lines)), len(lines))
}

// detailLines returns the text about an item, w cells wide.
func detailLines(env screen.Env, i Item, w int) (out []canvas.Line) {
	put := func(label string, text canvas.Line) {
		for n, l := range text.Wrap(max(w-labelW, 8)) {
			if n > 0 {
				label = ""
			}
			out = append(out, canvas.Join(canvas.In(theme.Muted, label).Pad(labelW), l))
		}
	}
	put("Title", format.Quote(i.Title, w-labelW))
	if i.Text != "" {
		for n, l := range format.Gutter(i.Text, max(w-labelW, 8)) {
			out = append(out, canvas.Join(canvas.In(theme.Muted, []string{"About", ""}[min(n, 1)]).Pad(labelW), l))
		}
	}
	if i.Author.Name != "" {
		put("Author", format.Account(i.Author))
	}
	if i.Asset.Symbol != "" {
		put("Price", env.Money().Amount(i.Asset, i.Price))
	}
	put("State", canvas.In(stateToken(i), format.Clean(i.State)))
	for _, f := range i.Facts {
		put(f.Label, canvas.Text(format.Clean(f.Text)))
	}
	return out
}
