// Package contacts is the page of the accounts that a person saved: whether each is still the same, what was
// paid to it, and the note on it.
package contacts

import (
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore/contact"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is the page.
type Model struct {
	readings
	cursor list.Cursor
	order  order

	filter field.Field
	typing bool // into the filter

	form form
}

// order is the order of the rows.
type order int

const (
	byName order = iota
	byLast
	byCount // of payments to the contact
	orders
)

func (o order) String() string {
	return [...]string{"by name", "last paid first", "most paid first"}[o]
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{readings: readings{core: core, tasks: tasks, backgrounds: map[ledger.AccountID]background{}}, filter: field.New(""),
		form: form{Work: ask.Work{Tasks: tasks, Topic: topicChange, Limit: readLimit}, book: core.Book, finder: core.Finder}}
}

// Resume implements screen.Resumer: what was being typed into a form comes back once the wallet is unlocked.
func (m *Model) Resume(was screen.Screen) {
	if before, is := was.(*Model); is {
		m.form.keepDraft(&before.form)
	}
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string { return m.form.Unsaved() }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return "Contacts" }

// Asking implements ask.Asker.
func (m *Model) Asking() *ask.Form { return m.form.Form }

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.form.Form != nil:
		return m.form.Form.Place()
	case m.typing:
		return "contacts.type", screen.TYPE
	}
	return "contacts", screen.KEYS
}

// rows returns the contacts that match the filter, in order.
func (m *Model) rows(env screen.Env) []contact.Contact {
	text := strings.ToLower(strings.TrimSpace(m.filter.Value()))
	out := slices.DeleteFunc(slices.Clone(env.Contacts), func(c contact.Contact) bool {
		return !strings.Contains(c.Name, text) && !strings.Contains(c.ID.String(), text) &&
			!strings.Contains(strings.ToLower(m.notes[c.ID].text), text)
	})
	slices.SortStableFunc(out, func(a, b contact.Contact) int {
		x, y := m.dealings[a.ID], m.dealings[b.ID]
		switch {
		case m.order == byLast && x.Last != y.Last:
			return int(int64(y.Last) - int64(x.Last))
		case m.order == byCount && x.Out != y.Out:
			return int(int64(y.Out) - int64(x.Out))
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// focused returns the contact in focus.
func (m *Model) focused(env screen.Env) (contact.Contact, bool) {
	rows := m.rows(env)
	if m.cursor.At >= len(rows) {
		return contact.Contact{}, false
	}
	return rows[m.cursor.At], true
}

// Copies implements screen.Copier.
func (m *Model) Copies(env screen.Env) []screen.Value {
	c, there := m.focused(env)
	if !there {
		return nil
	}
	return m.copies(c)
}

// copies returns the values of a contact that can be copied.
func (r *readings) copies(c contact.Contact) []screen.Value {
	out := []screen.Value{
		{Name: "Account", Text: c.Name}, {Name: "Account id", Text: c.ID.String()},
		{Name: "Owner, when saved", Text: ledgerview.AuthorityText(c.Keys.Owner)},
		{Name: "Active, when saved", Text: ledgerview.AuthorityText(c.Keys.Active)},
		{Name: "Memo key, when saved", Text: c.Keys.MemoKey.String()},
	}
	if n := r.notes[c.ID]; n.state == vault.MemoOpen && n.text != "" {
		out = append(out, screen.Value{Name: "Note", Text: n.text, Private: true})
	}
	return out
}

// focusOn puts the cursor on a contact.
func (m *Model) focusOn(env screen.Env, id ledger.AccountID) {
	rows := m.rows(env)
	for i, c := range rows {
		if c.ID == id {
			m.cursor.Jump(i, len(rows))
		}
	}
}

// readFocused starts reading the background of the contact in focus.
func (m *Model) readFocused(env screen.Env) tea.Cmd {
	c, _ := m.focused(env)
	return m.readBackground(env, c)
}

// Call implements screen.Caller: the operation reads the account of the contact in focus from the ledger, by the id that was
// saved. The name may belong to another account there.
func (m *Model) Call(env screen.Env) string {
	c, there := m.focused(env)
	if !there {
		return ""
	}
	return "get_account " + c.ID.String()
}
