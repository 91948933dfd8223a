package walletcore

import (
	"strings"

	"billfold/keystore"
	"billfold/ledger"
)

// message is what a custom operation of id 1 carries as JSON text
// (protocol/memo.md 2). Absent keys are null: then the text is plain.
type message struct {
	PubFrom   ledger.PublicKey  `json:"pub_from"`
	Receivers []messageReceiver `json:"receivers_data"`
}

// messageReceiver is one receiver with the text encrypted for them.
type messageReceiver struct {
	To    ledger.AccountID `json:"to"`
	PubTo ledger.PublicKey `json:"pub_to"`
	Nonce uint64           `json:"nonce"`
	Data  ledger.Bytes     `json:"data"`
}

// messageOf reads the message in an operation; false when it carries none, or
// one that cannot be read.
func messageOf(body ledger.Body) (message, bool) {
	op, custom := body.(*ledger.CustomOp)
	if !custom || op.ID != ledger.MessageID {
		return message{}, false
	}
	var m message
	err := ledger.Unmarshal(op.Data, &m)
	return m, err == nil && len(m.Receivers) > 0
}

// memo is the text for one receiver as the memo that it is.
func (m message) memo(r messageReceiver) *ledger.Memo {
	if m.PubFrom.IsNull() || r.PubTo.IsNull() {
		return &ledger.Memo{Message: r.Data}
	}
	return &ledger.Memo{From: m.PubFrom, To: r.PubTo, Nonce: r.Nonce, Message: r.Data}
}

// open reads the text: that of the last receiver for whom it can be read, and
// the state of each; a plain text ends the search and has no state, as in the
// reference.
func (m message) open(w *Wallet, store *keystore.Store) (text string, states []MemoState) {
	for _, r := range m.Receivers {
		read, state := w.openMemo(store, m.memo(r))
		switch state {
		case MemoPlain:
			return read, nil
		case MemoOpen:
			text = read
		}
		states = append(states, state)
	}
	return text, states
}

// message describes an operation with a message as the reference words it
// (protocol/wallet-api.md 5), and gives its text. The sender named is the one
// who signed, whatever the message itself says.
func (d *describer) message(op *ledger.CustomOp, m message) (description, text string) {
	text, states := m.open(d.w, d.store)
	var b strings.Builder
	b.WriteString("Send message from " + d.name(op.Payer) + " to ")
	for _, r := range m.Receivers {
		b.WriteString(d.name(r.To) + " ")
	}
	for _, state := range states {
		b.WriteString(memoText(text, state))
	}
	return b.String() + " (Fee: " + d.pretty(op.Fee) + ")", text
}
