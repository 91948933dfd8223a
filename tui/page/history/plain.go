package history

import (
	"context"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// pageRows is how many operations one reading without an index asks for.
const pageRows = 100

// mostRows is how many rows a jump to the end reads without an index; below
// them, rows are read as the person goes on.
const mostRows = 10_000

// nearEnd is how many rows before the last one older ones are asked for.
const nearEnd = 20

// readPlain reads the newest page.
func (m *Model) readPlain(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy(newest); busy {
		return nil
	}
	return m.askPlain(env, newest, 0)
}

// needOlder reads the page before the oldest row when the cursor comes near.
func (m *Model) needOlder(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy(older); busy || !m.more || len(m.rows) == 0 || m.at.At < m.total-nearEnd && !m.goLast {
		return nil
	}
	return m.askPlain(env, older, m.rows[len(m.rows)-1].ID)
}

func (m *Model) askPlain(env screen.Env, topic string, before ledger.HistoryID) tea.Cmd {
	id := m.account
	return m.tasks.Start(env, topic, readLimit, func(ctx context.Context) (any, error) {
		return m.core.History(ctx, id, before, pageRows)
	})
}

func (m *Model) plainRows(env screen.Env, topic string, page []walletcore.HistoryEntry) tea.Cmd {
	if m.indexed { // the index was faster
		return nil
	}
	if topic == newest {
		m.read = env.Now
		m.merge(page)
	} else {
		m.rows = append(m.rows, page...)
		m.more = len(page) == pageRows
	}
	m.first, m.total, m.counted, m.oldest = 0, len(m.rows), true, false
	m.widen(page)
	m.at.Jump(m.at.At, m.total)
	m.seek()
	if m.goLast {
		m.at.Jump(m.total-1, m.total)
		m.goLast = m.more && m.total < mostRows
		return m.needOlder(env)
	}
	return nil
}

// merge puts the newest page before what was read; the row in focus stays in
// focus unless it is the newest. A gap between the two means that the old rows
// are read anew.
func (m *Model) merge(page []walletcore.HistoryEntry) {
	focus, _ := m.focused()
	for i, e := range m.rows {
		if len(page) > 0 && e.ID == page[len(page)-1].ID {
			added := len(page) - i - 1
			m.rows = append(page, m.rows[i+1:]...)
			if m.at.At > 0 && focus.ID != 0 {
				m.at.Jump(m.at.At+added, len(m.rows))
			}
			return
		}
	}
	m.rows, m.more = page, len(page) == pageRows
}
