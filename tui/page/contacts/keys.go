package contacts

import (
	"billfold/tui/action"
	"billfold/tui/overlay/card"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doNew    action.ID = "contacts.new"
	doNote   action.ID = "contacts.note"
	doPay    action.ID = "contacts.pay"
	doCheck  action.ID = "contacts.check"
	doOrder  action.ID = "contacts.order"
	doRemove action.ID = "contacts.remove"
	doFind   action.ID = "contacts.find"

	doMessage action.ID = "contacts.message"
)

// Places returns the page's keys: the usual ones, and those while the filter has the keyboard.
func Places() []action.Place {
	return []action.Place{
		{ID: "contacts", Title: "Contacts", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the card of the contact in focus", Hint: 1},
			{ID: doPay, Keys: []string{"s"}, Word: "pay", Help: "pay the contact in focus", Hint: 2},
			{ID: doNew, Keys: []string{"n"}, Word: "new", Help: "save an account as a contact", Hint: 3},
			{ID: doNote, Keys: []string{"e"}, Word: "note", Help: "edit the note on the contact in focus", Hint: 4},
			{ID: doFind, Keys: []string{"/"}, Word: "filter", Help: "filter by name, id or note", Hint: 5},
			{ID: doCheck, Keys: []string{"v"}, Word: "check", Help: "compare the keys of all contacts with the ledger now", Hint: 6},
			{ID: doOrder, Keys: []string{"o"}, Word: "order", Help: "order: by name, last paid, most paid", Hint: 7},
			{ID: doMessage, Keys: []string{"t"}, Help: "write a message to the contact in focus"},
			{ID: doRemove, Keys: []string{"x"}, Help: "remove the contact in focus…"},
			{ID: "esc", Keys: []string{"esc"}, Help: "clear the filter; back", Typing: true},
		}},
		{ID: "contacts.type", Title: "Contacts, filtering", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter", "tab"}, Word: "to the list", Help: "go to the rows", Hint: 1, Typing: true},
			{ID: "contacts.down", Keys: []string{"down"}, Help: "row down", Typing: true},
			{ID: "contacts.up", Keys: []string{"up"}, Help: "row up", Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "clear", Help: "clear the filter", Hint: 2, Typing: true},
		}},
	}
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	_, there := m.focused(env)
	switch {
	case !there && (do == doPay || do == doMessage || do == doNote || do == doRemove || do == "enter"):
		return "there is no contact"
	case len(env.Contacts) == 0 && (do == doFind || do == doCheck || do == doOrder):
		return "there is no contact"
	case (do == doPay || do == doMessage) && len(env.Accounts) == 0:
		return "this wallet has no account yet"
	case !env.Online() && (do == doNew || do == doCheck):
		return env.NoNode()
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	switch {
	case m.form.Form != nil:
		return m.form.Do(env, m.form.Form.Do(id))
	case m.typing:
		m.doTyping(env, id)
		return m.readFocused(env)
	case m.cursor.Do(id, len(m.rows(env))):
		return m.readFocused(env)
	}
	switch id {
	case "enter":
		return m.openCard(env)
	case "esc":
		return m.back()
	case "refresh":
		return m.reload(env)
	case doFind:
		m.typing = true
	case doOrder:
		c, _ := m.focused(env)
		m.order = (m.order + 1) % orders
		m.focusOn(env, c.ID)
	case doNew, doNote, doPay, doMessage, doCheck, doRemove:
		return m.perform(env, id)
	}
	return nil
}

// openCard opens the card of the contact in focus.
func (m *Model) openCard(env screen.Env) tea.Cmd {
	c, there := m.focused(env)
	if !there {
		return screen.NotNow(m.Off(env, "enter"))
	}
	inFocus := func(env screen.Env) bool {
		now, there := m.focused(env)
		return there && now.ID == c.ID
	}
	return screen.Request(card.Show{Card: m.card(c, inFocus)})
}

// back clears the filter, then leaves.
func (m *Model) back() tea.Cmd {
	switch {
	case !m.filter.Empty():
		m.filter.Set("")
	default:
		return screen.Request(screen.Back{})
	}
	return nil
}

// perform does what needs a contact, a node or an unlocked wallet.
func (m *Model) perform(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return screen.NotNow(why)
	}
	if !env.Unlocked() && (id == doNew || id == doNote || id == doRemove) {
		return screen.Request(screen.NeedUnlock{})
	}
	c, _ := m.focused(env)
	switch id {
	case doNew:
		m.form.openAdd(env, ledgerview.AccountRef{})
	case doNote:
		n := m.notes[c.ID]
		if c.HasNote() && n.isUnread() {
			return screen.NotNow("the note is still being read")
		}
		m.form.openNote(c, n)
	case doRemove:
		m.form.openRemove(c)
	case doPay:
		return screen.Request(screen.Navigate{To: screen.Send, With: screen.Typed{To: c.Name, Asset: ledgerview.DCT().Symbol}})
	case doMessage:
		return screen.Request(screen.Navigate{To: screen.Messages, With: screen.Recipient{Account: c.AccountRef}})
	case doCheck:
		return tea.Batch(m.reload(env), screen.Request(screen.Toast{Line: canvas.Text("Comparing the contacts with the ledger")}))
	}
	return nil
}

func (m *Model) doTyping(env screen.Env, id action.ID) {
	switch id {
	case "enter":
		m.typing = false
	case "contacts.down":
		m.cursor.Move(1, len(m.rows(env)))
	case "contacts.up":
		m.cursor.Move(-1, len(m.rows(env)))
	case "clear":
		m.filter.Set("")
	case "esc":
		m.typing = false
		m.filter.Set("")
	}
}

// typeKey types into the form or the filter.
func (m *Model) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	switch {
	case m.form.Form != nil:
		return m.form.typeKey(env, k)
	case m.typing && m.filter.Key(k):
		m.cursor = list.Cursor{}
		return m.readFocused(env)
	}
	return nil
}
