package console

import (
	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case screen.Text, screen.Command, screen.Click:
		m.stirred = true
	}
	switch msg := msg.(type) {
	case screen.Result:
		return m.result(env, msg)
	case screen.Text:
		if m.form != nil {
			if m.form.Type(msg.Key) {
				m.inStep()
			}
			return nil
		}
		if r, waits := waiting(env); waits && m.busy() && m.input.Empty() && msg.Key.String() == "!" { // no line begins with it
			return screen.Request(screen.Decide{Request: r})
		}
		if m.typing && m.input.Key(msg.Key) {
			m.offered, m.turn = nil, len(m.recalled)
		}
	case screen.Click:
		if m.form != nil {
			m.form.Click(msg)
			return nil
		}
		m.typing = msg.Panel == panelLine
		if msg.At >= 0 {
			m.at = msg.At
		}
	case screen.Opened:
		m.typing = true
		if line, begun := msg.With.(screen.Line); begun {
			m.input.Set(string(line))
			m.offered, m.turn = nil, len(m.recalled)
		}
		m.resume(env)
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}
