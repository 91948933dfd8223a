package history

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/layout"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/walletcore/history"
	historyexport "billfold/walletcore/history/export"
	words "billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/label"
	"billfold/walletcore/vault"
)

// Core holds what the page needs of the wallet.
type Core struct {
	Recent   Recent
	Index    Index
	Rows     Rows
	Counter  Counter
	Exporter Exporter

	Transactions Transactions
	Labels       Labels
}

// Recent reads rows from the node, newest first; it needs no index.
type Recent interface {
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
}

// Index reports how far the rows on disk reach, and parses filters. FindSoon searches memos for at most soon.
type Index interface {
	Progress(ctx context.Context, id ledger.AccountID) (history.Progress, error)
	FindSoon(ctx context.Context, id ledger.AccountID, text string, now time.Time, soon time.Duration) (words.Found, error)
}

// Rows reads rows from disk and finds their positions.
type Rows interface {
	Page(ctx context.Context, id ledger.AccountID, f historyindex.Filter,
		win historyindex.Window) ([]history.Entry, error)
	Position(ctx context.Context, id ledger.AccountID, f historyindex.Filter, row ledger.HistoryID) (uint64, error)
	Jump(ctx context.Context, id ledger.AccountID, f historyindex.Filter, at ledger.Time) (historyindex.Place, bool, error)
}

// Counter counts rows on disk and adds up the amounts that they move.
type Counter interface {
	Count(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (uint64, error)
	Totals(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (history.Totals, error)
}

// Exporter writes rows to a file.
type Exporter interface {
	Export(ctx context.Context, id ledger.AccountID, e historyexport.Request, progress func(rows uint64)) (uint64, error)
}

// Transactions finds transactions by block and position in it.
type Transactions interface {
	Transaction(ctx context.Context, at historyindex.TrxPosition) (Transaction, error)
}

// Transaction holds what is known about a transaction besides its rows.
type Transaction struct {
	ID    string    // empty: the node has no such block
	Final time.Time // when this wallet first saw it irreversible; zero if that is not known
}

// Labels keeps what the person wrote on rows.
type Labels interface {
	Of(row label.Row) (string, vault.MemoState)
	Set(ctx context.Context, row label.Row, text string) error
}

// The topics of the page's tasks.
const (
	topicWindow = "look"   // a window of rows
	topicTotals = "totals" // how many rows match, and what they move
	topicOlder  = "older"  // without an index: a page of older rows
	topicNewest = "newest" // without an index: the newest page

	topicTransaction = "identify"  // the transaction of the row in focus
	topicLabel       = "labelling" // a label is saved
	topicExportCount = "spanning"  // how many rows an export will have
)

// readLimit is the time limit for one reading.
const readLimit = 30 * time.Second

// input is the line of text that has the keyboard.
type input int

const (
	noInput input = iota
	filterInput
	dateInput
)

// Model is the page.
type Model struct {
	list       listing
	typing     input
	date       field.Field
	badDate    bool        // what was typed is not a date
	detailPane bool        // the detail stands beside or under the table
	detailPage bool        // the detail is a page of its own
	detailTop  int         // the first row of it on screen, if it is longer than the window
	export     *export     // the pop-up; nil: closed
	form       *filterForm // builds the filter; nil: closed
	label      labelForm
	rowInfo    rowInfo
	left       *spot // where the person was when the wallet was locked; shown once it is unlocked
	rowAlone   bool  // the wanted row gets the focus, but is not opened
}

// spot is a person's place on the page.
type spot struct {
	account    ledger.AccountID
	text       string // of the filter
	row        ledger.HistoryID
	order      order
	detailPage bool
}

// spot returns where the person is.
func (m *Model) spot() *spot {
	l := &m.list
	s := &spot{account: l.account, text: l.filter.text.Value(), order: l.table.order, detailPage: m.detailPage}
	if e, ok := l.table.focused(); ok && l.table.at.At > 0 {
		s.row = e.ID
	}
	return s
}

// goBackTo shows again what was on the page, if the account is still the same.
func (m *Model) goBackTo(s *spot) {
	l := &m.list
	if s.account != l.account {
		return
	}
	l.filter.text.Set(s.text)
	l.filter.pending, l.table.order = s.text, s.order
	if s.order != largestFirst {
		l.wanted, l.index.edge, m.rowAlone = s.row, 0, !s.detailPage
	}
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	m := &Model{detailPane: true}
	m.list = newListing(core, tasks, m.listRows)
	m.label = labelForm{labels: core.Labels, tasks: tasks}
	m.rowInfo = rowInfo{ids: core.Transactions, labels: core.Labels, tasks: tasks}
	return m
}

// Resume implements screen.Resumer: it takes over the form that is open. A filter that is not in its form may quote what was on
// screen, which a locked wallet must not show: it comes back, with the row, once the wallet is unlocked. So may an export of what such a filter shows, and a label that was opened to be changed.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	filter := &before.list.filter.text
	switch x := before.export; {
	case before.form != nil:
		m.list.filter.text, m.form = *filter, before.form
	case before.label.ask != nil && before.label.ask.Keep:
		m.label.restore(before.label)
	case x != nil && x.stop == nil && filter.Empty():
		m.export = x.rebind(&m.list)
	default:
		if m.left = before.left; m.left == nil {
			m.left = before.spot()
		}
		return
	}
	m.list.reset(before.list.account)
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	switch {
	case m.typing == filterInput:
		return "History › Filter"
	case m.typing == dateInput:
		return "History › Date"
	case m.export != nil:
		return "History › Export"
	case m.label.ask != nil:
		return "History › Label"
	case m.form != nil:
		return "History › Build filter"
	case m.detailPage:
		return "History › Detail"
	}
	return "History"
}

// Asking implements ask.Asker.
func (m *Model) Asking() *ask.Form {
	if m.export != nil {
		return nil
	}
	return m.label.ask
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	if m.export != nil {
		return m.export.place()
	}
	if m.label.ask != nil {
		return m.label.ask.Place()
	}
	if m.form != nil {
		return "history.form", screen.TYPE
	}
	switch m.typing {
	case filterInput:
		return "history.filter", screen.TYPE
	case dateInput:
		return "history.date", screen.TYPE
	}
	return "history", screen.KEYS
}

// hasLine reports whether there is a row above the list.
func (m *Model) hasLine() bool { return m.typing != noInput || !m.list.filter.text.Empty() }

// panels returns the layout of the page.
func (m *Model) panels(w, h int, env screen.Env) layout.HistoryPanels {
	return layout.HistoryScreen(w, h, env.PanelClass(), m.hasLine(), m.detailPane && !m.detailPage)
}

// listRows returns how many rows of one line the list can show.
func (m *Model) listRows(env screen.Env) int { return max(m.panels(env.W, env.H, env).List.H-3, 1) }

// showAccount shows the account in focus; what the page has of another one is
// dropped.
func (m *Model) showAccount(account ledger.AccountID) {
	if account == m.list.account {
		return
	}
	m.list.reset(account)
	m.detailPage, m.badDate = false, false
	m.label.ask, m.form = nil, nil
	m.rowInfo.reset()
	if m.export != nil {
		m.export.cancel()
		m.list.tasks.Forget(topicExport)
		m.export = nil
	}
}
