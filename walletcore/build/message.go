package build

import (
	"cmp"
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

// MessageParams are those of send_message and send_unencrypted_message.
type MessageParams struct {
	From string   `json:"from" role:"account" help:"account name or id"`
	To   []string `json:"to"                  help:"names or ids of accounts"`
	Text string   `json:"text" help:"the message"`
}

// SendMessage sends a text to accounts, encrypted for each of them. Errors: fault.KeyNotInWallet for the
// sender's memo key, those of Payer and Receiver.
func SendMessage(ctx context.Context, b *Builder, p MessageParams) ([]ledger.Operation, error) {
	return b.message(ctx, p, false)
}

// SendPlainMessage is SendMessage with a text that anybody can read.
func SendPlainMessage(ctx context.Context, b *Builder, p MessageParams) ([]ledger.Operation, error) {
	return b.message(ctx, p, true)
}

func (b *Builder) message(ctx context.Context, p MessageParams, plain bool) ([]ledger.Operation, error) {
	from, err := b.Payer(ctx, p.From)
	if err != nil {
		return nil, err
	}
	to, err := b.readers(ctx, p.To)
	if err != nil {
		return nil, err
	}
	message, err := b.encrypted(from, to, p.Text, plain)
	if err != nil {
		return nil, err
	}
	data, err := message.Bytes()
	if err != nil {
		return nil, unpackable(b.op, err)
	}
	ops, err := b.only(&ledger.CustomOp{Payer: from.ID, ID: ledger.MessageID, Data: data, RequiredAuths: []ledger.AccountID{}})
	if err == nil {
		b.Require(func(ops []ledger.Operation) error { return b.says(ops, to, p.Text, plain) })
	}
	return ops, err
}

// readers finds those whom a message is for, in the order of their ids and each once.
func (b *Builder) readers(ctx context.Context, names []string) ([]*ledger.Account, error) {
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

// encrypted writes a text for each reader.
func (b *Builder) encrypted(from *ledger.Account, to []*ledger.Account, text string, plain bool) (m ledger.Message, err error) {
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

// says compares a message as it is read back with its text and readers.
func (b *Builder) says(ops []ledger.Operation, to []*ledger.Account, text string, plain bool) error {
	for _, op := range ops {
		body, ok := op.Body.(*ledger.CustomOp)
		if !ok {
			return notAsked("it is no message")
		}
		message, err := ledger.ReadMessage(body.Data)
		if err != nil || len(message.Receivers) != len(to) {
			return notAsked("it is no message, or for others")
		}
		for i, reader := range to {
			memo := message.Memo(i)
			got, state := b.vault.OpenMemo(&memo)
			if message.Receivers[i].To != reader.ID || got != text || (state == vault.MemoPlain) != plain ||
				!plain && memo.To != reader.Options.MemoKey {
				return notAsked("it says something else, or to others")
			}
		}
	}
	return nil
}
