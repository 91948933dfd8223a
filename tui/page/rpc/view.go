package rpc

import (
	"fmt"
	"slices"
	"strings"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/overlay/approval"
	"billfold/tui/overlay/card"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/panel"
	queue "billfold/walletcore/approval"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	if m.secret != nil {
		m.drawSecret(env, a)
		return
	}
	p := layout.RPCScreen(a.W, a.H, env.PanelClass(), len(m.listeners)+len(m.core.Terms), m.rowCount(env, panelQueue), len(m.tokens)+1)
	shared := p.Clients == p.Tokens
	for id, part := range [panels]struct {
		at   layout.Rect
		draw func(screen.Env, canvas.Area)
	}{{p.Listeners, m.drawListeners}, {p.Clients, m.drawClients}, {p.Queue, m.drawQueue}, {p.Calls, m.drawCalls}, {p.Tokens, m.drawTokens}} {
		hidden := p.Single && m.focus != id || shared && id == panelClients && m.focus != panelClients ||
			shared && id == panelTokens && m.focus == panelClients
		if !hidden {
			part.draw(env, a.Sub(part.at.X, part.at.Y, part.at.W, part.at.H))
		}
	}
	if m.form.Form != nil {
		m.form.Form.Draw(env, a)
	}
}

func (m *Model) panel(id int, title, state canvas.Line, foot string) panel.Panel {
	return panel.Panel{ID: id, Focus: m.focus == id, Title: title, State: state, Foot: foot}
}

func (m *Model) drawListeners(env screen.Env, a canvas.Area) {
	p := m.panel(panelListeners, canvas.Text("Listener"), canvas.In(theme.Muted, "space on/off"), "")
	in := p.Draw(env, a)
	if len(m.listeners) == 0 && len(m.core.Terms) == 0 {
		panel.Put(in, 0, canvas.In(theme.Muted, "This program has no listeners."))
		return
	}
	line := func(i int) []canvas.Line { return listenerLine(env, m.listeners[i], in.W-4) }
	y := p.Rows(in, &m.cursors[panelListeners], len(m.listeners), line)
	for _, t := range m.core.Terms {
		in.Put(2, y, canvas.In(theme.Muted, fmt.Sprintf("%-*s", termW, t.Name)))
		text := canvas.Text(t.Text)
		if t.Open {
			text = canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" "), text)
		}
		y = panel.Put(in.Sub(termW, 0, in.W-termW, in.H), y, text)
	}
}

// termW is the width of the names of the terms.
const termW = 12

// listenerLine returns a listener: whether it is on, its address, and whether callers need a token.
func listenerLine(env screen.Env, d Listener, w int) []canvas.Line {
	name := canvas.Text(fmt.Sprintf("%-11s ", d.Name))
	state := canvas.In(theme.Muted, theme.SignOff+" off ")
	if d.On {
		state = canvas.In(theme.OK, theme.SignOn+" on  ")
	}
	who := canvas.In(theme.Muted, "  no token")
	if d.Token {
		who = canvas.In(theme.OK, "  token")
	}
	if d.Beyond {
		who = canvas.Join(canvas.Bold(theme.Warn, "  "+theme.SignCareful+" other machines reach it,"), who)
	}
	since := canvas.Line(nil)
	if d.On && !d.Since.IsZero() {
		since = canvas.In(theme.Muted, "  from "+env.Times().ClockOn(d.Since))
	}
	addr := canvas.Text(format.Clean(strings.TrimPrefix(strings.TrimPrefix(d.Addr, "http://"), "ws://"))) // the name says which
	if !d.On {
		addr = addr.As(theme.Muted)
	}
	for _, line := range []canvas.Line{canvas.Join(name, state, addr, who, since), canvas.Join(name, state, addr, who)} {
		if line.Width() <= w {
			return []canvas.Line{line}
		}
	}
	return append(canvas.Join(name, state, addr).Wrap(w), canvas.Join(canvas.Text(strings.Repeat(" ", 17)), who))
}

