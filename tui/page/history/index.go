package history

import (
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/history"

	tea "github.com/charmbracelet/bubbletea"
)

// index is what is known of the rows on disk.
type index struct {
	known    bool // there is an index
	progress history.Progress
	pace     pace
	edge     ledger.HistoryID // the newest row that is shown
	fresh    int              // matching rows newer than the edge
	notice   string           // the last one of the index that was announced
}

func (x *index) set(now time.Time, a answer) {
	x.known, x.edge, x.progress, x.fresh = true, a.edge, a.progress, a.fresh
	x.pace.note(now, a.progress)
}

// announce shows the notice of the index when it is another one.
func (x *index) announce(p history.Progress) tea.Cmd {
	if p.Notice == "" || p.Notice == x.notice {
		return nil
	}
	x.notice = p.Notice
	return warning(format.Clean(p.Notice))
}

// lost warns that the chain took back rows.
func lost(rows int) tea.Cmd {
	switch rows {
	case 0:
		return nil
	case 1:
		return warning("The chain took back a block: 1 row is gone")
	}
	return warning(fmt.Sprintf("The chain took back blocks: %d rows are gone", rows))
}

func warning(text string) tea.Cmd {
	return screen.Request(screen.Toast{Bad: true, Line: canvas.In(theme.Warn, theme.SignCareful+" "+text)})
}
