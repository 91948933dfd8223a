package history

import (
	"context"
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

// index holds what is known about the rows on disk.
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

// pageRows is the number of operations that one reading from the node asks for.
const pageRows = 100

// maxRows is the maximum number of rows that a jump to the end reads without an index;
// older ones are read as the person moves on.
const maxRows = 10_000

// nearEnd is the distance of the cursor from the last row, in rows, within which older ones are read.
const nearEnd = 20

// unindexed fills the table while there is no index: from the node, page by page, newest first.
type unindexed struct {
	recent       Recent
	tasks        *screen.Tasks
	more         bool // older rows exist
	readingToEnd bool // pages are read one after another up to the oldest row
}

// readNewest starts reading the newest page.
func (u *unindexed) readNewest(env screen.Env, id ledger.AccountID) tea.Cmd {
	if _, busy := u.tasks.Busy(topicNewest); busy {
		return nil
	}
	return u.readPage(env, topicNewest, id, 0)
}

// needOlder starts reading a page of older rows if the cursor is near the oldest one read.
func (u *unindexed) needOlder(env screen.Env, id ledger.AccountID, t *table) tea.Cmd {
	if _, busy := u.tasks.Busy(topicOlder); busy || !u.more || len(t.rows) == 0 || t.at.At < t.total-nearEnd && !u.readingToEnd {
		return nil
	}
	return u.readPage(env, topicOlder, id, t.rows[len(t.rows)-1].ID)
}

func (u *unindexed) readPage(env screen.Env, topic string, id ledger.AccountID, before ledger.HistoryID) tea.Cmd {
	recent := u.recent
	return u.tasks.Start(env, topic, readLimit, func(ctx context.Context) (any, error) {
		return recent.Entries(ctx, id, before, pageRows)
	})
}

// goEnd goes to the oldest row, reading up to it, or to the newest row read.
func (u *unindexed) goEnd(t *table, oldest bool) {
	if !oldest {
		t.at.Jump(0, t.total)
		return
	}
	t.at.Jump(t.total-1, t.total)
	u.readingToEnd = u.more
}

// addPage adds a page to the table.
func (u *unindexed) addPage(t *table, topic string, page []history.Entry) {
	switch {
	case topic != topicNewest:
		t.rows = append(t.rows, page...)
		u.more = len(page) == pageRows
	case !t.merge(page):
		u.more = len(page) == pageRows
	}
	t.first, t.total, t.counted, t.order = 0, len(t.rows), true, newestFirst
	t.updateWidest(page)
	t.at.Jump(t.at.At, t.total)
	if u.readingToEnd {
		t.at.Jump(t.total-1, t.total)
		u.readingToEnd = u.more && t.total < maxRows
	}
}
