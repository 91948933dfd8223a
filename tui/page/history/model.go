package history

import (
	"billfold/ledger"
	"billfold/tui/layout"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
)

// input is the line of text that has the keyboard.
type input int

const (
	noInput input = iota
	filterInput
	dateInput
)

// Model is the page.
type Model struct {
	list    listing
	typing  input
	date    field.Field
	badDate bool        // what was typed is no date
	pane    bool        // the detail stands beside or under the table
	page    bool        // the detail is a page of its own
	export  *export     // the pop-up; nil: closed
	form    *filterForm // builds the filter; nil: closed
	label   labelForm
	beside  beside
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	m := &Model{pane: true}
	m.list = newListing(core, tasks, m.listRows)
	m.label = labelForm{labels: core.Labels, tasks: tasks}
	m.beside = beside{ids: core.Transactions, labels: core.Labels, tasks: tasks}
	return m
}

// Resume implements screen.Resumer: the form that is open. A filter without the form that builds it may be of what was read, which
// a lock forgets, and so is an export of what it shows, and a label that was opened to be changed.
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
		m.label.resume(before.label)
	case x != nil && x.stop == nil && filter.Empty():
		m.export = x.on(&m.list)
	default:
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
	case m.page:
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

// hasLine reports whether the row above the list is there.
func (m *Model) hasLine() bool { return m.typing != noInput || !m.list.filter.text.Empty() }

// panels are the places of what is on the page.
func (m *Model) panels(w, h int, env screen.Env) layout.HistoryPanels {
	return layout.HistoryScreen(w, h, env.Panes(), m.hasLine(), m.pane && !m.page)
}

// listRows is how many rows of one line the list shows.
func (m *Model) listRows(env screen.Env) int { return max(m.panels(env.W, env.H, env).List.H-3, 1) }

// show puts the account in focus on the page; what is shown of another one is
// dropped.
func (m *Model) show(account ledger.AccountID) {
	if account == m.list.account {
		return
	}
	m.list.reset(account)
	m.page, m.badDate = false, false
	m.label.ask, m.form = nil, nil
	m.beside.forget()
	if m.export != nil {
		m.export.cancel()
		m.list.tasks.Forget(writing)
		m.export = nil
	}
}
