package state

import "billfold/ledger"

const typeMessage = 18

// MessageObject is the object 2.18.N: a message with a text for each receiver.
type MessageObject struct {
	ID           ledger.ObjectID   `json:"id"`
	Created      ledger.Time       `json:"created"` // time of the previous block
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

// Messages are the objects 2.18.N.
type Messages struct {
	table[uint64, MessageObject]
	from lists[ledger.AccountID, uint64] // instances of 2.18, ascending
	to   lists[ledger.AccountID, uint64]
}

func newMessages(j *journal) Messages {
	m := Messages{from: newLists[ledger.AccountID, uint64](j), to: newLists[ledger.AccountID, uint64](j)}
	m.table.j = j
	return m
}

// Get returns 2.18.N, or nil.
func (m *Messages) Get(id ledger.ObjectID) *MessageObject {
	if id.Space() != 2 || id.Type() != typeMessage {
		return nil
	}
	return m.table.Get(id.Instance())
}

// Between returns at most limit messages from sender to receiver, newest first. nil
// stands for anybody; one of the two must be given.
func (m *Messages) Between(sender, receiver *ledger.AccountID, limit uint32) []*MessageObject {
	list := []*MessageObject{}
	at := []uint64{}
	switch {
	case receiver != nil:
		at = m.to.of(*receiver)
	case sender != nil:
		at = m.from.of(*sender)
	}
	for i := len(at) - 1; i >= 0 && uint64(len(list)) < uint64(limit); i-- {
		if row := m.table.Get(at[i]); sender == nil || row.Sender == *sender {
			list = append(list, row)
		}
	}
	return list
}

// Add inserts a message under the next id; now is the head block's time.
func (m *Messages) Add(now ledger.Time, message ledger.Message) ledger.ObjectID {
	n := m.Next()
	row := MessageObject{
		ID: ledger.NewObjectID(2, typeMessage, n), Created: now, Sender: message.From, SenderPubkey: message.PubFrom,
		Receivers: make([]MessageReceiver, len(message.Receivers)),
	}
	m.from.add(message.From, n)
	seen := map[ledger.AccountID]bool{}
	for i, r := range message.Receivers {
		row.Receivers[i] = MessageReceiver{Receiver: r.To, ReceiverPubkey: r.PubTo, Nonce: r.Nonce, Data: r.Data}
		if !seen[r.To] {
			m.to.add(r.To, n)
		}
		seen[r.To] = true
	}
	m.insert(&row)
	return row.ID
}
