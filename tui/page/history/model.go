// Package history is the page of all operations of the account in focus:
// table, detail, filter, jumps. Rows are addressed by their position among
// those that match, in the wallet's index on disk; of them a window of about
// three screens is at hand.
//
//	key, event ──► question ──Desk──► index ──Mail──► answer ──► window, counts
//	                  │ a later one ends the earlier
//
// The newest row that the page was opened with is its edge: newer ones wait and
// are told, they never push the view. Without an index, rows are read page by
// page as the person moves down (plain.go), and the filter waits.
package history

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Reader is what the page needs of the wallet.
type Reader interface {
	History(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]walletcore.HistoryEntry, error)
	HistoryProgress(ctx context.Context, id ledger.AccountID) (walletcore.HistoryProgress, error)
	HistoryFind(ctx context.Context, id ledger.AccountID, words string, now time.Time) (walletcore.HistoryFilter, error)
	Index
	Exporter
}

// Index answers from the rows on disk.
type Index interface {
	HistoryPage(ctx context.Context, id ledger.AccountID, f walletcore.HistoryFilter, win walletcore.HistoryWindow) ([]walletcore.HistoryEntry, error)
	HistoryCount(ctx context.Context, id ledger.AccountID, f walletcore.HistoryFilter) (uint64, error)
	HistoryTally(ctx context.Context, id ledger.AccountID, f walletcore.HistoryFilter) (walletcore.HistoryTally, error)
	HistoryPosition(ctx context.Context, id ledger.AccountID, f walletcore.HistoryFilter, row ledger.HistoryID) (uint64, error)
	HistoryJump(ctx context.Context, id ledger.AccountID, f walletcore.HistoryFilter, at ledger.Time) (walletcore.HistoryPlace, bool, error)
}

// readLimit is how long one reading may take.
const readLimit = 30 * time.Second

// line says which line of text has the keyboard.
type line int

const (
	noLine line = iota
	filterLine
	dateLine
)

// Model is the page.
type Model struct {
	core    Reader
	tasks   *screen.Tasks
	account ledger.AccountID

	rows    []walletcore.HistoryEntry // those at hand, newest first
	first   int                       // how many matching ones are newer than rows[0]
	total   int                       // how many match; at least so many while not counted
	counted bool
	fit     []walletcore.HistoryEntry // those that set the widths of the table
	read    time.Time
	fault   error

	indexed  bool
	progress walletcore.HistoryProgress
	pace     pace
	filter   walletcore.HistoryFilter // what words say, up to the edge
	words    string                   // that the rows answer
	asking   string                   // that the open question is about
	mistake  *walletcore.HistoryMistake
	mistaken string // the text that the mistake is in
	edge     ledger.HistoryID
	fresh    int // matching rows newer than the edge
	sums     []walletcore.HistorySum
	told     string // the last notice of the index

	stop      context.CancelFunc // ends the open question
	stopCount context.CancelFunc // ends the open count
	again     bool               // something happened since the question was asked

	more bool // without an index: older ones exist

	at     list.Cursor // in the order of the screen
	oldest bool        // oldest first
	follow bool
	text   field.Field
	date   field.Field
	noDate bool // what was typed is no date
	typing line
	detail bool // the pane is on
	page   bool // the detail is a page of its own
	want   ledger.HistoryID
	export *exporting // the pop-up; nil: closed
	goLast bool       // without an index: reading on to the end
}

// New makes the page.
func New(core Reader, tasks *screen.Tasks) *Model {
	return &Model{core: core, tasks: tasks, detail: true, stop: func() {}, stopCount: func() {}}
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	switch {
	case m.typing == filterLine:
		return "History › Filter"
	case m.typing == dateLine:
		return "History › Date"
	case m.export != nil:
		return "History › Export"
	case m.page:
		return "History › Detail"
	}
	return "History"
}

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Opened:
		return m.opened(env, msg.With)
	case event.Event:
		return m.event(env, msg.Kind)
	case screen.Result:
		return m.result(env, msg)
	case screen.Tick:
		if m.export != nil && m.export.done != nil {
			m.export.seen = m.export.done.Load()
		}
	case screen.Click:
		m.at.Jump(msg.At, m.total)
		m.follow = false
	case screen.Text:
		return m.typed(env, msg)
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}

// event reads again what may have changed. Blocks alone do not change rows that
// the index has; without one they are the only news there is.
func (m *Model) event(env screen.Env, kind event.Kind) tea.Cmd {
	switch {
	case kind == event.Block && m.indexed:
		return nil
	case kind == event.Lock && !m.indexed:
		m.rows, m.total = nil, 0 // memos open and close with the wallet: read again
	}
	return m.refresh(env)
}

func (m *Model) opened(env screen.Env, with any) tea.Cmd {
	m.same(env)
	switch with := with.(type) {
	case screen.Filter:
		m.text.Set(string(with))
		m.asking, m.page, m.want = string(with), false, 0
		return m.goFirst(env)
	case ledger.HistoryID:
		m.text.Set("")
		m.asking, m.want, m.edge = "", with, 0
	}
	m.tasks.Forget(look) // what is asked now knows all of it
	if m.at.At == 0 && m.want == 0 && !m.oldest {
		return m.goFirst(env)
	}
	return m.refresh(env)
}

// same reports whether the rows are those of the account in focus; if not, they are
// dropped.
func (m *Model) same(env screen.Env) bool {
	if env.Account.ID == m.account {
		return true
	}
	was := *m
	*m = Model{core: was.core, tasks: was.tasks, stop: was.stop, stopCount: was.stopCount, account: env.Account.ID, indexed: was.indexed,
		text: was.text, asking: was.text.Value(), typing: was.typing, date: was.date, detail: was.detail, want: was.want}
	m.stop()
	m.stopCount()
	if was.export != nil && was.export.stop != nil {
		was.export.stop()
	}
	for _, topic := range []string{look, tally, older, newest, export} {
		m.tasks.Forget(topic)
	}
	return false
}

// row is the one at a place of the screen's list; ok is false when it is not at
// hand yet.
func (m *Model) row(i int) (e walletcore.HistoryEntry, ok bool) {
	if at := m.position(i) - m.first; at >= 0 && at < len(m.rows) && i < m.total {
		return m.rows[at], true
	}
	return e, false
}

// position is how many matching rows are newer than the one at a place of the
// screen's list, and the other way round.
func (m *Model) position(i int) int {
	if m.oldest {
		return m.total - 1 - i
	}
	return i
}

// focused is the row in focus.
func (m *Model) focused() (walletcore.HistoryEntry, bool) { return m.row(m.at.At) }
