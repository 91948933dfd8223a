package payment

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/finality"
	"billfold/walletcore/store"
)

// What payments need of the journal, where each is written before it is sent.
type (
	journalWriter interface {
		Add(ctx context.Context, e store.Entry) error
		Update(ctx context.Context, entries ...store.Entry) error
		UpdateSoon(ctx context.Context, entries ...store.Entry) error // nobody waits for the disk
	}
	journalReader interface {
		Get(ctx context.Context, id ledger.TransactionID) (store.Entry, error)
		ByKey(ctx context.Context, key string) (store.Entry, error)
		Open(ctx context.Context) ([]store.Entry, error)
		Latest(ctx context.Context, n int) ([]store.Entry, error)
		LatestOf(ctx context.Context, keyPrefix string, n int) ([]store.Entry, error)
	}
	// journalIdentity distinguishes the journal of this wallet from another or an older one.
	journalIdentity interface {
		Check(ctx context.Context, id string) error
		Claim(ctx context.Context, id string) (string, error)
		Renew(ctx context.Context) (string, error)
		Position(ctx context.Context) (store.Mark, error)
	}
)

// journalShare is what a journal that several servers share has beside; one that is alone has a server without a name.
type journalShare interface {
	Server() string
	TakeOver(ctx context.Context) (bool, error)
	Follow(ctx context.Context, able bool) error
	Fault() error
}

// journalHints is what one hears of other servers that share a journal.
type journalHints interface {
	Hear(see func(store.Hint)) (stop func())
	Elsewhere(ctx context.Context, known []ledger.TransactionID) ([]store.Progress, error)
}

// journalHold is what one does about a journal that several servers share and that has forgotten something.
type journalHold interface {
	Hold(ctx context.Context) (store.Hold, error)
	Rewritten(ctx context.Context, ambiguous string) error
	EndHold(ctx context.Context, h store.Hold, with ...store.Change) error
	Unclaimed(ctx context.Context) (list []store.Entry, generation int64, err error)
	Answered(ctx context.Context, e *store.Entry) error
}

// Journal is where payments are written before they are sent.
type Journal interface {
	journalWriter
	journalReader
	journalIdentity
	journalShare
	journalHints
	journalHold
	Path() string
	MarkPath() string
}

// Anchors keeps which miners are trusted, and the last block that was proven.
type Anchors interface {
	Anchor(ctx context.Context, chain ledger.ChainID) (*finality.Anchor, error) // nil: none yet
	SaveAnchor(ctx context.Context, a finality.Anchor) error
	ForgetAnchor(ctx context.Context, chain ledger.ChainID) (bool, error)
}

type keyring interface {
	CheckOpen(op string) error
	Holds(key ledger.PublicKey) bool
}

// journalNote is what the key file says of the journal.
type journalNote interface {
	Journal() string // the identity of the wallet's own; "" when none is noted
	NoteJournal(id string) error
}

// Vault is what payments need of the wallet's keys.
type Vault interface {
	keyring
	journalNote
	MarkRequest(words []string, key ledger.PublicKey) (string, error)
	IsMarked(mark string, words []string) bool
	Locks() uint64 // how often it was locked
}
