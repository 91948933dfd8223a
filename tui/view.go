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

// foot draws hints and status row. A toast stands above the hints, on the edge of the frame that ends the page; one of two rows moves the hints
// there, and takes their row and the status row. Over a pop-up or a review it takes the status row alone. It covers the hints only in the smallest
// windows.
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
	seen := len(toasts.shown) > 0 && (mode != screen.TYPE || toasts.urgent)
	switch {
	case seen && p.bands.Hints.Empty():
		p.putToast(status, toast)
		return
	case p.bands.Hints.Empty():
		return
	case !seen:
		hints(row)
		return
	}
	key := canvas.Line(nil)
	if is := p.noticesKey(); is != "" {
		key = canvas.In(theme.Muted, is+" all")
	}
	edge := p.canvas.All().Row(p.bands.Hints.Y - 1)
	first, rest := toastRows(toast, row.W)
	at := edge
	switch {
	case mode == screen.MODAL: // the edge may say that there is more below, of what is about to be approved
		hints(row)
		chip := canvas.Width(string(mode)) + 2
		p.putToast(status.Sub(chip, 0, status.W-chip, 1), toast)
		return
	case p.bands.Class == layout.Tiny: // it draws no frames: the row above may hold an amount
		at = row
	case len(rest) > 0:
		edge.Fill(theme.Style{})
		hints(edge)
		at = row
	default:
		hints(row)
	}
	p.putToast(at, first)
	at.PutRight(1, 0, key)
	if len(rest) > 0 {
		p.putToast(status, rest)
	}
}

// putToast draws a row of a toast in place of what stands there.
func (p painter) putToast(row canvas.Area, text canvas.Line) {
	row.Fill(theme.Style{})
	row.Put(1, 0, text)
}

// toastRows breaks a toast into at most two rows of w cells, of which the first leaves room for the key of the notices: nobody opens them for
// the half of what is said.
func toastRows(toast canvas.Line, w int) (first, rest canvas.Line) {
	const key = 8
	rows := toast.Wrap(w - 1 - key)
	switch {
	case len(rows) < 2:
		return toast, nil
	case len(rows) > 2 || rows[1].Width() > w-1:
		return toast.Split(w - 1 - key)
	}
	return rows[0], rows[1]
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
