package history

import (
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/vault"
)

// messageOf reads the message in an operation; false when it carries none, or
// one that cannot be read.
func messageOf(body ledger.Body) (ledger.Message, bool) {
	op, custom := body.(*ledger.CustomOp)
	if !custom || op.ID != ledger.MessageID {
		return ledger.Message{}, false
	}
	m, err := ledger.ReadMessage(op.Data)
	return m, err == nil && len(m.Receivers) > 0
}

// openMessage reads the text: that of the last receiver for whom it can be read, and
// the state of each; a plain text ends the search and has no state, as in the
// reference.
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

// messageEntry is the row of a message: to whom, and what it says as far as it can be read. It moves nothing, so it has
// no direction.
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

// MessageName is what a row calls an operation that carries a message.
const MessageName = "message"

// message describes an operation with a message as the reference words it
// (protocol/wallet-api.md 5), and gives its text. The sender named is the one
// who signed, whatever the message itself says.
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
