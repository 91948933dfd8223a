package sign

import (
	"billfold/tui/screen"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Result:
		return m.result(env, msg)
	case screen.Text:
		if m.typing && m.filter.Key(msg.Key) {
			m.at.Jump(0, len(m.all))
		}
	case screen.Click:
		m.click(msg)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		m.note = ""
		return m.read(env)
	case event.Event:
		if msg.Kind == event.Block && env.Now.Sub(m.since) < stale {
			return nil
		}
		return m.read(env)
	}
	return nil
}

func (m *Model) click(c screen.Click) {
	m.typing, m.focus = false, c.Panel
	if c.At >= 0 && c.Panel == panelList {
		m.at.Jump(c.At, len(m.shown()))
		m.top = 0
	}
}