func (m *Model) drawClients(env screen.Env, a canvas.Area) {
	open := 0
	for _, c := range m.clients {
		if c.Open {
			open++
		}
	}
	p := m.panel(panelClients, canvas.Text("Clients"), canvas.In(theme.Muted, fmt.Sprintf("%d connected", open)), "x cut off")
	in := p.Draw(env, a)
	if len(m.clients) == 0 {
		panel.Put(in, 0, canvas.In(theme.Muted, "No program has called."))
		return
	}
	p.Rows(in, &m.cursors[panelClients], len(m.clients), func(i int) []canvas.Line {
		c := m.clients[i]
		sign := canvas.In(theme.Muted, theme.SignOff+" ")
		if c.Open {
			sign = canvas.In(theme.OK, theme.SignOn+" ")
		}
		rest := fmt.Sprintf("  %s  %s calls  %s ago", viaText(c.Via), format.Count(c.Calls), format.Age(env.Now.Sub(c.Last)))
		if c.From != "" {
			rest += "  from " + format.Clean(c.From)
		}
		return canvas.Join(sign, canvas.Text(canvas.Cut(format.Clean(c.Who), 20)), canvas.In(theme.Muted, rest)).Wrap(in.W - 4)
	})
}

func (m *Model) drawQueue(env screen.Env, a canvas.Area) {
	state := canvas.In(theme.Muted, "0 waiting")
	n := len(env.Approvals)
	if n > 0 {
		state = canvas.In(theme.Pending, fmt.Sprintf("%d waiting", n))
	}
	p := m.panel(panelQueue, canvas.Text("Approval queue"), state, "↵ open · ! the oldest, from any page")
	in := p.Draw(env, a)
	if n+len(env.Unanswered) == 0 {
		text := "No program is waiting. Requests that need your approval appear here; nothing is signed without your A."
		if in.H < 2 {
			text = "No program is waiting."
		}
		panel.Put(in, 0, canvas.In(theme.Muted, text))
		return
	}
	p.Rows(in, &m.cursors[panelQueue], n+len(env.Unanswered), func(i int) []canvas.Line {
		if i >= n {
			return unansweredLine(env, env.Unanswered[i-n]).Wrap(in.W - 4)
		}
		return requestLine(env, env.Approvals[i]).Wrap(in.W - 4)
	})
}

// requestLine returns a request: its number, time left, client, and what it asks for. A
// locked wallet does not show the latter.
func requestLine(env screen.Env, r queue.Request) canvas.Line {
	left := canvas.In(theme.Muted, "   –  ") // a typed line waits until it is answered
	if !r.Until.IsZero() {
		left = canvas.In(theme.Pending, fmt.Sprintf("%4s  ", format.Countdown(r.Until.Sub(env.Now))))
	}
	who := canvas.Join(
		canvas.In(theme.Muted, fmt.Sprintf("%-5s", format.Serial(r.Number))),
		left,
		canvas.Text(canvas.Cut(format.Clean(r.Who), 14)+"   "),
	)
	if !env.Unlocked() {
		return canvas.Join(who, canvas.In(theme.Muted, "shown when the wallet is unlocked"))
	}
	return canvas.Join(who, canvas.Text(format.Clean(r.Method)+"  "), approval.Summary(r))
}

// unansweredLine returns a request that nobody answered: its number, when it ended, client, and what it asked for.
func unansweredLine(env screen.Env, r queue.Unanswered) canvas.Line {
	how := " expired, "
	if r.Left {
		how = " given up by it, "
	}
	head := canvas.In(theme.Muted, fmt.Sprintf("%-5s%s ", format.Serial(r.Number), theme.SignFailed)+format.Caller(r.Who)+", "+env.Times().ClockOn(r.Ended)+how+"nothing was signed: ")
	if !env.Unlocked() {
		return head
	}
	return canvas.Join(head, canvas.In(theme.Muted, format.Clean(r.Method)+"  "), approval.Summary(r.Request).As(theme.Muted))
}

