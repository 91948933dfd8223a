package linear

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/message"
)

// mostLetters is how many messages are read each way, and shownLetters how many are said at once.
const (
	mostLetters  = 100
	shownLetters = 5
)

// letters are the messages of the account in focus, by the other side.
type letters struct {
	clerk
	names []string // the other sides, the latest first
	by    map[string][]message.Message
	with  string // whose messages were said
	first int
}

func (l *letters) words() []word {
	return []word{
		{
			say: "reply", row: "messages.talk/messages.write",
			help: "write to the one whose messages were said",
			do:   func(ctx context.Context, _ string) error { return l.write(ctx, l.with) },
		},
		{
			say:  "write ACCOUNT",
			row:  "messages/messages.new",
			also: []string{"messages.talk/messages.new"},
			help: "write to an account",
			do:   l.write,
		},
		{say: "older", help: "older messages with the same one", do: l.older},
	}
}

func (l *letters) enter(ctx context.Context) error {
	env, err := l.account()
	if err != nil {
		return err
	}
	if err := l.read(ctx, env); err != nil {
		return err
	}
	if len(l.names) == 0 {
		l.Say("No messages yet. write ACCOUNT writes one.")
	}
	for i, name := range l.names {
		l.Item(i+1, canvas.Text(format.Clean(name)+", "+plural(len(l.by[name]), "message")))
	}
	l.sayFits()
	return nil
}

// read reads both ways and sorts by the other side.
func (l *letters) read(ctx context.Context, env screen.Env) error {
	core, own := l.opt.Core.Letters, env.Account.Name
	all, err := within(ctx, l.Desk, "Reading messages", func(ctx context.Context) ([]message.Message, error) {
		in, err := core.Received(ctx, own, mostLetters)
		if err != nil {
			return nil, err
		}
		out, err := core.Sent(ctx, own, mostLetters)
		return append(in, out...), err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b message.Message) int { return int(int64(b.Created) - int64(a.Created)) })
	l.names, l.by = nil, map[string][]message.Message{}
	for _, m := range all {
		who := m.From
		if who == own && len(m.To) > 0 {
			who = strings.Join(m.To, ", ")
		}
		if l.by[who] == nil {
			l.names = append(l.names, who)
		}
		l.by[who] = append(l.by[who], m)
	}
	return nil
}

func (l *letters) open(_ context.Context, n int) error {
	name, err := pick(l.names, fmt.Sprint(n), "conversation")
	if err != nil {
		return err
	}
	l.with, l.first = name, 0
	l.say()
	return nil
}

// say says some messages, the newest last.
func (l *letters) say() {
	all := l.by[l.with]
	part := slices.Clone(all[min(l.first, len(all)):min(l.first+shownLetters, len(all))])
	slices.Reverse(part)
	for _, m := range part {
		l.Say(format.Stamp(m.Created) + ", " + format.Clean(m.From) + ":")
		if m.Text == "" {
			l.Under(canvas.Text("encrypted; no key of this wallet opens it"))
			continue
		}
		l.quote(m.Text)
	}
	if len(part) == 0 {
		l.Say("There are no older messages.")
	}
}

func (l *letters) older(context.Context, string) error {
	if l.with == "" {
		return misuse("With whom?", "type a number first.")
	}
	l.first += shownLetters
	l.say()
	return nil
}

// write asks for a text and sends it by its word.
func (l *letters) write(ctx context.Context, to string) error {
	env, err := l.account()
	if err != nil {
		return err
	}
	if to == "" {
		if to, err = l.Text(ctx, "To", "an account name or id", ""); err != nil {
			return err
		}
	}
	ref, err := within(ctx, l.Desk, "Looking", func(ctx context.Context) (ledgerview.AccountRef, error) {
		return l.opt.Core.Contacts.Finder.Named(ctx, to)
	})
	if err != nil {
		return err
	}
	l.Fact("To", format.Account(ref))
	if err := l.needUnlock(ctx); err != nil {
		return err
	}
	text, err := l.Text(ctx, "Text", "the text of the message, or back", "")
	if err != nil {
		return err
	}
	if text == "" {
		return misuse("A text is needed.", "write, again.")
	}
	kind, err := l.Choose(ctx, "Kind, 1 encrypted, 2 plain", 2, 1)
	if err != nil {
		return err
	}
	params := build.MessageParams{From: env.Account.Name, To: []string{ref.ID.String()}, Text: text}
	built, err := within(ctx, l.Desk, "Building", func(ctx context.Context) (screen.Built, error) {
		return l.opt.Core.Letters.Write(ctx, params, kind == 2)
	})
	if err != nil {
		return err
	}
	return l.spend(ctx, built, "sign", "send", life)
}
