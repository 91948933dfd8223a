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
	wide := a.W
	if layout.HomeCharts(a.H, env.Class) {
		wide = a.W * 54 / 100
	}
	p := layout.HomeScreen(a.W, a.H, env.Class, len(m.balances)+min(len(m.beside.tokens), 1), m.pendingRows(env, wide-6))
	if env.Zoomed {
		all := layout.Rect{W: a.W, H: a.H}
		p = layout.HomePanels{Single: true, Accounts: all, Balances: all, Pending: all, Recent: all}
	}
	draw := [panels]func(screen.Env, canvas.Area){m.accounts, m.drawBalances, m.pending, m.drawRecent}
	rects := [panels]layout.Rect{p.Accounts, p.Balances, p.Pending, p.Recent}
	for i, r := range rects {
		if r.Empty() || p.Single && i != m.focus {
			continue
		}
		draw[i](env, a.Sub(r.X, r.Y, r.W, r.H))
	}
	if !p.Chart.Empty() {
		m.drawChart(env, a.Sub(p.Chart.X, p.Chart.Y, p.Chart.W, p.Chart.H))
	}
	if !p.Side.Empty() {
		m.drawSide(env, a.Sub(p.Side.X, p.Side.Y, p.Side.W, p.Side.H))
	}
}
