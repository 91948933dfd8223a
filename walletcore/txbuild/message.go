package txbuild

import (
	"cmp"
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

// MessageParams are the parameters of send_message and send_unencrypted_message.
type MessageParams struct {
	From string   `json:"from" role:"account" help:"account name or id"`
	To   []string `json:"to"                  help:"names or ids of accounts"`
	Text string   `json:"text" help:"the message"`
}

// SendMessage sends a text to accounts, encrypted for each of them. Errors: fault.KeyNotInWallet for the
// sender's memo key, those of Payer and Receiver.
func SendMessage(ctx context.Context, b *Builder, p MessageParams) ([]ledger.Operation, error) {
	return b.messageOperation(ctx, p, false)
}

// SendPlainMessage is SendMessage with a text that anyone can read.
func SendPlainMessage(ctx context.Context, b *Builder, p MessageParams) ([]ledger.Operation, error) {
	return b.messageOperation(ctx, p, true)
}

// messageOperation returns the operation that sends a text, and requires that the signed one has the same text and recipients.
func (b *Builder) messageOperation(ctx context.Context, p MessageParams, plain bool) ([]ledger.Operation, error) {
	from, err := b.Payer(ctx, p.From)
	if err != nil {
		return nil, err
	}
	to, err := b.messageReaders(ctx, p.To)
	if err != nil {
		return nil, err
	}
	if err := b.refuseKey("the message", p.Text); err != nil {
		return nil, err
	}
	message, err := b.encryptMessage(from, to, p.Text, plain)
	if err != nil {
		return nil, err
	}
	data, err := message.Bytes()
	if err != nil {
		return nil, unpackable(b.op, err)
	}
	ops, err := b.exactly(&ledger.CustomOp{Payer: from.ID, ID: ledger.MessageID, Data: data, RequiredAuths: []ledger.AccountID{}})
	if err == nil {
		b.Require(func(ops []ledger.Operation) error { return b.checkMessage(ops, to, p.Text, plain) })
	}
	return ops, err
}

// messageReaders finds the recipients of a message, sorted by id and each once.
func (b *Builder) messageReaders(ctx context.Context, names []string) ([]*ledger.Account, error) {
	if len(names) == 0 {
		return nil, &fault.Error{Code: fault.BadValue, Op: b.op, Message: "the message is for nobody", Hint: "name at least one account"}
	}
	var to []*ledger.Account
	for _, name := range names {
		account, err := b.Receiver(ctx, name)
		if err != nil {
			return nil, err
		}
		to = append(to, account)
	}
	slices.SortFunc(to, func(a, b *ledger.Account) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(to, func(a, b *ledger.Account) bool { return a.ID == b.ID }), nil
}

// encryptMessage returns a message with the text for each reader, encrypted unless plain is set.
func (b *Builder) encryptMessage(from *ledger.Account, to []*ledger.Account, text string, plain bool) (m ledger.Message, err error) {
	m.From = from.ID
	for _, reader := range to {
		memo := ledger.PlainMemo(text)
		if !plain {
			memo, err = b.encryptMemo(from, reader, text)
		}
		if err != nil {
			return m, err
		}
		m.PubFrom = memo.From
		m.Receivers = append(m.Receivers, ledger.MessageReceiver{To: reader.ID, PubTo: memo.To, Nonce: memo.Nonce, Data: memo.Message})
	}
	return m, nil
}

// checkMessage compares a message that was read back with its text and readers. Its errors never quote the text.
func (b *Builder) checkMessage(ops []ledger.Operation, to []*ledger.Account, text string, plain bool) error {
	for _, op := range ops {
		body, ok := op.Body.(*ledger.CustomOp)
		if !ok {
			return notAsked("it is not a message")
		}
		message, err := ledger.ReadMessage(body.Data)
		if err != nil || len(message.Receivers) != len(to) {
			return notAsked("it is not a message, or is for others")
		}
		for i, reader := range to {
			memo := message.Memo(i)
			got, state := b.vault.OpenMemo(&memo)
			if message.Receivers[i].To != reader.ID || got != text || (state == vault.MemoPlain) != plain ||
				!plain && memo.To != reader.Options.MemoKey {
				return notAsked("it has another text, or is for others")
			}
		}
	}
	return nil
}
