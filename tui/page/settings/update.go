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
		return m.result(msg)
	case screen.Text:
		switch {
		case m.typing == inValue:
			m.edit.Key(msg.Key)
		case m.typing == inFilter && m.filter.Key(msg.Key):
			m.at.Jump(0, len(m.all))
		}
	case screen.Click:
		m.typing = nowhere
		m.at.Pick(msg.At, len(m.shown()))
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		m.fault, m.said = "", ""
		if name, asked := msg.With.(screen.Filter); asked {
			m.filter.Set(string(name))
			m.at.Jump(0, 1)
		}
		return m.reread(env)
	}
	return nil
}

// result takes what was read. What the look is made of is told the root, so that it counts at once.
func (m *Model) result(msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	if msg.Err != nil {
		m.fault, m.said = format.Clean(msg.Err.Error())+".", ""
		return nil
	}
	m.all, _ = msg.Body.([]Setting)
	m.read = true
	if msg.Topic != topicChange {
		return nil
	}
	m.typing = nowhere
	look := screen.Look{}
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
