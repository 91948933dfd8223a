// Package message reads the messages that accounts sent each other through the
// ledger, and decrypts those that the wallet has a key of.
//
// Promises: a text is shown only as the keys of the wallet decrypt it, or as it is on the ledger if it is not
// encrypted; names are those of the ids in the message, and a sender whose key did not encrypt the text is marked. No
// text is kept, only up to where a conversation was read.
package message

import (
	"context"
	"encoding/json"
	"iter"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
	"billfold/walletcore/vault"
)

// Daemon is the part of a daemon's API that is used here.
type Daemon interface {
	Messages(ctx context.Context, sender, receiver *ledger.AccountID, most uint32) ([]json.RawMessage, error)
}

// Vault reads messages with the keys of the wallet.
type Vault interface {
	OpenMemo(memo *ledger.Memo) (string, vault.MemoState)
	AccountOf(nameOrID string) (account ledgerview.AccountRef, listed bool)
	Holds(key ledger.PublicKey) bool
}

// Marks keep up to where messages were read.
type Marks interface {
	List(ctx context.Context, chain ledger.ChainID, account ledger.AccountID) ([]store.MessageMark, error)
	Put(ctx context.Context, kept store.MessageMark) error
}

// Reader reads messages.
type Reader struct {
	view   *ledgerview.View
	vault  Vault
	daemon Daemon
	marks  Marks // nil: nothing is remembered
}

// NewReader returns a reader; without marks nothing is remembered about what was read.
func NewReader(view *ledgerview.View, keys Vault, daemon Daemon, marks Marks) *Reader {
	return &Reader{view, keys, daemon, marks}
}

// Opened is a message as the ledger keeps it, with its text.
type Opened struct {
	ledger.MessageObject
	Text string `json:"text" help:"empty when no key of the wallet opens it"`
}

// maxFound is the maximum number of messages that may be asked for at once.
const maxFound = 1000

// Between lists messages, newest first; an empty name is any account, but not for both. Errors: fault.NoSuchAccount,
// fault.LimitExceeded, or the daemon's.
func (r *Reader) Between(ctx context.Context, sender, receiver string, most uint32) ([]Opened, error) {
	if most > maxFound {
		return nil, &fault.Error{Code: fault.LimitExceeded, Message: "at most 1000 messages are given at once",
			Hint: "ask for the latest 1000"}
	}
	from, err := r.accountID(ctx, sender)
	if err != nil {
		return nil, err
	}
	to, err := r.accountID(ctx, receiver)
	if err != nil {
		return nil, err
	}
	raws, err := r.daemon.Messages(ctx, from, to, most)
	if err != nil {
		return nil, fault.Daemon("reading messages", err)
	}
	out := make([]Opened, len(raws))
	for i, raw := range raws {
		if err := codec.Unmarshal(raw, &out[i].MessageObject); err != nil {
			return nil, fault.Daemon("reading a message", err)
		}
		out[i].Text = r.open(out[i].MessageObject)
	}
	return out, nil
}

func (r *Reader) accountID(ctx context.Context, nameOrID string) (*ledger.AccountID, error) {
	if nameOrID == "" {
		return nil, nil
	}
	account, err := r.view.Accounts.Get(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	return &account.ID, nil
}

// open returns the text of a message, "" if no key opens it.
func (r *Reader) open(m ledger.MessageObject) string {
	for i := range m.Receivers {
		memo := m.Memo(i)
		if text, state := r.vault.OpenMemo(&memo); state == vault.MemoPlain || state == vault.MemoOpen {
			return text
		}
	}
	return ""
}

// Message is a message with names in place of ids.
type Message struct {
	Created ledger.Time `json:"created"`
	From    string      `json:"from"`
	To      []string    `json:"to"`
	Text    string      `json:"text"`
}

// Received lists the messages to an account, newest first; none if it is not on the wallet's list. Errors: those of Between.
func (r *Reader) Received(ctx context.Context, receiver string, most uint32) ([]Message, error) {
	return r.readOwn(ctx, receiver, func(id string) ([]Opened, error) { return r.Between(ctx, "", id, most) })
}

// Sent is Received for the messages that an account sent.
func (r *Reader) Sent(ctx context.Context, sender string, most uint32) ([]Message, error) {
	return r.readOwn(ctx, sender, func(id string) ([]Opened, error) { return r.Between(ctx, id, "", most) })
}

func (r *Reader) readOwn(ctx context.Context, nameOrID string, read func(id string) ([]Opened, error)) ([]Message, error) {
	account, err := r.view.Accounts.Get(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	if _, own := r.vault.AccountOf(account.ID.String()); !own {
		return []Message{}, nil
	}
	found, err := read(nameOrID)
	if err != nil {
		return nil, err
	}
	return r.withNames(ctx, found)
}

// withNames replaces ids with names.
func (r *Reader) withNames(ctx context.Context, found []Opened) ([]Message, error) {
	names, err := r.namesIn(ctx, func(yield func(ledger.MessageObject) bool) {
		for _, m := range found {
			if !yield(m.MessageObject) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]Message, len(found))
	for i, m := range found {
		out[i] = Message{Created: m.Created, From: names.AccountName(m.Sender), To: []string{}, Text: m.Text}
		for _, to := range m.Receivers {
			out[i].To = append(out[i].To, names.AccountName(to.Receiver))
		}
	}
	return out, nil
}

// namesIn reads the names of all senders and receivers of the messages.
func (r *Reader) namesIn(ctx context.Context, messages iter.Seq[ledger.MessageObject]) (*ledgerview.Namer, error) {
	mentioned := new(ledgerview.Mentions)
	for m := range messages {
		mentioned.AccountName(m.Sender)
		for _, to := range m.Receivers {
			mentioned.AccountName(to.Receiver)
		}
	}
	mentioned.Distinct()
	return r.view.Namer(ctx, mentioned)
}
