package history

import (
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/vault"
)

// messageOf returns the message in an operation. It reports false if there is none, it
// cannot be read, or it is for nobody.
func messageOf(body ledger.Body) (ledger.Message, bool) {
	m, readable := readMessage(body)
	return m, readable && len(m.Receivers) > 0
}

// readMessage is messageOf, but a message may be for nobody.
func readMessage(body ledger.Body) (ledger.Message, bool) {
	op, custom := body.(*ledger.CustomOp)
	if !custom || op.ID != ledger.MessageID {
		return ledger.Message{}, false
	}
	m, err := ledger.ReadMessage(op.Data)
	return m, err == nil
}

// messageCopy holds what the wallet reads of one receiver's copy of a message.
type messageCopy struct {
	text  string
	state vault.MemoState
}

// openMessage returns the text of the last receiver for whom it can be read, and each
// receiver's copy. A copy in plain text is the last one that is looked at, as in the reference.
func openMessage(open memoOpener, m ledger.Message) (text string, copies []messageCopy) {
	for i := range m.Receivers {
		memo := m.Memo(i)
		read, state := open(&memo)
		copies = append(copies, messageCopy{read, state})
		if state == vault.MemoOpen || state == vault.MemoPlain {
			text = read
		}
		if state == vault.MemoPlain {
			break
		}
	}
	return text, copies
}

// messageEntry fills in the row of a message: the receiver, and the text as far as it can be read. A message moves
// nothing, so it has no direction.
func (d *describer) messageEntry(id ledger.AccountID, m ledger.Message, e *Entry) {
	e.Name = MessageName
	e.To = d.Ref(m.Receivers[0].To)
	for _, r := range m.Receivers {
		if r.To == id && e.From.ID != id {
			e.To = d.Ref(id)
		}
	}
	if e.From.ID == id {
		e.With = e.To
	}
	text, copies := openMessage(d.open, m)
	switch {
	case copies[len(copies)-1].state == vault.MemoPlain:
		e.Memo, e.MemoState = text, vault.MemoPlain
	case slices.ContainsFunc(copies, func(c messageCopy) bool { return c.state == vault.MemoOpen }):
		e.Memo, e.MemoState = text, vault.MemoOpen
	default:
		e.MemoState = copies[0].state
	}
}

// MessageName is the name in a row of an operation that carries a message.
const MessageName = "message"

// message describes an operation with a message as the reference words it
// (docs/protocol/wallet-api.md 5), and returns the text. It names as sender the account that
// signed, whatever the message itself claims. A locked wallet is mentioned once, and plain
// text is in no description.
func (d *describer) message(op *ledger.CustomOp, m ledger.Message) (description, text string) {
	text, copies := openMessage(d.open, m)
	var b strings.Builder
	b.WriteString("Send message from " + d.AccountName(op.Payer) + " to ")
	for _, r := range m.Receivers {
		b.WriteString(d.AccountName(r.To) + " ")
	}
	for _, c := range copies {
		if c.state != vault.MemoPlain {
			b.WriteString(memoText(c.text, c.state))
		}
		if c.state == vault.MemoLocked {
			break
		}
	}
	return b.String() + " (Fee: " + d.Pretty(op.Fee) + ")", text
}
