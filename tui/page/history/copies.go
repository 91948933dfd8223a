package history

import (
	"billfold/tui/screen"
	"billfold/tui/widget/rows"
)

// Copies implements screen.Copier: the row in focus.
func (m *Model) Copies(screen.Env) []screen.Value {
	if e, ok := m.list.table.focused(); ok && m.export == nil {
		return rows.Copies(e)
	}
	return nil
}
