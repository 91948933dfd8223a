package contacts

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
		return m.click(env, msg)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		if who, given := msg.With.(screen.NewContact); given {
			if !env.Unlocked() {
				return screen.Request(screen.NeedUnlock{})
			}
			m.form.openAdd(env, who.Account)
		}
		return tea.Batch(m.form.restore(env), m.form.retryLookup(env), m.readAll(env), m.readFocused(env))
	case event.Event:
		return m.event(env, msg.Kind)
	}
	return nil
}

// event reads again what an event may have changed.
func (m *Model) event(env screen.Env, kind event.Kind) tea.Cmd {
	switch kind {
	case event.Daemon:
		return tea.Batch(m.check(env), m.form.retryLookup(env))
	case event.History, event.Accounts:
		return m.readDealings(env)
	case event.Block:
		if env.Online() && m.checked.IsZero() {
			return tea.Batch(m.check(env), m.form.retryLookup(env))
		}
		return m.form.retryLookup(env)
	case event.Lock, event.Payment:
	}
	return nil
}

func (m *Model) click(env screen.Env, c screen.Click) tea.Cmd {
	if m.form.Form != nil {
		m.form.Form.Click(c)
		return nil
	}
	m.typing = false
	m.cursor.Pick(c.At, len(m.rows(env)))
	return m.readFocused(env)
}

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicLookup:
		m.form.applyLookup(env, msg)
	case topicChange:
		said, made := m.form.finish(msg)
		if !made {
			return nil
		}
		m.focusOn(env, m.form.found.ID)
		return tea.Batch(m.readAll(env), screen.Request(screen.Toast{Line: said}))
	default:
		m.apply(env, msg)
	}
	m.cursor.Jump(m.cursor.At, len(m.rows(env)))
	return m.readFocused(env)
}
