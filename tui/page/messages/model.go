// Package messages is the page of what the wallet's accounts and others write each other through the ledger: the
// conversations, the one in focus with its texts, and the box in which the next one is written.
package messages

import (
	"fmt"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/message"
	"billfold/walletcore/vault"
)

const (
	askLimit = 20 * time.Second // how long one reading may take
	most     = 1000             // messages that are read, each way
	stale    = 15 * time.Second // after which the page that is shown reads again
)

// The topics of the page's tasks.
const (
	topicRead   = "read"
	topicMark   = "mark"
	topicFind   = "find"
	topicBuild  = "build"
	topicDrafts = "drafts"
)

// The panels in reading order.
const (
	panelList = iota
	panelTalk
	panels
)

// Model is the page.
type Model struct {
	core  Core
	tasks *screen.Tasks

	account ledger.AccountID // whose these are
	all     []message.Conversation
	since   time.Time // as read; zero: not yet
	asked   time.Time // the latest question
	fault   error     // of the last reading

	at    list.Cursor
	with  ledgerview.AccountRef // of the conversation in focus
	focus int
	up    int // rows of the conversation below the screen

	filter  field.Field
	finding bool // the filter has the keyboard

	writing writing
	form    ask.Work // for whom a new message is
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{core: core, tasks: tasks, filter: field.New(""), writing: newWriting(),
		form: ask.Work{Tasks: tasks, Topic: topicFind, Limit: askLimit}}
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	if m.focus == panelTalk && m.with.ID != 0 {
		return "Messages › " + format.Name(m.with).String()
	}
	return "Messages"
}

// Asking implements ask.Asker.
func (m *Model) Asking() *ask.Form { return m.form.Form }

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.form.Form != nil:
		return m.form.Form.Place()
	case m.finding:
		return "messages.find", screen.TYPE
	case m.writing.live:
		return "messages.type", screen.TYPE
	case m.focus == panelTalk:
		return "messages.talk", screen.KEYS
	}
	return "messages", screen.KEYS
}

// Unread is how many messages nobody read yet.
func (m *Model) Unread() (n int) {
	for _, c := range m.all {
		n += c.Unread()
	}
	return n
}

// shown are the conversations that the filter shows.
func (m *Model) shown() []message.Conversation {
	text := strings.ToLower(strings.TrimSpace(m.filter.Value()))
	if text == "" {
		return m.all
	}
	var out []message.Conversation
	for _, c := range m.all {
		if Holds(c, text) {
			out = append(out, c)
		}
	}
	return out
}

// talk is the conversation in focus; one that is only begun has no items.
func (m *Model) talk() (message.Conversation, bool) {
	for _, c := range m.all {
		if c.With.ID == m.with.ID {
			return c, true
		}
	}
	return message.Conversation{With: m.with}, m.with.ID != 0 && m.writing.open
}

// choose turns to the conversation at the cursor of the list.
func (m *Model) choose() {
	shown := m.shown()
	m.at.Jump(m.at.At, len(shown))
	if m.at.At < len(shown) && shown[m.at.At].With.ID != m.with.ID {
		m.turn(shown[m.at.At].With)
	}
}

// turn turns to the conversation with an account.
func (m *Model) turn(with ledgerview.AccountRef) {
	m.writing.stash(m.account, m.with)
	m.with, m.up = with, 0
	m.writing.leave()
	m.writing.unstash(m.account, m.with)
}

// keep puts the cursor on the conversation in focus again, which may have moved.
func (m *Model) keep() {
	for i, c := range m.shown() {
		if c.With.ID == m.with.ID {
			m.at.Jump(i, len(m.all))
			return
		}
	}
	if !m.writing.open {
		m.choose()
	}
}

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value {
	c, there := m.talk()
	if !there {
		return nil
	}
	out := []screen.Value{{Name: "Account", Text: c.With.Name}, {Name: "Account id", Text: c.With.ID.String()}}
	item, is := c.Last()
	if !is {
		return out
	}
	out = append(out, screen.Value{Name: "Message id", Text: item.ID.String()},
		screen.Value{Name: "Time", Text: format.Stamp(item.At) + " UTC"})
	switch item.State {
	case vault.MemoOpen, vault.MemoPlain:
		out = append(out, screen.Value{Name: "Newest text", Text: item.Text, Private: item.State == vault.MemoOpen})
	case vault.MemoNone, vault.MemoLocked, vault.MemoForeign, vault.MemoDamaged:
	}
	return out
}

// Call implements screen.Caller: the messages of the account in focus, or those that the other side of the conversation
// wrote to it.
func (m *Model) Call(env screen.Env) string {
	switch {
	case env.Account.Name == "":
		return ""
	case m.focus == panelTalk && m.with.ID != 0:
		return fmt.Sprintf("get_message_objects %s %s %d", m.with.ID, env.Account.ID, most)
	}
	return fmt.Sprintf("get_messages %s %d", env.Account.Name, most)
}
