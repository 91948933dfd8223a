package sign

import (
	"fmt"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/panel"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	if m.file != nil {
		m.file.draw(env, a)
		return
	}
	p := m.panels(env)
	at := func(r layout.Rect) canvas.Area { return a.Sub(r.X, r.Y, r.W, r.H) }
	if !p.Single || m.focus == panelList {
		m.drawList(env, at(p.List))
	}
	if !p.Single || m.focus == panelDetail {
		m.drawDetail(env, at(p.Detail))
	}
}

func (m *Model) drawList(env screen.Env, a canvas.Area) {
	title := "Proposals that name your accounts"
	if env.Class == layout.Tiny {
		title = "Proposals"
	}
	p := panel.Panel{ID: panelList, Focus: m.focus == panelList, Title: canvas.Join(canvas.Text(title), env.AsOf(m.readAt)),
		State: m.countText(), Foot: "n new proposal · / filter"}
	in := p.Draw(env, a)
	switch {
	case m.typing == inPath:
		x := in.Put(2, 0, canvas.In(theme.Muted, "Transaction file: "))
		in.Put(x, 0, m.path.Line(in.W-x-2, true))
		in = in.Below(1)
	case m.typing == inFilter || !m.filter.Empty():
		in.Put(2, 0, canvas.In(theme.Muted, "/ "))
		in.Put(4, 0, m.filter.Line(in.W-6, m.typing == inFilter))
		in = in.Below(1)
	}
	if m.note != "" {
		for _, l := range canvas.In(theme.Danger, theme.SignFailed+" "+m.note).Wrap(in.W - 4) {
			in.Put(2, 0, l)
			in = in.Below(1)
		}
	}
	t := m.table(env, in.W-4)
	if len(t.rows) == 0 {
		for i, l := range m.emptyText(env).Wrap(in.W - 4) {
			in.Put(2, i, l)
		}
		return
	}
	if head := t.head(); head != nil {
		in.Put(2, 0, head)
		in = in.Below(1)
	}
	body := in.Top(in.H)
	if in.H >= t.height()+2 {
		in.Put(2, in.H-1, legend(in.W-4))
		body = in.Top(in.H - 2)
	}
	p.Rows(body, &m.cursor, len(t.rows), t.lines)
}

// countText returns how many proposals there are, for the title.
func (m *Model) countText() canvas.Line {
	if m.filter.Empty() {
		return canvas.In(theme.Muted, format.Count(len(m.proposals)))
	}
	return canvas.In(theme.Muted, fmt.Sprintf("%d of %d", len(m.filtered()), len(m.proposals)))
}

// emptyText returns what stands in place of the rows while the list has none.
func (m *Model) emptyText(env screen.Env) canvas.Line {
	switch {
	case len(env.Accounts) == 0:
		return canvas.Text("This wallet has no account yet. On Home, i imports a key.")
	case m.fault != nil:
		return canvas.Join(canvas.In(theme.Warn, theme.SignCareful+" "), canvas.Text(advice.Sentence(m.fault)))
	case m.readAt.IsZero() && !env.Online():
		return canvas.In(theme.Muted, "Not read yet: "+env.NoNode()+".")
	case m.readAt.IsZero():
		return canvas.In(theme.Pending, env.Spinner()+" Reading the proposals of your accounts …")
	case len(m.proposals) > 0:
		return canvas.Text("No proposal matches. esc shows all.")
	}
	return canvas.Text("No proposals name your accounts. n starts one; in Review p turns a payment into one.")
}

func legend(w int) canvas.Line {
	whole := canvas.Join(canvas.In(theme.Warn, theme.SignCareful), canvas.In(theme.Muted, " waits for you   "),
		canvas.In(theme.Pending, theme.SignWork), canvas.In(theme.Muted, " waits for the review period   "),
		canvas.In(theme.Muted, theme.SignOff+" waits for others"))
	if whole.Width() > w {
		return nil
	}
	return whole
}
