package home

import (
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Opened:
		return m.read(env)
	case event.Event:
		return m.read(env)
	case screen.Result:
		return m.result(env, msg)
	case screen.Click:
		m.focus = msg.Panel
		m.at[msg.Panel].Jump(msg.At, m.rows(env, msg.Panel))
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	p := layout.HomeScreen(a.W, a.H, env.Class, len(m.balances), m.pendingRows(env, a.W-6))
	draw := [panels]func(screen.Env, canvas.Area){m.accounts, m.drawBalances, m.pending, m.drawRecent}
	rects := [panels]layout.Rect{p.Accounts, p.Balances, p.Pending, p.Recent}
	for i, r := range rects {
		if r.Empty() || p.Single && i != m.focus {
			continue
		}
		draw[i](env, a.Sub(r.X, r.Y, r.W, r.H))
	}
}
