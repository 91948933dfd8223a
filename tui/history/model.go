// Package history is the page of all operations of the account in focus:
// table, detail, and a filter over the rows that were read. Rows are read
// from the core in pages as the person moves down; the page never pretends to
// know rows that it has not read.
package history

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/field"
	"billfold/tui/list"
	"billfold/tui/screen"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// Reader is what the page needs of the wallet.
type Reader interface {
	History(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]walletcore.HistoryEntry, error)
}

// pageRows is how many operations one reading asks for.
const pageRows = 100

// mostRows is how many rows a jump to the end reads; below them, rows are read
// as the person goes on.
const mostRows = 10_000

// readLimit is how long one reading may take.
const readLimit = 30 * time.Second

// Model is the page.
type Model struct {
	core    Reader
	desk    *screen.Desk
	account ledger.AccountID

	entries []walletcore.HistoryEntry // newest first
	shown   []walletcore.HistoryEntry // those that the filter lets through
	read    time.Time
	more    bool // older ones exist
	fault   error

	at     list.Cursor
	filter field.Field
	typing bool
	detail bool // the pane is on
	page   bool // the detail is a page of its own
	want   ledger.HistoryID
	goLast bool
}

// New makes the page.
func New(core Reader, desk *screen.Desk) *Model {
	return &Model{core: core, desk: desk, detail: true}
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	switch {
	case m.typing:
		return "History › Filter"
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
	case walletcore.Event:
		if msg.Kind == walletcore.EventLock || msg.Kind == walletcore.EventAccounts {
			m.account = 0 // memos open and close with the wallet: read again
		}
		return m.readNew(env)
	case screen.Mail:
		return m.mail(env, msg)
	case screen.Row:
		m.at.Jump(msg.At, len(m.shown))
	case screen.Text:
		if m.filter.Key(msg.Key) {
			m.sift()
		}
	case screen.Do:
		return m.do(env, msg.ID)
	}
	return nil
}

func (m *Model) opened(env screen.Env, with any) tea.Cmd {
	switch with := with.(type) {
	case screen.Filter:
		m.filter.Set(string(with))
		m.page = false
		m.sift()
	case ledger.HistoryID:
		m.filter.Set("")
		m.want = with
		m.sift()
		m.seek()
	}
	return m.readNew(env)
}

// readNew reads the newest page. What another account had is dropped at once.
func (m *Model) readNew(env screen.Env) tea.Cmd {
	if env.Account.ID != m.account {
		m.account, m.entries, m.shown, m.read, m.fault = env.Account.ID, nil, nil, time.Time{}, nil
		m.desk.Forget("new")
		m.desk.Forget("old")
	}
	if _, busy := m.desk.Busy("new"); busy || len(env.Accounts) == 0 {
		return nil
	}
	return m.ask(env, "new", 0)
}

// readOld reads the page before the oldest row.
func (m *Model) readOld(env screen.Env) tea.Cmd {
	if _, busy := m.desk.Busy("old"); busy || !m.more || len(m.entries) == 0 {
		return nil
	}
	return m.ask(env, "old", m.entries[len(m.entries)-1].ID)
}

func (m *Model) ask(env screen.Env, topic string, before ledger.HistoryID) tea.Cmd {
	id := m.account
	return m.desk.Ask(env, topic, readLimit, func(ctx context.Context) (any, error) {
		return m.core.History(ctx, id, before, pageRows)
	})
}

func (m *Model) mail(env screen.Env, msg screen.Mail) tea.Cmd {
	if !m.desk.Take(msg) {
		return nil
	}
	if m.fault = msg.Err; msg.Err != nil {
		m.goLast = false
		return nil
	}
	page := msg.Body.([]walletcore.HistoryEntry)
	switch msg.Topic {
	case "new":
		m.read = env.Now
		m.merge(page)
	case "old":
		m.entries = append(m.entries, page...)
		m.more = len(page) == pageRows
	}
	m.sift()
	m.seek()
	if m.goLast {
		m.at.Jump(len(m.shown)-1, len(m.shown))
		m.goLast = m.more && len(m.entries) < mostRows
		return m.readOld(env)
	}
	return nil
}

// merge puts the newest page before what was read; the row in focus stays in
// focus. A gap between the two means that the old rows are read anew.
func (m *Model) merge(page []walletcore.HistoryEntry) {
	for i, e := range m.entries {
		if len(page) > 0 && e.ID == page[len(page)-1].ID {
			m.entries = append(page, m.entries[i+1:]...)
			return
		}
	}
	m.entries, m.more = page, len(page) == pageRows
}

// sift applies the filter and keeps the row in focus when it still matches.
func (m *Model) sift() {
	var focus ledger.HistoryID
	if m.at.At < len(m.shown) && m.at.At > 0 {
		focus = m.shown[m.at.At].ID
	}
	m.shown = m.entries
	if terms := parse(m.filter.Value()); len(terms) > 0 {
		m.shown = nil
		for _, e := range m.entries {
			if matchAll(terms, e) {
				m.shown = append(m.shown, e)
			}
		}
	}
	for i, e := range m.shown {
		if focus != 0 && e.ID == focus {
			m.at.Jump(i, len(m.shown))
			return
		}
	}
	m.at.Jump(m.at.At, len(m.shown))
}

// seek puts the focus on the row that was asked for, once it is there.
func (m *Model) seek() {
	for i, e := range m.shown {
		if m.want != 0 && e.ID == m.want {
			m.at.Jump(i, len(m.shown))
			m.want, m.page = 0, true
		}
	}
}

// focused is the row in focus.
func (m *Model) focused() (walletcore.HistoryEntry, bool) {
	if m.at.At >= len(m.shown) {
		return walletcore.HistoryEntry{}, false
	}
	return m.shown[m.at.At], true
}
