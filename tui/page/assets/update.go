package assets

import (
	"billfold/tui/screen"
	"billfold/tui/widget/list"

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
	case screen.Opened:
		cmd := m.readHoldings(env)
		if symbol, asked := msg.With.(screen.Filter); asked {
			m.search.Set(string(symbol))
			m.focus, m.typing, m.cursors[panelAssets] = panelAssets, false, list.Cursor{}
			return tea.Batch(cmd, m.searchAssets(env))
		}
		return cmd
	default:
		return m.readHoldings(env)
	}
	return nil
}
