package payment

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/walletcore/finality"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
)

// What payments need of the journal, where each payment is written before it is sent.
type (
	journalWriter interface {
		Add(ctx context.Context, e store.Entry, with ...store.Change) error
		Update(ctx context.Context, entries ...store.Entry) error
		UpdateSoon(ctx context.Context, entries ...store.Entry) error // without waiting for the disk
		Disown(ctx context.Context, id ledger.TransactionID, code, reason string) error
	}
	journalReader interface {
		Get(ctx context.Context, id ledger.TransactionID) (store.Entry, error)
		ByKey(ctx context.Context, key string) (store.Entry, error)
		Open(ctx context.Context) ([]store.Entry, error)
		OpenSince(ctx context.Context, since time.Time) (list []store.Entry, newest time.Time, err error)
		Latest(ctx context.Context, n int) ([]store.Entry, error)
		LatestOf(ctx context.Context, keyPrefix string, n int) ([]store.Entry, error)
	}
	// journalIdentity distinguishes this wallet's journal from another one or an older copy.
	journalIdentity interface {
		Check(ctx context.Context, id string) error
		Claim(ctx context.Context, id string) (string, error)
		Renew(ctx context.Context) (string, error)
		Position(ctx context.Context) (store.Mark, error)
	}
)

// journalShare adds the methods of a journal shared by several servers; Server returns "" for a journal that is not shared.
type journalShare interface {
	Server() string
	TakeOver(ctx context.Context) (bool, error)
	Report(ctx context.Context, able, locked bool) error
	Fault() error
}

// journalHints reports what other servers that share the journal do.
type journalHints interface {
	SubscribeHints(see func(store.Hint)) (stop func())
	ForeignProgress(ctx context.Context, known []ledger.TransactionID) ([]store.Progress, error)
}

// journalHold is for recovery after a journal has lost rows.
type journalHold interface {
	Knows(ctx context.Context, id ledger.TransactionID) (bool, error)
	NoteSigned(id ledger.TransactionID, expiration ledger.Time) error
	Hold(ctx context.Context) (store.Hold, error)
	NoteRewritten(ctx context.Context, ambiguous string) error
	EndHold(ctx context.Context, h store.Hold, with ...store.Change) error
	Unclaimed(ctx context.Context) (list []store.Entry, generation int64, err error)
	Signers(ctx context.Context) ([]ledger.PublicKey, error)
	NoteSigners(keys []ledger.PublicKey) error
	NoteAnswered(ctx context.Context, e *store.Entry) error
}

// journalPayouts knows the payments of payouts.
type journalPayouts interface {
	PaidElsewhere(ctx context.Context, r store.PayoutRows) (store.PaidRows, error)
	UnlistedPayouts(ctx context.Context, begin, end string) ([]store.Entry, error)
	ListPayouts(ctx context.Context, all ...store.PayoutRows) error
	LabelPayout(ctx context.Context, r store.PayoutRows, begin, end string) error
}

// Journal stores payments before they are sent.
type Journal interface {
	journalPayouts
	journalWriter
	journalReader
	journalIdentity
	journalShare
	journalHints
	journalHold
	Ready(ctx context.Context) error // why no payment could be written now
	Path() string
	MarkPath() string
}

// Anchors stores the trusted miners and the last block that was proven.
type Anchors interface {
	Anchor(ctx context.Context, chain ledger.ChainID) (*finality.Anchor, error) // nil: none yet
	SaveAnchor(ctx context.Context, a finality.Anchor) error
	ForgetAnchor(ctx context.Context, chain ledger.ChainID) (bool, error)
}

type keyring interface {
	CheckOpen(op string) error
	Holds(key ledger.PublicKey) bool
	PublicKeys() []ledger.PublicKey
	Listed() []ledgerview.AccountRef // the accounts on its list
}

// journalNote is the key file's record of the journal.
type journalNote interface {
	Journal() string // identity of the wallet's journal; "" when none is recorded
	NoteJournal(id string) error
}

// Vault is the part of the wallet's vault that payments need.
type Vault interface {
	keyring
	journalNote
	MarkRequest(words []string, key ledger.PublicKey) (string, error)
	IsMarked(mark string, words []string) bool
	IsLocked() bool
	Locks() uint64 // how many times it has been locked
}
