package tui

import (
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/frame"
	"billfold/walletcore/ledgerview"
)

// View implements tea.Model.
func (m *Model) View() string { return m.canvas().Render(m.theme) }

// banner is the standing condition that all pages show; the first page has
// its own lines for that.
func (m *Model) banner() canvas.Line {
	if m.page == screen.FirstRun {
		return nil
	}
	return frame.Banner(m.env)
}

func (m *Model) bands() layout.Bands { return layout.Page(m.w, m.h, m.banner() != nil) }

// canvas draws the frame. It is pure: the same model gives the same frame.
func (m *Model) canvas() *canvas.Canvas {
	c, b := canvas.New(m.w, m.h), m.bands()
	all := c.All()
	if b.TooSmall {
		frame.TooSmall(all, m.env)
		return c
	}
	at := func(r layout.Rect) canvas.Area { return all.Sub(r.X, r.Y, r.W, r.H) }
	page := m.screens[m.page]
	if m.page != screen.FirstRun {
		env := m.env
		if m.page == screen.Unlock { // whose wallet it is, the page itself says
			env.Account = ledgerview.AccountRef{}
		}
		frame.Header(at(b.Header), env)
		if !b.Nav.Empty() && m.page != screen.Unlock {
			frame.Nav(at(b.Nav), m.env, pages(), m.page)
		}
		if !b.Banner.Empty() {
			at(b.Banner).Put(1, 0, m.banner())
		}
	}
	page.Draw(m.env, at(b.Body))
	m.drawPopups(c, b)
	m.drawFoot(at, b)
	return c
}

func (m *Model) drawFoot(at func(layout.Rect) canvas.Area, b layout.Bands) {
	front := m.front()
	place, mode := front.Place()
	hints, status := at(b.Hints), at(b.StatusB)
	frame.Status(status, m.env, mode, m.crumb(), m.page)
	toast, seen := m.toasts.shown, mode != screen.TYPE || m.toasts.urgent
	switch seen = seen && len(toast) > 0; {
	case seen && !b.Hints.Empty():
		hints.Sub(0, 0, hints.W-8, 1).Put(1, 0, toast)
		hints.PutRight(1, 0, canvas.In(theme.Muted, "~ all"))
	case seen:
		status.Fill(theme.Style{})
		status.Put(1, 0, toast)
	case !b.Hints.Empty():
		frame.Hints(hints, m.env, m.table.At(place), mode == screen.TYPE, m.off)
	}
}

func (m *Model) crumb() string {
	text := m.screens[m.page].Crumb()
	if len(m.popups) > 0 {
		text += " " + theme.SignCrumb + " " + m.front().Crumb()
	}
	return text
}

// drawPopups draws what is stacked over the page, which stays visible, muted.
func (m *Model) drawPopups(c *canvas.Canvas, b layout.Bands) {
	for _, p := range m.popups {
		c.MuteRows(b.Body.Y, b.Body.H)
		w, h := b.Body.W, b.Body.H
		if s, ok := p.(interface {
			Size(screen.Env) (int, int)
		}); ok {
			w, h = s.Size(m.env)
		}
		r := layout.Popup(b.Body, w, h, b.Class)
		p.Draw(m.env, c.All().Sub(r.X, r.Y, r.W, r.H))
	}
}
