package draft

import (
	"context"
	"encoding/json"
	"time"

	"billfold/ledger"
	"billfold/walletcore/store"
)

// Message is a message that a person typed and did not send.
type Message struct {
	Number int64 // among the drafts of all kinds
	Saved  time.Time
	To     ledger.AccountID
	Text   string
	Plain  bool
}

// typedMessage is a message as stored.
type typedMessage struct {
	Message *ledger.AccountID // recipient; nil in a transfer
	Text    string
	Plain   bool
}

// SaveMessage saves a message for an account of this wallet and returns its number. Errors: those of Save.
func (d *Drafts) SaveMessage(ctx context.Context, account ledger.AccountID, m Message) (int64, error) {
	return d.save(ctx, account, typedMessage{&m.To, m.Text, m.Plain})
}

// Messages returns the saved messages of an account, newest first. Errors: those of List.
func (d *Drafts) Messages(ctx context.Context, account ledger.AccountID) (out []Message, err error) {
	err = d.forEach(ctx, account, func(kept store.Draft, text string) {
		if to, is := messageIn(text); is {
			out = append(out, Message{kept.Number, kept.Saved, *to.Message, to.Text, to.Plain})
		}
	})
	return out, err
}

// messageIn reads a message from a stored text; is reports whether the text is one.
func messageIn(text string) (m typedMessage, is bool) {
	err := json.Unmarshal([]byte(text), &m)
	return m, err == nil && m.Message != nil
}
