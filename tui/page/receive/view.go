package receive

import (
	"fmt"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/panel"
	"billfold/tui/widget/rows"
	"billfold/tui/widget/sheet"
	"billfold/walletcore/history"
)

// labelW is the width of the labels in the panel of the request.
const labelW = 10

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	code := m.code(env)
	if m.codeAlone {
		m.drawWhole(env, a)
		return
	}
	w, h := 0, 0
	if code != nil {
		w, h = code.Size()
	}
	p := layout.ReceiveScreen(a.W, a.H, env.Class, w, h)
	if all := (layout.Rect{W: a.W, H: a.H}); env.Zoomed {
		p = layout.ReceivePanels{Single: true, Request: all, Incoming: all}
	}
	at := func(r layout.Rect) canvas.Area { return a.Sub(r.X, r.Y, r.W, r.H) }
	if code != nil && !p.Scan.Empty() {
		frame := canvas.Frame{Title: canvas.Bold(theme.Text, "Scan"), State: canvas.In(theme.Muted, "i invert · o alone")}
		code.Draw(at(p.Scan).Box(frame), m.inverted)
	}
	if !p.Single || m.focus == panelRequest {
		m.drawRequest(env, at(p.Request), p.Scan.Empty())
	}
	if !p.Single || m.focus == panelIncoming {
		m.drawIncoming(env, at(p.Incoming))
	}
}

// drawWhole draws the code alone, or why it cannot be drawn.
func (m *Model) drawWhole(env screen.Env, a canvas.Area) {
	code := m.code(env)
	if code == nil {
		a.PutCentre(a.H/2, canvas.Text("The request is too long for a QR code. esc goes back."))
		return
	}
	w, h := code.Size()
	if w > a.W || h+1 > a.H {
		a.PutCentre(a.H/2, canvas.Text(fmt.Sprintf("The QR code needs %d x %d cells.", w, h+1)))
		a.PutCentre(a.H/2+1, canvas.Text("Make the window larger, or save it with s."))
		return
	}
	code.Draw(a.Top(a.H-1), m.inverted)
	a.PutCentre(a.H-1, canvas.Join(canvas.In(theme.Muted, "Pay to "), format.Account(env.Account)))
}

func (m *Model) drawRequest(env screen.Env, a canvas.Area, alone bool) {
	p := panel.Panel{ID: panelRequest, Focus: m.focus == panelRequest, Title: canvas.Text("Receive"),
		Foot: "e ask for an amount · y copy · s save"}
	in := p.Draw(env, a)
	s := &sheet.Sheet{In: in, Labels: labelW}
	if len(env.Accounts) == 0 {
		s.Put("", canvas.Text("This wallet has no account yet. 1 goes to Home, and i there imports a key."))
		return
	}
	whole := &sheet.Sheet{In: in.Top(0), Labels: labelW} // draws nothing
	m.putRequest(env, whole, alone, true)
	m.putRequest(env, s, alone, whole.Y < in.H)
}

// putRequest puts the account and the request on a sheet. Advice is added if there is room: what is wrong, the link, and whether
// this wallet can spend what arrives are more important.
func (m *Model) putRequest(env screen.Env, s *sheet.Sheet, alone, advice bool) {
	s.Put("Account", format.Account(env.Account))
	s.Put("Network", canvas.Text(format.Clean(env.Status.Network)))
	if advice {
		s.Put("", canvas.In(theme.Muted, "Give the name and the id: names are easy to mistake, the id is not."))
	}
	if advice && s.In.H > 10 {
		s.Y++
	}
	for f := range fieldCount {
		m.drawField(s, f)
	}
	if p := m.problem(); p != "" {
		s.Put("", canvas.In(theme.Warn, theme.SignCareful+" "+p))
	}
	s.Put("Link", canvas.In(theme.Focus, m.link(env)))
	s.Put("", m.ownershipLine(env))
	if alone && !env.ASCII {
		s.Put("", canvas.In(theme.Muted, "o shows the QR code"))
	}
}

