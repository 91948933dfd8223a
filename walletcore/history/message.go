package history

import (
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/vault"
)

// messageOf returns the message in an operation. It reports false if there is none, or
// it cannot be read.
func messageOf(body ledger.Body) (ledger.Message, bool) {
	op, custom := body.(*ledger.CustomOp)
	if !custom || op.ID != ledger.MessageID {
		return ledger.Message{}, false
	}
	m, err := ledger.ReadMessage(op.Data)
	return m, err == nil && len(m.Receivers) > 0
}

// openMessage returns the text of the last receiver for whom it can be decrypted, and
// the state of each receiver's copy. If a copy is plain text it returns that, and no
// states, as the reference does.
func openMessage(open memoOpener, m ledger.Message) (text string, states []vault.MemoState) {
	for i := range m.Receivers {
		memo := m.Memo(i)
		read, state := open(&memo)
		switch state {
		case vault.MemoPlain:
			return read, nil
		case vault.MemoOpen:
			text = read
		case vault.MemoNone, vault.MemoLocked, vault.MemoForeign, vault.MemoDamaged:
		}
		states = append(states, state)
	}
	return text, states
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
	text, states := openMessage(d.open, m)
	switch {
	case states == nil:
		e.Memo, e.MemoState = text, vault.MemoPlain
	case slices.Contains(states, vault.MemoOpen):
		e.Memo, e.MemoState = text, vault.MemoOpen
	default:
		e.MemoState = states[0]
	}
}

// MessageName is the name in a row of an operation that carries a message.
const MessageName = "message"

// message describes an operation with a message as the reference words it
// (docs/protocol/wallet-api.md 5), and returns the text. It names as sender the account that
// signed, whatever the message itself claims.
func (d *describer) message(op *ledger.CustomOp, m ledger.Message) (description, text string) {
	text, states := openMessage(d.open, m)
	var b strings.Builder
	b.WriteString("Send message from " + d.AccountName(op.Payer) + " to ")
	for _, r := range m.Receivers {
		b.WriteString(d.AccountName(r.To) + " ")
	}
	for _, state := range states {
		b.WriteString(memoText(text, state))
	}
	return b.String() + " (Fee: " + d.Pretty(op.Fee) + ")", text
}
