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
		return m.applyResult(env, msg)
	case screen.Text:
		return m.typeKey(env, msg.Key)
	case screen.Click:
		m.click(msg)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		m.note = ""
		return m.readProposals(env)
	case event.Event:
		if msg.Kind == event.Block && env.Now.Sub(m.readAt) < readAgainAfter {
			return nil
		}
		return m.readProposals(env)
	}
	return nil
}

// typeKey types a key into the field that has the keyboard.
func (m *Model) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	switch {
	case m.typing == inPath:
		m.path.Key(k)
	case m.typing == inFilter && m.filter.Key(k):
		m.cursor.Jump(0, len(m.proposals))
	case m.file != nil:
		return m.file.page.Text(env, k)
	}
	return nil
}

func (m *Model) click(c screen.Click) {
	if m.file != nil {
		return
	}
	m.typing, m.focus = nowhere, c.Panel
	if c.At >= 0 && c.Panel == panelList {
		m.cursor.Jump(c.At, len(m.filtered()))
		m.scrolled = 0
	}
}
