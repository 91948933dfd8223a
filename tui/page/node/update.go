package node

import (
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	m.read()
	switch msg := msg.(type) {
	case screen.Result:
		if info, read := msg.Body.(ledgerview.Info); m.tasks.Accept(msg) && read && msg.Err == nil {
			m.info = &info
		}
	case screen.Click:
		m.focus = msg.Panel
		m.at[m.focus].Jump(msg.At, m.rows())
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Tick:
	default:
		return m.ask(env)
	}
	return nil
}
