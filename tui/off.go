package tui

import (
	"billfold/tui/action"
	"billfold/tui/screen"
)

// off returns why an action is not possible now, or nothing.
func (m *Model) off(id action.ID) string {
	if l, ok := m.front().(screen.Limiter); ok {
		return l.Off(m.env, id)
	}
	return ""
}
