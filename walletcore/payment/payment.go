package payment

import (
	"time"

	"billfold/ledger"
	"billfold/walletcore/build"
)

// State is where a payment stands.
type State int

// The states of a payment, in order of progress; the last four are final or need waiting.
const (
	Prepared     State = iota // signed, not sent
	Sent                      // accepted into the daemon's pending list
	InBlock                   // in block Block, not yet irreversible
	Irreversible              // final
	Unknown                   // may still happen until a block after Expiration is irreversible
	Rejected                  // nothing was spent: never sent, or refused and proven not to have happened
	Expired                   // proven not to have happened
)

// Payment is one transfer on its way.
type Payment struct {
	ID         ledger.TransactionID
	Key        string // the caller's request key; "" = none
	State      State
	Review     build.Review
	Expiration ledger.Time
	Prepared   time.Time
	Sent       time.Time
	InBlock    time.Time // when the block was seen; zero before
	Final      time.Time // of the head block when its own was seen to be irreversible; zero before, and of payments of earlier versions
	Block      uint32
	TrxInBlock uint32
	Head       uint32 // as last seen
	Last       uint32 // last irreversible block as last seen
	Reason     string // why rejected, unknown or expired; one sentence

	Taken       bool // a daemon answered that it has the bytes; without that Sent says only that they left
	ByNodesWord bool // a daemon calls its block irreversible, and the miners' signatures do not prove it yet
}

// FoundPayment is a transaction of the wallet's keys that its journal did not have.
type FoundPayment struct {
	ID    ledger.TransactionID
	Block uint32
	Text  string // what it does; names in it were written by others
}
