package history

import (
	"fmt"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// news says what a new window tells besides its rows: that the chain took some
// back, or why the index is built anew.
func (m *Model) news(a answer) tea.Cmd {
	if text := a.progress.Notice; text != "" && text != m.told {
		m.told = text
		return screen.Request(screen.Toast{Bad: true, Line: canvas.In(theme.Warn, theme.SignCareful+" "+format.Clean(text))})
	}
	if a.words != m.words || !m.indexed || a.none {
		return nil
	}
	switch n := m.gone(a); n {
	case 0:
		return nil
	case 1:
		return screen.Request(screen.Toast{Bad: true, Line: canvas.In(theme.Warn, theme.SignCareful+" The chain took back a block: 1 row is gone")})
	default:
		return screen.Request(screen.Toast{Bad: true, Line: canvas.In(theme.Warn, fmt.Sprintf("%s The chain took back blocks: %d rows are gone", theme.SignCareful, n))})
	}
}

// gone counts the rows at hand that were not final and are no more.
func (m *Model) gone(a answer) int {
	stays := map[ledger.HistoryID]uint32{}
	for _, e := range a.list {
		stays[e.ID] = e.Block
	}
	n := 0
	for i, e := range m.rows {
		if e.Final {
			break
		}
		within := a.first == 0 || m.first+i >= a.first
		if block, ok := stays[e.ID]; within && m.first+i < a.first+len(a.list)+1 && (!ok || block != e.Block) {
			n++
		}
	}
	return n
}

// nothingThere returns why a jump stayed where it was.
func nothingThere(k kind) canvas.Line {
	switch k {
	case moment, dayBack:
		return canvas.Text("No row is older than that")
	case dayOn:
		return canvas.Text("No row is newer than that")
	}
	return canvas.Text("There is no row")
}

// widen keeps those rows that set the widths of the table, so that nothing moves
// sideways while the window moves: of each asset and direction the largest
// amount, and the longest name.
func (m *Model) widen(list []walletcore.HistoryEntry) {
	type column struct {
		asset ledger.AssetID
		way   walletcore.Direction
	}
	most := map[column]int{}
	long := -1
	for i, e := range m.fit {
		if i == 0 {
			long = i
			continue
		}
		most[column{e.Asset.ID, e.Direction}] = i
	}
	for _, e := range list {
		switch {
		case long < 0:
			m.fit, long = append(m.fit, e), 0
		case len(e.With.Name) > len(m.fit[long].With.Name) && format.Account(e.With).Width() <= longName:
			m.fit[long] = e
		}
		at := column{e.Asset.ID, e.Direction}
		switch i, seen := most[at]; {
		case !seen:
			most[at], m.fit = len(m.fit), append(m.fit, e)
		case max(e.Amount, e.Fee) > max(m.fit[i].Amount, m.fit[i].Fee):
			m.fit[i] = e
		}
	}
}

// longName is the widest account that widens its column.
const longName = 24
