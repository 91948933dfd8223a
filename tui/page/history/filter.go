package history

import (
	"time"

	"billfold/tui/screen"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// hasLine reports whether the row above the list is there.
func (m *Model) hasLine() bool { return m.typing != noLine || !m.text.Empty() }

// typed takes a key for the line that has the keyboard.
func (m *Model) typed(env screen.Env, t screen.Text) tea.Cmd {
	if x := m.export; x != nil {
		x.own = x.file.Key(t.Key) || x.own
		return nil
	}
	switch m.typing {
	case filterLine:
		if m.text.Key(t.Key) {
			return m.askWords(env, typingPause)
		}
	case dateLine:
		if m.date.Key(t.Key) {
			m.noDate = false
		}
	}
	return nil
}

// askWords asks for the rows that the filter's text means, after a pause in
// which more may be typed. The row in focus stays in focus if it is among them.
func (m *Model) askWords(env screen.Env, pause time.Duration) tea.Cmd {
	m.asking, m.follow = m.text.Value(), false
	if failure := m.text.Fault(); failure != "" {
		m.mistake, m.mistaken, m.asking = &walletcore.HistoryMistake{What: failure}, m.asking, m.words
		return nil
	}
	if len(env.Accounts) == 0 {
		return nil
	}
	q := m.question(env).anew()
	q.pause = pause
	return m.ask(env, q)
}

// take puts the nearest word where the mistake is.
func (m *Model) take(env screen.Env) tea.Cmd {
	if !m.mistaking() || m.mistake.Nearest == "" {
		return nil
	}
	text := m.mistaken
	m.text.Set(text[:m.mistake.From] + m.mistake.Nearest + text[m.mistake.To:])
	return m.askWords(env, 0)
}

// mistaking reports whether the mistake is in the text that stands there.
func (m *Model) mistaking() bool { return m.mistake != nil && m.mistaken == m.text.Value() }
