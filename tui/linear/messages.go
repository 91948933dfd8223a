package linear

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/page/messages"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/message"
	"billfold/walletcore/vault"
)

// maxMessages is the number of messages read in each direction, shownMessages the number printed at once.
const (
	maxMessages   = 1000
	shownMessages = 5
)

// messagesPage lists the conversations of the account in focus.
type messagesPage struct {
	reviewer
	all     []message.Conversation
	current message.Conversation // the conversation whose messages were printed
	first   int                  // how many of its newest messages older has skipped
}

func (l *messagesPage) words() []word {
	return []word{
		{
			say: "reply", row: "messages.talk/messages.write",
			help: "write to the account whose messages you heard",
			do: func(ctx context.Context, _ string) error {
				if l.current.With.ID == 0 {
					return misuse("To whom?", "type a number first, or write ACCOUNT.")
				}
				return l.write(ctx, l.current.With.ID.String())
			},
		},
		{
			say:  "write ACCOUNT",
			row:  "messages/messages.new",
			also: []string{"messages.talk/messages.new"},
			help: "write to an account",
			do:   l.write,
		},
		{say: "older", help: "older messages of the same conversation", do: l.older},
		{say: "find TEXT", row: "messages/messages.find", help: "the conversations with a name, an id or a text", do: l.find},
		{say: "again", row: "messages/messages.again", also: []string{"messages.talk/messages.again"}, help: "read and decrypt again",
			do: func(ctx context.Context, _ string) error { return l.enter(ctx) }},
		{say: "unread N", row: "messages/messages.unread", also: []string{"messages.talk/messages.unread"},
			help: "mark conversation N as unread", do: l.markWord(messages.Unread, "is unread")},
		{say: "hide N", row: "messages/messages.hide", also: []string{"messages.talk/messages.hide"},
			help: "hide conversation N here until a new message comes",
			do:   l.markWord(messages.Hidden, "is hidden until a new message comes")},
		{say: "card N", row: "messages/messages.card", also: []string{"messages.talk/messages.card"},
			help: "account card of the other side of conversation N", do: l.card},
	}
}

func (l *messagesPage) enter(ctx context.Context) error {
	if err := l.read(ctx); err != nil {
		return err
	}
	if len(l.all) == 0 {
		l.Say("No messages yet. write ACCOUNT writes one.")
	}
	for i := range l.all {
		l.sayConversation(i)
	}
	l.sayWords()
	return nil
}

// read reads the conversations.
func (l *messagesPage) read(ctx context.Context) error {
	env, err := l.account()
	if err != nil {
		return err
	}
	l.all, err = within(ctx, l.Conversation, "Reading messages", func(ctx context.Context) ([]message.Conversation, error) {
		return l.opt.Core.Messages.Box.Conversations(ctx, env.Account.ID, maxMessages)
	})
	return err
}

// sayConversation prints a conversation on one line.
func (l *messagesPage) sayConversation(i int) {
	c := l.all[i]
	line := canvas.Join(format.Account(c.With), canvas.Text(", "+printable.Many(len(c.Items), "message")))
	if n := c.Unread(); n > 0 {
		line = canvas.Join(line, canvas.Text(fmt.Sprintf(", %d new", n)))
	}
	l.Item(i+1, line)
}

// find prints the conversations that contain a text, under their numbers.
func (l *messagesPage) find(_ context.Context, text string) error {
	n := 0
	for i, c := range l.all {
		if messages.Holds(c, strings.ToLower(text)) {
			l.sayConversation(i)
			n++
		}
	}
	if n == 0 {
		l.Say("No conversation matches.")
	}
	return nil
}

// open prints the newest messages of a conversation and marks it as read.
func (l *messagesPage) open(ctx context.Context, n int) error {
	if n > len(l.all) { // the first message may have been written just now
		if err := l.read(ctx); err != nil {
			return err
		}
	}
	c, err := pick(l.all, fmt.Sprint(n), "conversation")
	if err != nil {
		return err
	}
	l.current, l.first = c, 0
	l.sayMessages()
	return l.mark(ctx, n-1, messages.Read(c))
}

// mark stores a mark on a conversation.
func (l *messagesPage) mark(ctx context.Context, at int, mark message.Mark) error {
	if l.all[at].Mark == mark {
		return nil
	}
	l.all[at].Mark = mark
	return l.opt.Core.Messages.Box.Mark(ctx, mark)
}

// markWord returns the function of a word that marks a conversation; said is what it prints then.
func (l *messagesPage) markWord(way func(message.Conversation) message.Mark, said string) func(context.Context, string) error {
	return func(ctx context.Context, rest string) error {
		c, err := pick(l.all, rest, "conversation")
		if err != nil {
			return err
		}
		at := slices.IndexFunc(l.all, func(o message.Conversation) bool { return o.With.ID == c.With.ID })
		if err := l.mark(ctx, at, way(c)); err != nil {
			return err
		}
		l.Line(canvas.Join(canvas.Text("The conversation with "), format.Account(c.With), canvas.Text(" "+said+".")))
		return nil
	}
}

func (l *messagesPage) card(ctx context.Context, rest string) error {
	c, err := pick(l.all, rest, "conversation")
	if err != nil {
		return err
	}
	return l.sayCard(ctx, c.With.ID)
}

// sayMessages prints up to shownMessages messages, the newest last.
func (l *messagesPage) sayMessages() {
	all := l.current.Items
	end := max(len(all)-l.first, 0)
	part := all[max(end-shownMessages, 0):end]
	for _, item := range part {
		l.Line(canvas.Join(canvas.Text(l.env().Times().Stamp(item.At)+", "), format.Name(item.From), canvas.Text(l.stateText(item))))
		if item.State == vault.MemoOpen || item.State == vault.MemoPlain {
			l.quote(item.Text)
		}
	}
	if len(part) == 0 {
		l.Say("There are no older messages.")
	}
}

// stateText returns how a message is encrypted and whether it is new, as text.
func (l *messagesPage) stateText(item message.Item) string {
	out := map[vault.MemoState]string{
		vault.MemoOpen: ", encrypted", vault.MemoPlain: ", plain, anyone can read it", vault.MemoLocked: ", encrypted, wallet locked",
		vault.MemoForeign: ", encrypted; no key of this wallet opens it", vault.MemoDamaged: ", damaged: checksum does not match",
	}[item.State]
	if item.Doubtful {
		out += ", CAREFUL: sender named by the node, not by the key"
	}
	if l.current.IsNew(item) {
		out += ", new"
	}
	return out + ":"
}

func (l *messagesPage) older(context.Context, string) error {
	if l.current.With.ID == 0 {
		return misuse("With whom?", "type a number first.")
	}
	l.first += shownMessages
	l.sayMessages()
	return nil
}

// write asks for a text and sends it once it was reviewed; it asks for the recipient unless it was named.
func (l *messagesPage) write(ctx context.Context, said string) error {
	env, err := l.account()
	if err != nil {
		return err
	}
	form := &messageForm{reviewer: l.reviewer, from: env.Account.Name, kind: 1}
	return l.runLockableSteps(ctx, func(ctx context.Context) error { return form.askTo(ctx, &said) }, l.needUnlock, form.askText,
		func(ctx context.Context) (err error) {
			form.kind, err = l.Choose(ctx, "Kind, 1 encrypted, 2 plain", 2, form.kind)
			return err
		}, l.backOnFailure(form.reviewAndSend))
}

func (l *messagesPage) forget() { l.all, l.current, l.first = nil, message.Conversation{}, 0 }
