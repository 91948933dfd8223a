package ledger

import (
	"fmt"

	"billfold/ledger/codec"
)

// MessageObject is the object 2.18.N: a message as the node stores it.
type MessageObject struct {
	ID        ObjectID              `json:"id"`
	Created   Time                  `json:"created"`
	Sender    AccountID             `json:"sender"`
	SenderKey PublicKey             `json:"sender_pubkey"` // null: everybody can read it
	Receivers []MessageObjectReader `json:"receivers_data"`
}

// MessageObjectReader is the text of a message for one receiver.
type MessageObjectReader struct {
	Receiver    AccountID `json:"receiver"`
	ReceiverKey PublicKey `json:"receiver_pubkey"`
	Nonce       uint64    `json:"nonce"`
	Data        Bytes     `json:"data"`
}

// Memo returns the entry of a receiver as a memo; see Message.Memo.
func (m MessageObject) Memo(receiver int) Memo {
	r := m.Receivers[receiver]
	return Message{PubFrom: m.SenderKey, Receivers: []MessageReceiver{
		{To: r.Receiver, PubTo: r.ReceiverKey, Nonce: r.Nonce, Data: r.Data},
	}}.Memo(0)
}

// Message is the JSON text inside a custom operation with id MessageID
// (docs/protocol/memo.md 2). Each receiver has its own ciphertext.
type Message struct {
	From      AccountID         `json:"from"`
	PubFrom   PublicKey         `json:"pub_from"`
	Receivers []MessageReceiver `json:"receivers_data"`
}

// MessageReceiver is the text for one receiver, encrypted as a memo is.
type MessageReceiver struct {
	To    AccountID `json:"to"`
	PubTo PublicKey `json:"pub_to"`
	Nonce uint64    `json:"nonce"`
	Data  Bytes     `json:"data"`
}

// ReadMessage reads the data of a custom operation. Members may be in any
// order; missing keys are null keys, which mean plain text.
func ReadMessage(data []byte) (Message, error) {
	var m Message
	if err := codec.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("the custom data is not a message: %w", err)
	}
	return m, nil
}

// Bytes returns the text that goes into the custom operation.
func (m Message) Bytes() (Bytes, error) { return codec.Marshal(m) }

// Memo returns the entry of a receiver as a memo, which is encrypted in the same way. A
// message is plain text if either key is null.
func (m Message) Memo(receiver int) Memo {
	r := m.Receivers[receiver]
	memo := Memo{From: m.PubFrom, To: r.PubTo, Nonce: r.Nonce, Message: r.Data}
	if r.PubTo.IsNull() {
		memo.From = PublicKey{}
	}
	return memo
}

// NewMessage makes a message of text to the receivers in to. own is the sender's memo
// key, with which the text is encrypted for each receiver; with the null key it stays
// plain text, readable by everybody. Nonce 0 means a fresh random one.
func NewMessage(from AccountID, own PrivateKey, text string, to map[AccountID]PublicKey, nonce uint64) (Message, error) {
	m := Message{From: from}
	ids := make([]AccountID, 0, len(to))
	for id := range to {
		ids = append(ids, id)
	}
	for _, id := range distinct(ids) {
		memo := PlainMemo(text)
		if !own.IsNull() {
			var err error
			if memo, err = EncryptMemo(own, to[id], nonce, text); err != nil {
				return Message{}, fmt.Errorf("the message to %s: %w", id, err)
			}
		}
		if text == "" {
			memo.Message = nil
		}
		m.PubFrom = memo.From
		m.Receivers = append(m.Receivers, MessageReceiver{To: id, PubTo: memo.To, Nonce: memo.Nonce, Data: memo.Message})
	}
	return m, nil
}

func (m Message) receivers() []AccountID {
	ids := make([]AccountID, len(m.Receivers))
	for i, r := range m.Receivers {
		ids[i] = r.To
	}
	return ids
}
