package node

import (
	"context"

	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// read takes what the pool says now; nothing is asked for it.
func (m *Model) read() {
	m.daemons, m.log = m.core.Pool.Daemons(), m.core.Pool.Log()
}

// ask asks for the chain, once for each block that the page sees.
func (m *Model) ask(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy("chain"); busy || !env.Online() {
		return nil
	}
	return m.tasks.Start(env, "chain", askLimit, func(ctx context.Context) (any, error) { return m.core.Chain.Info(ctx) })
}
