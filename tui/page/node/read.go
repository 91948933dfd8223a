package node

import (
	"context"

	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// readPool copies the state of the pool, without asking a node.
func (m *Model) readPool() {
	m.daemons, m.log = m.core.Pool.Daemons(), m.core.Pool.Log()
}

// readChain starts reading the state of the chain, unless a reading is under way.
func (m *Model) readChain(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy("chain"); busy || !env.Online() {
		return nil
	}
	return m.tasks.Start(env, "chain", readLimit, func(ctx context.Context) (any, error) { return m.core.Chain.Info(ctx) })
}
