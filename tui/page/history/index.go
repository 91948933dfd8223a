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

// index is what is known about the rows on disk.
type index struct {
	known    bool // there is an index
	progress history.Progress
	pace     pace
	edge     ledger.HistoryID // the newest row that is shown
	newer    int              // matching rows newer than the edge
	notice   string           // the last notice of the index that was announced
}

func (x *index) update(now time.Time, a answer) {
	x.known, x.edge, x.progress, x.newer = true, a.edge, a.progress, a.newer
	x.pace.add(now, a.progress)
}

// announceNotice shows the notice of the index if it is a new one.
func (x *index) announceNotice(p history.Progress) tea.Cmd {
	if p.Notice == "" || p.Notice == x.notice {
		return nil
	}
	x.notice = p.Notice
	return warningToast(format.Clean(p.Notice))
}

// rowsLostToast warns that the chain undid blocks with so many rows.
func rowsLostToast(rows int) tea.Cmd {
	switch rows {
	case 0:
		return nil
	case 1:
		return warningToast("The chain took back a block: 1 row is gone")
	}
	return warningToast(fmt.Sprintf("The chain took back blocks: %d rows are gone", rows))
}

func warningToast(text string) tea.Cmd {
	return screen.Request(screen.Toast{Bad: true, Line: canvas.In(theme.Warn, theme.SignCareful+" "+text)})
}
