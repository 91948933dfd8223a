package assets

import (
	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Text:
		return m.typeKey(env, msg.Key)
	case screen.Click:
		m.typing, m.focus = false, msg.Panel
		m.cursors[m.focus].Pick(msg.At, m.rows())
		return m.readAsset(env)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Tick:
	default:
		return m.readHoldings(env)
	}
	return nil
}
