// Package contactfinder is the pop-up that finds a contact for a payment. It pays nothing: it only puts the contact into the form.
package contactfinder

import (
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/overlay/dialog"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore/contact"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is the pop-up.
type Model struct {
	contacts []contact.Contact
	input    field.Field
	at       list.Cursor
}

// New returns a pop-up over the contacts.
func New(contacts []contact.Contact) *Model { return &Model{contacts: contacts} }

const place = "contactfinder"

// Places are the pop-up's keys.
func Places() []action.Place {
	return []action.Place{{ID: place, Title: "Find a contact", Modal: true, Actions: []action.Action{
		{ID: "enter", Keys: []string{"enter"}, Word: "take it", Help: "put the contact in focus into the form", Hint: 1, Typing: true},
		{ID: "up", Keys: []string{"up", "ctrl+p"}, Show: "↑↓", Word: "choose", Help: "row up", Group: "↑↓|row up, down", Hint: 2, Typing: true},
		{ID: "down", Keys: []string{"down", "ctrl+n"}, Help: "row down", Group: "↑↓|row up, down", Typing: true},
		{ID: "esc", Keys: []string{"esc"}, Word: "close", Help: "close, change nothing", Hint: 3, Typing: true},
	}}}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) { return place, screen.TYPE }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return "Find a contact" }

// Size returns how much room the pop-up wants.
func (m *Model) Size(screen.Env) (w, h int) {
	w = 44
	for _, c := range m.contacts {
		w = max(w, format.Account(c.AccountRef).Width()+8)
	}
	return w, max(min(len(m.contacts), 12), 2) + 4
}

// Update implements screen.Screen.
func (m *Model) Update(_ screen.Env, msg tea.Msg) tea.Cmd {
	found := contact.Matching(m.contacts, m.input.Value())
	switch msg := msg.(type) {
	case screen.Text:
		if m.input.Key(msg.Key) {
			m.at = list.Cursor{}
		}
	case screen.Click:
		m.at.Jump(msg.At, len(found))
	case screen.Command:
		switch {
		case m.at.Do(msg.ID, len(found)):
		case msg.ID == "clear":
			m.input.Set("")
		case msg.ID == "enter" && m.at.At < len(found):
			to := screen.Recipient{Account: found[m.at.At].AccountRef}
			return screen.Request(dialog.Closed{Then: screen.Navigate{To: screen.Send, With: to}})
		}
	}
	return nil
}

// Draw implements screen.Screen.
func (m *Model) Draw(_ screen.Env, a canvas.Area) {
	found := contact.Matching(m.contacts, m.input.Value())
	a.Fill(theme.Style{Bg: theme.ModalBg})
	in := a.Box(canvas.Frame{Title: canvas.Bold(theme.Focus, "Find a contact"), Heavy: true, Bg: theme.ModalBg,
		State: canvas.In(theme.Muted, format.Count(len(found))), Foot: canvas.In(theme.Muted, "↵ take it · esc close")})
	in.Put(2, 0, canvas.Bold(theme.Key, "/").On(theme.ModalBg))
	in.Put(4, 0, m.input.Line(in.W-6, true).On(theme.ModalBg))
	body := in.Below(1)
	if len(found) == 0 {
		text := "No contact matches."
		if len(m.contacts) == 0 {
			text = "No contacts yet. 7 goes to Contacts, n there adds one."
		}
		for i, l := range canvas.In(theme.Muted, text).Wrap(body.W - 4) {
			body.Put(2, i, l.On(theme.ModalBg))
		}
		return
	}
	at := m.at
	first, end := at.Window(len(found), body.H, list.OneLine)
	for i := first; i < end; i++ {
		body.Put(2, i-first, format.Account(found[i].AccountRef).On(theme.ModalBg))
		if i == at.At {
			body.Put(0, i-first, canvas.In(theme.Focus, theme.SignRow))
			body.Tint(i-first, theme.SelectBg)
		}
		body.Row(i - first).Zone(screen.Click{At: i})
	}
	list.Scroll(body, first, end-first, len(found))
}
