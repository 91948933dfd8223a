package contacts

import (
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/rows"
	"billfold/walletcore/contact"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	m.drawPage(env, a)
	if m.form.Form != nil {
		m.form.Form.Draw(env, a)
	}
}

func (m *Model) drawPage(env screen.Env, a canvas.Area) {
	c, there := m.focused(env)
	p := layout.ContactScreen(a.W, a.H, env.PanelClass(), len(env.Contacts))
	m.drawList(env, a.Sub(p.List.X, p.List.Y, p.List.W, p.List.H))
	if p.Detail.Empty() {
		return
	}
	side := a.Sub(p.Detail.X, p.Detail.Y, p.Detail.W, p.Detail.H)
	if there {
		m.readings.draw(env, side, c)
		return
	}
	side.Panel(canvas.Frame{Title: canvas.Bold(theme.Text, "Detail")}, env.Class > layout.Tiny)
}

func (m *Model) drawList(env screen.Env, a canvas.Area) {
	title := canvas.Join(canvas.Bold(theme.Focus, "Contacts"), env.AsOf(m.checked))
	state := canvas.In(theme.Muted, m.order.String()+" · "+format.Count(len(env.Contacts)))
	foot := canvas.In(theme.Muted, env.KeyHints("n new · e edit note · x remove · s pay"))
	in := a.Panel(canvas.Frame{Title: title, State: state, Foot: foot, Heavy: true}, env.Class > layout.Tiny)
	if m.typing || !m.filter.Empty() {
		in.Put(2, 0, canvas.In(theme.Muted, "/ "))
		in.Put(4, 0, m.filter.Line(in.W-6, m.typing))
		in = in.Below(1)
	}
	all := m.rows(env)
	if len(all) == 0 {
		for i, l := range m.emptyText(env).Wrap(in.W - 4) {
			in.Put(2, i, l)
		}
		return
	}
	t := m.table(env.Times(), all, in.W-4)
	if in.H > 3 {
		in.Put(2, 0, t.head())
		in = in.Below(1)
	}
	warning := m.warning(env, all, in)
	at := m.cursor
	room := in.H - len(warning)
	first, end := at.Window(len(all), room, func(i int) int { return len(t.row(all[i])) })
	y := 0
	for i := first; i < end; i++ {
		for _, l := range t.row(all[i]) {
			if y < room {
				in.Put(2, y, l)
				rows.Mark(in, y, i == at.At, screen.Click{At: i})
			}
			y++
		}
	}
	for i, l := range warning {
		in.Put(2, max(min(y+1, room), 0)+i, l)
	}
	list.Scroll(in.Top(room), first, end-first, len(all))
}

// emptyText returns what stands in place of the rows while the list has none.
func (m *Model) emptyText(env screen.Env) canvas.Line {
	switch {
	case len(env.Contacts) > 0:
		return canvas.Text("No contact matches. esc clears the filter.")
	case env.Status.StoreFault != "":
		return canvas.In(theme.Warn, theme.SignCareful+" "+env.Status.StoreFault)
	}
	return canvas.Text("No contacts. n adds one; after a payment Billfold offers to save the other side.")
}

// warning returns what stands under the rows: what changed about the contact in focus, else about the first that changed.
func (m *Model) warning(env screen.Env, list []contact.Contact, in canvas.Area) (out []canvas.Line) {
	if in.H < 4 {
		return nil
	}
	text := canvas.Line(nil)
	if c, there := m.focused(env); there {
		text = m.changeLine(env.Times(), c)
	}
	for _, c := range list {
		if text == nil {
			text = m.changeLine(env.Times(), c)
		}
	}
	if text == nil && m.fault != nil {
		text = canvas.In(theme.Warn, theme.SignCareful+" Not compared with the ledger: "+advice.Sentence(m.fault))
	}
	if text == nil {
		return nil
	}
	return text.Wrap(in.W - 4)
}
