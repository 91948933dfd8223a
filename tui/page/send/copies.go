package send

import (
	"billfold/tui/screen"
	"billfold/tui/widget/rows"
)

// Copies implements screen.Copier: the payment that is on its way.
func (m *Model) Copies(env screen.Env) []screen.Value {
	if m.stage != stageSending || !m.sending.known {
		return nil
	}
	for _, p := range env.Payments {
		if p.ID == m.sending.id {
			return rows.CopiesOf(p)
		}
	}
	return nil
}
