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
	if m.focus == panelAccounts && accountsHidden(m, env) { // the window became smaller
		m.focus = panelBalances
	}
	if since := env.Signing.Payment.Prepared; since != m.signingSince {
		m.signingSince = since
		return tea.Batch(m.startReading(env, topicDrafts), m.update(env, msg))
	}
	return m.update(env, msg)
}

func (m *Model) update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Opened:
		return tea.Batch(m.readAll(env), m.startReading(env, topicDrafts))
	case event.Event:
		if msg.Kind == event.Lock || msg.Kind == event.Payment { // a payment may have been a draft
			return tea.Batch(m.readAll(env), m.startReading(env, topicDrafts))
		}
		return m.readAll(env)
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Click:
		m.focus = msg.Panel
		m.cursors[msg.Panel].Pick(msg.At, m.rows(env, msg.Panel))
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	p := panelsOf(m, env, a.W, a.H)
	draw := [panels]func(screen.Env, canvas.Area){m.drawAccounts, m.drawBalances, m.drawPending, m.drawRecent}
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
