package ledger

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
