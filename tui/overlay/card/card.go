// Package card is the pop-up that shows one thing of the wallet or the ledger, such as an account or a proposal: what is known about
// it, whose names on it lead to cards of their own, and what can be done with it. Enter only opens cards; it never spends or changes
// anything.
package card

import (
	"slices"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/overlay/dialog"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// Card is one thing. Rows and Can are asked whenever the card is drawn, so that what a page reads meanwhile appears on it.
type Card struct {
	Title  string
	Rows   func(env screen.Env) []Row
	Can    func(env screen.Env) []Offer
	Copies []screen.Value
}

// Row is one row; a row without a label belongs to the one above it.
type Row struct {
	Label string
	Line  canvas.Line
	Quote string  // in place of the line: a text that others wrote
	Opens tea.Msg // what the root is asked for by enter, for a name with a card of its own; nil: nothing
}

// Lines returns the row without its label, wrapped to w cells.
func (r Row) Lines(w int) []canvas.Line {
	if r.Quote != "" {
		return format.Gutter(r.Quote, w)
	}
	return r.Line.Wrap(w)
}

// Offer is something that can be done with the thing.
type Offer struct {
	Do   action.ID
	Off  string  // why it is not possible now; empty if it is
	Then tea.Msg // what the root is asked for after the card is closed
	Word string  // for the hint line; empty: the word of the key table
}

// Show asks the root to show a card, over the card that is in front if there is one.
type Show struct{ Card Card }

// Leave asks the root to close the card in front and then to handle Then, which opens another page; from there esc leads back to the card.
type Leave struct{ Then tea.Msg }

// place is the card's place in the key table.
const place = "card"

// What can be done with a thing. Every card has the same keys for the same deeds.
const (
	Pay      action.ID = "card.pay"
	Message  action.ID = "card.message"
	Receive  action.ID = "card.receive"
	History  action.ID = "card.history"
	Save     action.ID = "card.save"
	Keys     action.ID = "card.keys"
	Assets   action.ID = "card.assets"
	Approve  action.ID = "card.approve"
	Withdraw action.ID = "card.withdraw"
	Use      action.ID = "card.use"
	Edit     action.ID = "card.edit"
	Remove   action.ID = "card.remove"
)

// Places returns the card's keys.
func Places() []action.Place {
	return []action.Place{{ID: place, Title: "Card", Modal: true, Actions: []action.Action{
		{ID: Pay, Keys: []string{"s"}, Word: "pay", Help: "pay the account, or send the asset", Hint: 2},
		{ID: Message, Keys: []string{"t"}, Word: "message", Help: "write a message to the account", Hint: 2},
		{ID: Receive, Keys: []string{"r"}, Word: "receive", Help: "receive the asset", Hint: 2},
		{ID: Approve, Keys: []string{"a"}, Word: "approve…", Help: "approve the proposal: opens the review", Hint: 2},
		{ID: Withdraw, Keys: []string{"d"}, Word: "withdraw approval…", Help: "take your approval of the proposal back: opens the review", Hint: 2},
		{ID: Use, Keys: []string{"u"}, Word: "use now", Help: "use the node; if you chose it, let the wallet choose", Hint: 2},
		{ID: Edit, Keys: []string{"e"}, Word: "edit…", Help: "edit the note on the contact, the policy of the token, or the address of the node", Hint: 3},
		{ID: Remove, Keys: []string{"x"}, Word: "remove…", Help: "remove the contact or the node, or revoke the token; it asks first", Hint: 4},
		{ID: History, Keys: []string{"h"}, Word: "history", Help: "the rows of the history that are with the account, or in the asset", Hint: 3},
		{ID: Save, Keys: []string{"n"}, Word: "save", Help: "save the account as a contact", Hint: 4},
		{ID: Keys, Keys: []string{"o"}, Word: "keys", Help: "put the account in focus and open Keys, if it is on the wallet's list", Hint: 5},
		{ID: Assets, Keys: []string{"b"}, Word: "assets", Help: "open Assets on the asset, or on the account if it is on the wallet's list", Hint: 5},
		{ID: "copy", Keys: []string{"y"}, Word: "copy", Help: "copy a value of the card", Hint: 6},
		{ID: "up", Keys: []string{"up", "k"}, Help: "row up", Group: "↑↓|row up, down"},
		{ID: "down", Keys: []string{"down", "j"}, Help: "row down", Group: "↑↓|row up, down"},
		{ID: "first", Keys: []string{"g", "home"}, Help: "first row"},
		{ID: "last", Keys: []string{"G", "end"}, Help: "last row"},
		{ID: "pgup", Keys: []string{"pgup"}, Help: "page up", Group: "pgup pgdn|page up, down"},
		{ID: "pgdn", Keys: []string{"pgdown"}, Show: "pgdn", Help: "page down", Group: "pgup pgdn|page up, down"},
		{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the card of the name in focus", Hint: 1},
		{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to where the card was opened", Hint: 7, Typing: true},
	}}}
}

// Model is the pop-up: a card, and those from which a person came to it.
type Model struct {
	levels []level
}

// level is a card and what is drawn of it.
type level struct {
	card Card
	dialog.Model
	opens []tea.Msg // what enter asks the root for, by line
}

// New returns the pop-up of a card.
func New(c Card) *Model {
	m := &Model{}
	m.Show(c)
	return m
}

// Show puts a card over the one in front.
func (m *Model) Show(c Card) {
	m.levels = append(m.levels, level{card: c, Model: dialog.Model{Title: c.Title, Keys: place, Pick: func(int) tea.Msg { return nil }}})
}

// Back leads to the card before, and reports whether there is one.
func (m *Model) Back() bool {
	if len(m.levels) < 2 {
		return false
	}
	m.levels = m.levels[:len(m.levels)-1]
	return true
}

func (m *Model) front() *level { return &m.levels[len(m.levels)-1] }

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) { return place, screen.MODAL }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return m.front().card.Title }

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value { return m.front().card.Copies }

// Word implements screen.Worder.
func (m *Model) Word(env screen.Env, do action.ID) string {
	offer, _ := m.front().offer(env, do)
	return offer.Word
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	l := m.front()
	switch do {
	case "enter":
		if l.opened(env) == nil {
			return "this row has no card of its own"
		}
	case "copy":
		if len(l.card.Copies) == 0 {
			return "there is nothing to copy"
		}
	case "esc", "up", "down", "pgup", "pgdn", "first", "last":
	default:
		if offer, can := l.offer(env, do); !can {
			return "that cannot be done with it"
		} else {
			return offer.Off
		}
	}
	return ""
}

// offer returns what the card offers under a key.
func (l *level) offer(env screen.Env, do action.ID) (Offer, bool) {
	for _, o := range l.card.Can(env) {
		if o.Do == do {
			return o, true
		}
	}
	return Offer{}, false
}

// opened returns what the row in focus opens; nil if nothing.
func (l *level) opened(env screen.Env) tea.Msg {
	l.layOut(env, width(env))
	if at := l.Focus(); at < len(l.opens) {
		return l.opens[at]
	}
	return nil
}

// Update implements screen.Screen: what is done with the thing closes the card first.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	l := m.front()
	do, is := msg.(screen.Command)
	if !is {
		return l.Model.Update(env, msg)
	}
	switch do.ID {
	case "up", "down", "pgup", "pgdn", "first", "last":
		return l.Model.Update(env, msg)
	case "enter":
		if next := l.opened(env); next != nil {
			return screen.Request(next)
		}
		return screen.NotNow(m.Off(env, do.ID))
	}
	offer, can := l.offer(env, do.ID)
	switch {
	case !can:
		return nil
	case offer.Off != "":
		return screen.NotNow(offer.Off)
	}
	if _, ofPage := offer.Then.(screen.Command); ofPage {
		return screen.Request(dialog.Closed{Then: offer.Then})
	}
	return screen.Request(Leave{Then: offer.Then})
}

// width returns how wide the rows are on a page.
func width(env screen.Env) int { return max(min(env.W, 96)-8, 20) }

// labelW is the width of the labels.
const labelW = 14

// layOut wraps the rows to w cells, the labels included.
func (l *level) layOut(env screen.Env, w int) {
	l.Rows, l.opens = nil, nil
	for _, row := range l.card.Rows(env) {
		label := row.Label
		for _, part := range row.Lines(max(w-labelW, 8)) {
			l.Rows = append(l.Rows, canvas.Join(canvas.In(theme.Muted, label).Pad(labelW), part))
			l.opens = append(l.opens, row.Opens)
			label = ""
		}
	}
}

// Size returns how much room the pop-up wants.
func (m *Model) Size(env screen.Env) (w, h int) {
	l := m.front()
	l.layOut(env, width(env))
	return l.Model.Size(env)
}

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	l := m.front()
	l.layOut(env, a.W-6)
	l.Foot = "esc back"
	if slices.ContainsFunc(l.opens, func(msg tea.Msg) bool { return msg != nil }) {
		l.Foot = "↵ open a name · " + l.Foot
	}
	l.Model.Draw(env, a)
}
