package history

import (
	"context"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/history"

	tea "github.com/charmbracelet/bubbletea"
)

// pageRows is how many operations one reading without an index asks for.
const pageRows = 100

// mostRows is how many rows a jump to the end reads without an index; below
// them, rows are read as the person continues.
const mostRows = 10_000

// nearEnd is how many rows before the last one older ones are asked for.
const nearEnd = 20

// plain fills the table without an index: page by page, the newest first.
type plain struct {
	recent Recent
	tasks  *screen.Tasks
	more   bool // older rows exist
	toEnd  bool // reading on to the end
}

// readNewest reads the newest page.
func (p *plain) readNewest(env screen.Env, id ledger.AccountID) tea.Cmd {
	if _, busy := p.tasks.Busy(newest); busy {
		return nil
	}
	return p.read(env, newest, id, 0)
}

// needOlder reads the page before the oldest row when the cursor comes near.
func (p *plain) needOlder(env screen.Env, id ledger.AccountID, t *table) tea.Cmd {
	if _, busy := p.tasks.Busy(older); busy || !p.more || len(t.rows) == 0 || t.at.At < t.total-nearEnd && !p.toEnd {
		return nil
	}
	return p.read(env, older, id, t.rows[len(t.rows)-1].ID)
}

func (p *plain) read(env screen.Env, topic string, id ledger.AccountID, before ledger.HistoryID) tea.Cmd {
	recent := p.recent
	return p.tasks.Start(env, topic, readLimit, func(ctx context.Context) (any, error) {
		return recent.Entries(ctx, id, before, pageRows)
	})
}

// goEnd goes to the oldest row there is, reading on, or to the newest one read.
func (p *plain) goEnd(t *table, oldest bool) {
	if !oldest {
		t.at.Jump(0, t.total)
		return
	}
	t.at.Jump(t.total-1, t.total)
	p.toEnd = p.more
}

// take puts a page into the table.
func (p *plain) take(t *table, topic string, page []history.Entry) {
	switch {
	case topic != newest:
		t.rows = append(t.rows, page...)
		p.more = len(page) == pageRows
	case !t.merge(page):
		p.more = len(page) == pageRows
	}
	t.first, t.total, t.counted, t.order = 0, len(t.rows), true, newestFirst
	t.widen(page)
	t.at.Jump(t.at.At, t.total)
	if p.toEnd {
		t.at.Jump(t.total-1, t.total)
		p.toEnd = p.more && t.total < mostRows
	}
}
