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
	if m.focus == panelAccounts && m.noAccounts(env) { // the window became smaller
		m.focus = panelBalances
	}
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
	p := m.panels(env, a.W, a.H)
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

// panels says where the panels are in w by h cells.
func (m *Model) panels(env screen.Env, w, h int) layout.HomePanels {
	if env.Zoomed {
		all := layout.Rect{W: w, H: h}
		return layout.HomePanels{Single: true, Accounts: all, Balances: all, Pending: all, Recent: all}
	}
	wide := w
	if layout.HomeCharts(h, env.Class) {
		wide = w * 54 / 100
	}
	return layout.HomeScreen(w, h, env.Class, len(m.balances)+min(len(m.beside.tokens), 1), m.pendingRows(env, wide-6))
}

// noAccounts reports that the accounts have no panel: @ switches.
func (m *Model) noAccounts(env screen.Env) bool { return m.panels(env, env.W, env.H).Accounts.Empty() }