func (m *Model) drawTokens(env screen.Env, a canvas.Area) {
	p := m.panel(panelTokens, canvas.Text("Tokens and policies"), canvas.In(theme.Muted, format.Count(len(m.tokens))),
		"n new · e edit · x revoke")
	in := p.Draw(env, a)
	switch {
	case m.fault != nil:
		panel.Put(in, 0, canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(advice.Sentence(m.fault))))
		return
	case m.core.Tokens == nil:
		panel.Put(in, 0, canvas.In(theme.Muted, "Without listeners nothing asks for tokens."))
		return
	case len(m.tokens) == 0:
		panel.Put(in, 0, canvas.In(theme.Muted, "No token yet. n makes one for a program: what it may call, and how much it may pay."))
		return
	}
	p.Rows(in, &m.cursors[panelTokens], len(m.tokens), func(i int) []canvas.Line { return m.tokenLine(env, m.tokens[i], in.W-4) })
}

// tokenLine returns a token: what it permits, how much was paid with it, and when it was last used.
func (m *Model) tokenLine(env screen.Env, t Token, w int) []canvas.Line {
	out := canvas.Text(canvas.Cut(format.Clean(t.Name), 16)).Pad(18)
	if t.Expired {
		out = canvas.Join(out, canvas.Bold(theme.Warn, theme.SignCareful+" expired  "))
	}
	out = canvas.Join(out, canvas.Text(format.Clean(t.Summary)))
	for i, s := range t.Spent {
		lead := "  · paid in 24 h "
		if i > 0 {
			lead = ", "
		}
		out = canvas.Join(out, canvas.In(theme.Muted, lead), env.Money().Amount(s.Asset, s.Amount))
	}
	for _, c := range m.clients {
		if c.Who == t.Name {
			out = canvas.Join(out, canvas.In(theme.Muted, "  · called "+format.Age(env.Now.Sub(c.Last))+" ago"))
			break
		}
	}
	return out.Wrap(w)
}

// TokenRows returns what a token permits, field by field, and what was done with it.
func TokenRows(env screen.Env, t Token, clients []Client) []card.Row {
	head := canvas.Text(format.Clean(t.Name))
	if t.Expired {
		head = canvas.Join(head, canvas.Bold(theme.Warn, "  "+theme.SignCareful+" expired"))
	}
	rows := []card.Row{{Label: "Token", Line: head}, {Label: "Id", Line: canvas.Text(format.Clean(t.ID))}, {Label: "In short", Line: canvas.Text(format.Clean(t.Summary))}}
	for _, f := range policyFields(t.Policy) {
		text := canvas.In(theme.Muted, "not restricted")
		if value := f.Input.Value(); value != "" {
			text = canvas.Text(format.Clean(value))
		}
		rows = append(rows, card.Row{Label: f.Label, Line: text})
	}
	for i, s := range t.Spent {
		label := []string{"Paid in 24 h", ""}[min(i, 1)]
		rows = append(rows, card.Row{Label: label, Line: env.Money().Amount(s.Asset, s.Amount)})
	}
	last := canvas.In(theme.Muted, "not since this program started")
	for _, c := range clients {
		if c.Who == t.Name {
			last = canvas.Text(format.Age(env.Now.Sub(c.Last)) + " ago")
			break
		}
	}
	return append(rows, card.Row{Label: "Last call", Line: last})
}

// drawSecret draws the text of the new token alone on the page.
func (m *Model) drawSecret(env screen.Env, a canvas.Area) {
	left := max(int(m.secretUntil.Sub(env.Now).Seconds()), 0)
	frame := canvas.Frame{Title: canvas.Bold(theme.Focus, "New token"), Heavy: true,
		State: canvas.In(theme.Warn, fmt.Sprintf("hidden in %d s", left)), Foot: canvas.In(theme.Muted, "y copy · esc I kept it")}
	in := a.Panel(frame, env.Class > layout.Tiny)
	y := panel.Put(in, 1, canvas.Text("Keep it now: it is stored as a hash, and never shown again."))
	y = panel.Put(in, y+1, canvas.Bold(theme.Text, string(m.secret)))
	y = panel.Put(in, y+1, canvas.In(theme.Warn,
		theme.SignCareful+" Anyone who has it may do what its policy permits. Send it as Authorization: Bearer."))
	if slices.ContainsFunc(m.listeners, func(d Listener) bool { return !d.Token }) {
		panel.Put(in, y+1, canvas.In(theme.Warn,
			theme.SignCareful+" Programs need no token here, and one without a token is not limited: --rpc-auth requires one."))
	}
}
