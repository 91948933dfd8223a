package payment

import (
	"time"

	"billfold/ledger"
	"billfold/walletcore/txbuild"
)

// State is the progress of a payment.
type State int

// The states of a payment, in order of progress; Irreversible, Rejected and Expired are final.
const (
	Prepared     State = iota // signed, not sent
	Sent                      // accepted into the daemon's pending list
	InBlock                   // in block Block, not yet irreversible
	Irreversible              // final
	Unknown                   // may still happen until a block after Expiration is irreversible
	Rejected                  // nothing was spent: never sent, or refused and proven not to have happened
	Expired                   // proven not to have happened
)

// Payment is one transaction and its progress.
type Payment struct {
	ID         ledger.TransactionID
	Key        string // the caller's request key; "" = none
	State      State
	Review     txbuild.Review
	Expiration ledger.Time
	Prepared   time.Time
	Sent       time.Time
	InBlock    time.Time // when the block was seen; zero before
	Final      time.Time // head block's time when its block was seen to be irreversible; zero before, and for payments of earlier versions
	Block      uint32
	TrxInBlock uint32
	LastIn     Position // the block that held it when an earlier run ended, until that is read again; zero: none
	Head       uint32   // number of the head block last seen
	Last       uint32   // number of the last irreversible block last seen
	Reason     string   // why rejected, unknown or expired; one sentence

	Taken       bool // a daemon confirmed that it has the bytes; without that, Sent only means that they left
	ByNodesWord bool // a daemon calls its block irreversible, but the miners' signatures do not prove it yet
}

// Position is the place of a payment in a block, and the time at which it was seen there.
type Position struct {
	Block, Trx uint32
	Seen       time.Time
}

// FoundPayment is a transaction signed with the wallet's keys that its journal lacked.
type FoundPayment struct {
	ID    ledger.TransactionID
	Block uint32
	Text  string // what it does; names in it were chosen by others
}
