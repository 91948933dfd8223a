package linear

import (
	"context"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/page/messages"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// messageForm is the form of a message.
type messageForm struct {
	reviewer
	from string
	name string // the recipient as typed
	to   ledgerview.AccountRef
	text string
	kind int // 1: encrypted, 2: plain
}

// askTo finds the recipient; it asks for one unless it was named.
func (l *messageForm) askTo(ctx context.Context, said *string) error {
	return l.givenOrAsk(ctx, said, "To", "an account name or id", &l.name, func(text string) error { return l.findRecipient(ctx, text) })
}

func (l *messageForm) findRecipient(ctx context.Context, name string) (err error) {
	if wrong := send.RecipientProblem(name); wrong != "" {
		return misuse(sentence(wrong), "type an account name or id.")
	}
	if l.to, err = within(ctx, l.Conversation, "Looking", func(ctx context.Context) (ledgerview.AccountRef, error) {
		return l.opt.Core.Messages.Finder.Named(ctx, name)
	}); err != nil {
		return err
	}
	l.Fact("To", format.Account(l.to))
	paid, err := within(ctx, l.Conversation, "Comparing", func(ctx context.Context) (map[ledger.AccountID]bool, error) {
		return messages.Paid(ctx, l.env(), l.opt.Core.Messages.Past, l.to), nil
	})
	if like, is := messages.LookAlike(l.env(), l.to, paid); is {
		l.Fact("Warning", canvas.Join(format.Account(l.to), canvas.Text(" looks like "), format.Account(like), canvas.Text(".")))
	}
	return err
}

func (l *messageForm) askText(ctx context.Context) error {
	return l.askAccepted(ctx, "Text", "the text of the message, or back", &l.text, func(text string) error {
		if text == "" {
			return misuse("A text is needed.", "type it, or back.")
		}
		if wrong := messages.Problem(text); wrong != "" {
			return misuse(sentence(wrong), "type another, or back.")
		}
		return nil
	})
}

// reviewAndSend builds the message and has it reviewed, signed and sent.
func (l *messageForm) reviewAndSend(ctx context.Context) error {
	params := txbuild.MessageParams{From: l.from, To: []string{l.to.ID.String()}, Text: l.text}
	built, err := within(ctx, l.Conversation, "Building", func(ctx context.Context) (screen.Built, error) {
		return l.opt.Core.Messages.Writer.Write(ctx, params, l.kind == 2)
	})
	if err != nil {
		return err
	}
	return l.spend(ctx, built)
}
