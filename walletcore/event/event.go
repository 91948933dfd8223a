// Package event notifies whatever shows the wallet that something changed.
package event

import "billfold/ledger"

// Kind is the subject of a change.
type Kind int

// The kinds of events. They carry no data: the receiver asks for what it shows.
const (
	Lock     Kind = iota // locked, unlocked, password set
	Daemon               // daemon state
	Block                // a new head block
	Accounts             // the wallet's accounts or keys
	Payment              // a payment changed its state; Event.Payment says which
	History              // the history index has other rows than before
	Object               // somebody else changed an object that own accounts control
	Content              // a task of content began, went on or ended
)

// Event is one change.
type Event struct {
	Kind    Kind
	Payment ledger.TransactionID // of a Payment event; zero = any payment
}
