package settings

import (
	"billfold/tui/format"
	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Result:
		return m.applyResult(msg)
	case screen.Text:
		switch {
		case m.typing == inValue:
			m.edit.Key(msg.Key)
		case m.typing == inFilter && m.filter.Key(msg.Key):
			m.cursor.Jump(0, len(m.all))
		}
	case screen.Click:
		m.typing = nowhere
		m.cursor.Pick(msg.At, len(m.filtered()))
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		m.fault, m.doneText = "", ""
		if name, asked := msg.With.(screen.Filter); asked {
			m.filter.Set(string(name))
			m.cursor.Jump(0, 1)
		}
		return m.startReading(env)
	}
	return nil
}

// applyResult applies what was read. After a change the root gets the look again, which takes effect at once.
func (m *Model) applyResult(msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	if msg.Err != nil {
		m.fault, m.doneText = format.Clean(msg.Err.Error())+".", ""
		return nil
	}
	m.all, _ = msg.Body.([]Setting)
	m.loaded = true
	if msg.Topic != topicChange {
		return nil
	}
	m.typing = nowhere
	look := screen.Restyle{}
	for _, s := range m.all {
		switch s.Name {
		case "theme":
			look.Theme = s.Value
		case "color":
			look.Color = s.Value
		case "motion":
			look.Motion = screen.Motion(s.Value)
		case "ascii":
			look.ASCII = s.Value == "true"
		}
	}
	return screen.Request(look)
}
