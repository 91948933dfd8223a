// Package messages is the page of the messages that the wallet's accounts exchange with others through the ledger: the
// conversations, the texts of the one in focus, and the box in which the next message is written.
package messages

import (
	"context"
	"fmt"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore/draft"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/message"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// Box reads messages and marks conversations as read, unread or hidden.
type Box interface {
	Conversations(ctx context.Context, account ledger.AccountID, most uint32) ([]message.Conversation, error)
	Mark(ctx context.Context, mark message.Mark) error
}

// Writer builds messages.
type Writer interface {
	Write(ctx context.Context, req txbuild.MessageParams, plain bool) (screen.Built, error)
}

// Finder finds accounts on the ledger.
type Finder interface {
	Named(ctx context.Context, nameOrID string) (ledgerview.AccountRef, error)
}

// Keeper keeps messages that were not sent as drafts; it needs no node.
type Keeper interface {
	SaveMessage(ctx context.Context, account ledger.AccountID, m draft.Message) (int64, error)
	Messages(ctx context.Context, account ledger.AccountID) ([]draft.Message, error)
	Drop(ctx context.Context, number int64) (draft.Dropped, error)
}

// Past counts what was paid between an account and others.
type Past interface {
	Dealings(ctx context.Context, id ledger.AccountID, with []ledger.AccountID) (between map[ledger.AccountID]history.Dealings, all bool, err error)
}

// Core holds what the page needs of the wallet.
type Core struct {
	Box    Box
	Writer Writer
	Finder Finder
	Drafts Keeper
	Past   Past
}

const (
	readLimit      = 20 * time.Second // for one reading
	maxMessages    = 1000             // messages that are read in each direction
	readAgainAfter = 15 * time.Second // age of a reading after which a block starts another
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
	core    Core
	tasks   *screen.Tasks
	doubted ledger.AccountID // of the recipient's form: what a warning was shown about

	account       ledger.AccountID // whose conversations these are
	conversations []message.Conversation
	paid          map[ledger.AccountID]bool // what Paid returned about them, and about a recipient that was found
	readAt        time.Time                 // when they were read; zero: not yet
	askedAt       time.Time                 // when the latest reading was started
	fault         error                     // of the last reading

	cursor     list.Cursor
	with       ledgerview.AccountRef // the other side of the conversation in focus
	focus      int
	scrolledUp int // rows of the conversation scrolled out at the bottom

	filter  field.Field
	finding bool // the filter has the keyboard

	writing writing
	form    ask.Work // for the recipient of a new message
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{core: core, tasks: tasks, filter: field.New(""), writing: newWriting(),
		form: ask.Work{Tasks: tasks, Topic: topicFind, Limit: readLimit}}
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

// Unread implements screen.UnreadCounter.
func (m *Model) Unread() (n int) {
	for _, c := range m.conversations {
		n += c.Unread()
	}
	return n
}

// filtered returns the conversations that match the filter.
func (m *Model) filtered() []message.Conversation {
	text := strings.ToLower(strings.TrimSpace(m.filter.Value()))
	if text == "" {
		return m.conversations
	}
	var out []message.Conversation
	for _, c := range m.conversations {
		if Holds(c, text) {
			out = append(out, c)
		}
	}
	return out
}

// conversation returns the conversation in focus; a new one has no items yet.
func (m *Model) conversation() (message.Conversation, bool) {
	for _, c := range m.conversations {
		if c.With.ID == m.with.ID {
			return c, true
		}
	}
	return message.Conversation{With: m.with}, m.with.ID != 0 && m.writing.open
}

// showAtCursor shows the conversation at the cursor of the list.
func (m *Model) showAtCursor() {
	shown := m.filtered()
	m.cursor.Jump(m.cursor.At, len(shown))
	if m.cursor.At < len(shown) && shown[m.cursor.At].With.ID != m.with.ID {
		m.showConversation(shown[m.cursor.At].With)
	}
}

// showConversation shows the conversation with an account, and the message in its box.
func (m *Model) showConversation(with ledgerview.AccountRef) {
	m.writing.stash(m.account, m.with)
	m.with, m.scrolledUp = with, 0
	m.writing.reset()
	m.writing.unstash(m.account, m.with)
}

// restoreCursor puts the cursor back on the conversation in focus, which may have moved in the list.
func (m *Model) restoreCursor() {
	for i, c := range m.filtered() {
		if c.With.ID == m.with.ID {
			m.cursor.Jump(i, len(m.conversations))
			return
		}
	}
	if !m.writing.open {
		m.showAtCursor()
	}
}

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value {
	c, there := m.conversation()
	if !there {
		return nil
	}
	out := []screen.Value{{Name: "Account", Text: c.With.Name}, {Name: "Account id", Text: c.With.ID.String()}}
	item, is := c.Last()
	if !is {
		return out
	}
	out = append(out, screen.Value{Name: "Message id", Text: item.ID.String()},
		screen.Value{Name: "Time", Text: format.UTC(item.At)})
	switch item.State {
	case vault.MemoOpen, vault.MemoPlain:
		out = append(out, screen.Value{Name: "Newest text", Text: item.Text, Private: item.State == vault.MemoOpen})
	case vault.MemoNone, vault.MemoLocked, vault.MemoForeign, vault.MemoDamaged:
	}
	return out
}

// Call implements screen.Caller: the operation reads the messages of the account in focus, or in a conversation those that the
// other side wrote to it.
func (m *Model) Call(env screen.Env) string {
	switch {
	case env.Account.Name == "":
		return ""
	case m.focus == panelTalk && m.with.ID != 0:
		return fmt.Sprintf("get_message_objects %s %s %d", m.with.ID, env.Account.ID, maxMessages)
	}
	return fmt.Sprintf("get_messages %s %d", env.Account.Name, maxMessages)
}