// drawField draws a field of the request.
func (m *Model) drawField(s *sheet.Sheet, f fieldID) {
	live := m.typing && m.request.focusField == f
	s.In.Put(2, s.Y, canvas.In(theme.Muted, f.name()))
	if live {
		s.In.Put(1+labelW, s.Y, canvas.In(theme.Focus, theme.SignRow))
	}
	box := s.In.Sub(2+labelW, s.Y, s.In.W-labelW-4, 1)
	if m.fields[f].Empty() && !live {
		box.Put(0, 0, canvas.In(theme.Muted, canvas.Cut(m.hint(f), box.W)))
	} else {
		box.Put(0, 0, m.fields[f].Line(box.W, live))
	}
	box.Zone(screen.Click{Panel: panelRequest, At: int(f)})
	s.Y++
}

// ownershipLine returns whether this wallet's keys can spend what arrives.
func (m *Model) ownershipLine(env screen.Env) canvas.Line {
	if env.Owns(env.Account.ID) {
		return canvas.Join(canvas.In(theme.OK, theme.SignDone), canvas.Text(" this wallet can spend what arrives"))
	}
	return canvas.In(theme.Warn, theme.SignCareful+" this wallet alone cannot spend what arrives: it does not hold the keys")
}

func (m *Model) drawIncoming(env screen.Env, a canvas.Area) {
	title := canvas.Text("Incoming")
	if len(m.incoming) > 0 {
		title = canvas.Text("Incoming (" + env.Times().Zone(env.Now) + ")")
	}
	title = canvas.Join(title, env.AsOf(m.readAt))
	state := canvas.In(theme.OK, theme.SignOn+" live")
	if !env.Live() {
		state = canvas.In(theme.Warn, "not live")
	}
	in := panel.Panel{ID: panelIncoming, Focus: m.focus == panelIncoming, Title: title, State: state}.Draw(env, a)
	if note := m.emptyText(env); note != nil {
		for i, l := range note.Wrap(in.W - 4) {
			in.Put(2, i, l)
		}
		return
	}
	t := rows.New(env, m.incoming, in.W-3-len("  ✓ asked for"), false)
	at := m.cursor
	first, end := at.Window(len(m.incoming), in.H, func(i int) int { return len(t.Row(m.incoming[i])) })
	y := 0
	for i := first; i < end; i++ {
		lines := t.Row(m.incoming[i])
		for n, l := range lines {
			in.Put(2, y, l)
			if n == len(lines)-1 {
				in.PutRight(1, y, m.stateLine(m.incoming[i]))
			}
			rows.Mark(in, y, i == at.At && m.focus == panelIncoming, screen.Click{Panel: panelIncoming, At: i})
			y++
		}
	}
	list.Scroll(in, first, end-first, len(m.incoming))
}

// stateLine returns what follows a payment: that it is the requested one, or whether it is final.
func (m *Model) stateLine(e history.Entry) canvas.Line {
	if m.matches(e) {
		return canvas.In(theme.OK, theme.SignDone+" asked for")
	}
	return rows.State(e)
}

// emptyText returns what stands in place of the rows while the list has none; nil if it has some.
func (m *Model) emptyText(env screen.Env) canvas.Line {
	switch {
	case len(env.Accounts) == 0:
		return canvas.Text("Payments to an account of this wallet appear here.")
	case len(m.incoming) > 0:
		return nil
	case m.fault != nil:
		what, next := advice.Of(m.fault)
		return canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what+". "), canvas.In(theme.Muted, next))
	case !env.Live():
		return canvas.In(theme.Muted, "Payments cannot be seen now: no node is live. Link and QR code work.")
	case m.readAt.IsZero():
		reading := canvas.In(theme.Pending, theme.SignWork+" Reading payments to ")
		return canvas.Join(reading, format.Account(env.Account), canvas.Text(" …"))
	}
	return canvas.Text("Waiting for the first payment. It appears here as soon as it is in a block.")
}
