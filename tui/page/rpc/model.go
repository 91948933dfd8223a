// Package rpc is the page of the listeners: where programs may call the wallet,
// and which of them wait for an answer.
package rpc

import (
	"fmt"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/overlay/approval"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	queue "billfold/walletcore/approval"

	tea "github.com/charmbracelet/bubbletea"
)

// Listener is a door that programs use to call the wallet.
type Listener struct{ Name, Addr string }

// Term is a condition under which programs may call: {"Spending", "you are asked"}.
type Term struct{ Name, Text string }

// Model is the page.
type Model struct {
	doors []Listener
	terms []Term
	at    list.Cursor
}

// New makes the page.
func New(doors []Listener, terms []Term) *Model { return &Model{doors: doors, terms: terms} }

// Places are the page's keys.
func Places() []action.Place {
	return []action.Place{{ID: "rpc", Title: "Approval queue", Actions: []action.Action{
		{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the request in focus", Hint: 1},
		{ID: "esc", Keys: []string{"esc"}, Word: "back to Home", Help: "back to Home", Hint: 3, Typing: true},
	}}}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) { return "rpc", screen.KEYS }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return "RPC › Approvals" }

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	if do == "enter" && len(env.Approvals) == 0 {
		return "no program is waiting"
	}
	return ""
}

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	n := len(env.Approvals)
	m.at.Jump(m.at.At, n)
	switch msg := msg.(type) {
	case screen.Click:
		m.at.Jump(msg.At, n)
	case screen.Command:
		if m.at.Do(msg.ID, n) {
			return nil
		}
		switch msg.ID {
		case "enter":
			if n > 0 {
				return screen.Request(screen.Decide{Request: env.Approvals[m.at.At]})
			}
		case "esc":
			return screen.Request(screen.Back{})
		}
	}
	return nil
}

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	top := len(m.doors) + len(m.terms) + 2
	if a.H < 2*top { // the queue has the better right to the room
		top = len(m.doors) + 2
	}
	if len(m.doors) == 0 {
		top = 3
	}
	m.drawDoors(panel(env, a.Top(top), "Listener", nil, nil, false))
	state := canvas.In(theme.Muted, "0 waiting")
	if n := len(env.Approvals); n > 0 {
		state = canvas.In(theme.Pending, fmt.Sprintf("%d waiting", n))
	}
	in := panel(env, a.Below(top), "Approval queue", state, canvas.In(theme.Muted, "↵ open · ! the oldest, from any page"), true)
	if len(env.Approvals) == 0 {
		m.drawEmpty(in)
		return
	}
	at := m.at
	first, end := at.Window(len(env.Approvals), in.H, list.One)
	for i := first; i < end; i++ {
		in.Put(2, i-first, row(env, env.Approvals[i]))
		if i == at.At {
			in.Put(0, i-first, canvas.In(theme.Focus, theme.SignRow))
			in.Tint(i-first, theme.SelectBg)
		}
		in.Row(i - first).Zone(screen.Click{At: i})
	}
	in.Scroll(first, end-first, len(env.Approvals))
}

func panel(env screen.Env, a canvas.Area, title string, state, foot canvas.Line, focus bool) canvas.Area {
	t := theme.Text
	if focus {
		t = theme.Focus
	}
	return a.Panel(canvas.Frame{Title: canvas.Bold(t, title), State: state, Foot: foot, Heavy: focus}, env.Class > layout.Tiny)
}

func (m *Model) drawDoors(in canvas.Area) {
	if len(m.doors) == 0 {
		in.Put(2, 0, canvas.In(theme.Muted, "Listener is off. Start it with billfold --tui --rpc-http or --rpc-ws."))
		return
	}
	for i, d := range m.doors {
		in.Put(
			2,
			i,
			canvas.Join(canvas.Text(fmt.Sprintf("%-12s", d.Name)), canvas.In(theme.OK, theme.SignOn+" on   "), canvas.Text(d.Addr)),
		)
	}
	for i, t := range m.terms {
		in.Put(2, len(m.doors)+i, canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-12s", t.Name)), canvas.Text(t.Text)))
	}
}

func (m *Model) drawEmpty(in canvas.Area) {
	const text = "No program is waiting. Requests that need your approval appear here; nothing is signed without your A."
	for i, l := range canvas.In(theme.Muted, text).Wrap(in.W - 4) {
		in.Put(2, i, l)
	}
}

// row is one request: number, client, what it asks for, time left. A locked
// wallet shows no more than that something waits.
func row(env screen.Env, r queue.Request) canvas.Line {
	left := canvas.In(theme.Pending, fmt.Sprintf("%4s  ", format.Left(r.Until.Sub(env.Now))))
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
