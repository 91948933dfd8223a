package receive

import (
	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen. What arrived is read again after every event of the
// wallet, as on Home.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Text:
		return m.typeKey(env, msg.Key)
	case screen.Click:
		m.click(msg)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Tick:
	default:
		return tea.Batch(m.readIncoming(env), m.lookUp(env))
	}
	return nil
}
