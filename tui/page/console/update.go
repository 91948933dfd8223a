package console

import (
	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case screen.Text, screen.Command, screen.Click:
		m.keyPressed = true
	}
	switch msg := msg.(type) {
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Text:
		if m.form != nil {
			if m.form.Type(msg.Key) {
				m.updateBelow()
			}
			return nil
		}
		if r, waits := pendingApproval(env); waits && m.busy() && m.input.Empty() && msg.Key.String() == "!" { // no line begins with !
			return screen.Request(screen.Decide{Request: r})
		}
		if m.typing && m.input.Key(msg.Key) {
			m.completions, m.historyAt = nil, len(m.history)
		}
	case screen.Click:
		if m.form != nil {
			m.form.Click(msg)
			return nil
		}
		m.typing = msg.Panel == panelLine
		if msg.At >= 0 {
			m.focus = msg.At
		}
	case screen.Opened:
		m.typing = true
		if line, begun := msg.With.(screen.Line); begun {
			m.input.Set(string(line))
			m.completions, m.historyAt = nil, len(m.history)
		}
		m.restoreDraft(env)
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}
