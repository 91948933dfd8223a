package tui

import (
	"slices"

	"billfold/tui/action"
	"billfold/tui/layout"
	"billfold/tui/overlay/help"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/frame"
	"billfold/walletcore/ledgerview"
)

// View implements tea.Model.
func (m *Model) View() string { return m.Frame().Render(m.theme) }

// Frame draws the frame. It is pure: the same model always yields the same frame.
func (m *Model) Frame() *canvas.Canvas {
	p := painter{m, canvas.New(m.w, m.h), m.bands()}
	p.draw()
	return p.canvas
}

// painter draws one frame.
type painter struct {
	m      *Model
	canvas *canvas.Canvas
	bands  layout.Bands
}

func (p painter) at(r layout.Rect) canvas.Area { return p.canvas.All().Sub(r.X, r.Y, r.W, r.H) }

func (p painter) draw() {
	if p.bands.TooSmall {
		frame.TooSmall(p.canvas.All(), p.m.env)
		return
	}
	if p.m.page != screen.FirstRun {
		p.head()
	}
	p.m.screens[p.m.page].Draw(p.m.env, p.at(p.bands.Body))
	p.popups()
	p.foot()
}

// head draws header, nav and banner.
func (p painter) head() {
	env, unlock := p.m.env, p.m.page == screen.Unlock
	if unlock { // the page itself shows whose wallet it is
		env.Account = ledgerview.AccountRef{}
	}
	frame.Header(p.at(p.bands.Header), env)
	if !p.bands.Nav.Empty() && !unlock {
		frame.Nav(p.at(p.bands.Nav), p.m.env, p.m.withUnread(pagesWithKeys(p.m.table)), p.m.markedPage())
	}
	if !p.bands.Banner.Empty() {
		p.banner(p.at(p.bands.Banner))
	}
}

// banner draws the standing condition. If it does not fit, the key is shown that opens the full text.
func (p painter) banner(a canvas.Area) {
	text, end := p.m.banner(p.m.env), canvas.Line(nil)
	key := p.noticesKey()
	switch next := frame.NextTry(p.m.env); {
	case text.Width()+2 > a.W && key != "":
		end = canvas.Join(canvas.In(theme.Key, key), canvas.In(theme.Muted, " whole"))
		a.Sub(0, 0, a.W-end.Width()-2, 1).Put(1, 0, text)
	case next != nil && text.Width()+next.Width()+4 <= a.W:
		end = next
		fallthrough
	default:
		a.Put(1, 0, text)
	}
	a.PutRight(1, 0, end)
}

// noticesKey returns the key that opens the past notices; empty if it does something else now, such as typing a letter.
func (p painter) noticesKey() string {
	place, mode := p.m.front().Place()
	key := p.m.table.KeyOf(action.Everywhere, doNotices)
	if a, bound := p.m.table.Find(place, key, mode == screen.TYPE); !bound || a.ID != doNotices {
		return ""
	}
	return key
}

// foot draws hints and status row; a toast is shown wherever there is room for it.
func (p painter) foot() {
	place, mode := p.m.front().Place()
	status, keys := p.at(p.bands.StatusB), frameKeys(p.m.table)
	if help.Is(place) { // the help is open
		keys.Help, keys.Typed = "", ""
	}
	row, inStatus := p.at(p.bands.Hints), func(a canvas.Area) {
		frame.Hints(a, p.m.env, p.m.withWords(p.m.env, p.m.table.At(place)), mode == screen.TYPE, keys, p.m.whyOff)
	}
	hints := inStatus
	if !p.bands.Hints.Empty() {
		inStatus = nil
	}
	frame.Status(status, p.m.env, mode, p.m.crumb(), p.m.markedPage(), keys, inStatus)
	toasts, toast := p.m.say.toasts, p.m.env.Money().Masked(p.m.say.toasts.shown)
	switch seen := len(toasts.shown) > 0 && (mode != screen.TYPE || toasts.urgent); {
	case seen && !p.bands.Hints.Empty():
		p.toast(row.Sub(0, 0, row.W-8, 1), status, toast)
		if key := p.noticesKey(); key != "" {
			row.PutRight(1, 0, canvas.In(theme.Muted, key+" all"))
		}
	case seen:
		status.Fill(theme.Style{})
		status.Put(1, 0, toast)
	case !p.bands.Hints.Empty():
		hints(row)
	}
}

// toast draws a toast in a row, and what does not fit there in the status row: nobody opens the notices for the half of what is said.
func (p painter) toast(row, status canvas.Area, toast canvas.Line) {
	rows := toast.Wrap(row.W - 1)
	if len(rows) < 2 {
		row.Put(1, 0, toast)
		return
	}
	first, rest := rows[0], rows[1]
	if len(rows) > 2 || rest.Width() > status.W-1 {
		first, rest = toast.Split(row.W - 1)
	}
	row.Put(1, 0, first)
	status.Fill(theme.Style{})
	status.Put(1, 0, rest)
}

// sized is a pop-up that asks for a size.
type sized interface {
	Size(env screen.Env) (w, h int)
}

// popups draws the pop-ups over the page, which stays visible, muted.
func (p painter) popups() {
	body := p.bands.Body
	for _, pop := range p.m.popups {
		p.canvas.MuteRows(body.Y, body.H)
		w, h := body.W, body.H
		if s, ok := pop.(sized); ok {
			w, h = s.Size(p.m.env)
		}
		pop.Draw(p.m.env, p.at(layout.Popup(body, w, h, p.bands.Class)))
	}
}

// nextTheme changes to the next theme, and says which it is and where it is kept.
func nextTheme(m *Model) {
	names := []string{"dark", "light", "contrast", "mono"}
	at := slices.Index(names, m.opt.Theme) // -1: chosen by the terminal
	m.opt.Theme = names[(at+1)%len(names)]
	restyle(m, screen.Restyle{Theme: m.opt.Theme, Color: m.opt.Color, ASCII: m.env.ASCII, Motion: m.env.Motion})
	m.toast(screen.Toast{Line: canvas.Text("Theme " + m.opt.Theme + ". Settings keeps one for the next start.")})
}

func restyle(m *Model, to screen.Restyle) {
	m.env.Motion = to.Motion
	if m.opt.Restyle == nil {
		return
	}
	m.env.ASCII = to.ASCII
	m.theme = m.opt.Restyle(to.Theme, to.Color, to.ASCII)
}
