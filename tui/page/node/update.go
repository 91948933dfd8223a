package node

import (
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	m.readPool()
	switch msg := msg.(type) {
	case screen.Text:
		if m.form.Form != nil {
			m.form.Form.Type(msg.Key)
		}
	case screen.Result:
		if msg.Topic == m.form.Topic {
			return m.applyChange(msg)
		}
		if info, read := msg.Body.(ledgerview.Info); m.tasks.Accept(msg) && read && msg.Err == nil {
			m.info = &info
		}
	case screen.Click:
		if m.form.Form != nil {
			m.form.Form.Click(msg)
			return nil
		}
		m.focus = msg.Panel
		m.cursors[m.focus].Pick(msg.At, m.rows())
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Tick:
	default:
		return m.readChain(env)
	}
	return nil
}

// applyChange takes the end of a change of addresses, and shows what was done.
func (m *Model) applyChange(msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) || !m.form.Ended(msg) {
		return nil
	}
	m.form.Close()
	said, _ := msg.Body.(string)
	return toast(false, format.Clean(said))
}
