package chain

import "billfold/ledger"

const typeMessage = 18

// MessageObject is the object 2.18.N: a message with a text for each receiver.
type MessageObject struct {
	ID           ledger.ObjectID   `json:"id"`
	Created      ledger.Time       `json:"created"` // time of the block before
	Sender       ledger.AccountID  `json:"sender"`
	SenderPubkey ledger.PublicKey  `json:"sender_pubkey"` // null: everybody can read it
	Receivers    []MessageReceiver `json:"receivers_data"`
}

// MessageReceiver is the text for one receiver.
type MessageReceiver struct {
	Receiver       ledger.AccountID `json:"receiver"`
	ReceiverPubkey ledger.PublicKey `json:"receiver_pubkey"`
	Nonce          uint64           `json:"nonce"`
	Data           ledger.Bytes     `json:"data"`
}

// Message gives 2.18.N, or nil.
func (s *State) Message(id ledger.ObjectID) *MessageObject {
	if id.Space() != 2 || id.Type() != typeMessage {
		return nil
	}
	return s.messages.get(id.Instance())
}

// Messages gives at most limit messages from sender, to receiver, or both,
// newest first; nil stands for anybody. One of the two must be given.
func (s *State) Messages(sender, receiver *ledger.AccountID, limit uint32) []*MessageObject {
	list := []*MessageObject{}
	at := []uint64{}
	switch {
	case receiver != nil:
		at = s.messagesTo[*receiver]
	case sender != nil:
		at = s.messagesFrom[*sender]
	}
	for i := len(at) - 1; i >= 0 && uint64(len(list)) < uint64(limit); i-- {
		if m := s.messages.get(at[i]); sender == nil || m.Sender == *sender {
			list = append(list, m)
		}
	}
	return list
}

// addMessage inserts a message under the next id.
func (s *State) addMessage(m ledger.Message) ledger.ObjectID {
	n := s.messages.next()
	row := MessageObject{
		ID: ledger.NewObjectID(2, typeMessage, n), Created: s.HeadTime(), Sender: m.From, SenderPubkey: m.PubFrom,
		Receivers: make([]MessageReceiver, len(m.Receivers)),
	}
	appendKey(&s.j, s.messagesFrom, m.From, n)
	seen := map[ledger.AccountID]bool{}
	for i, r := range m.Receivers {
		row.Receivers[i] = MessageReceiver{Receiver: r.To, ReceiverPubkey: r.PubTo, Nonce: r.Nonce, Data: r.Data}
		if !seen[r.To] {
			appendKey(&s.j, s.messagesTo, r.To, n)
		}
		seen[r.To] = true
	}
	s.messages.insert(&row)
	return row.ID
}
