package home

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/visit"
	"billfold/walletcore/balance"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// Core is what the page needs of the wallet. All but Reader may be nil.
type Core struct {
	Reader
	Past   Past
	Extras ExtrasReader
	Visits Visits
	Drafts Drafts
}

// Reader reads balances and rows.
type Reader interface {
	Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error)
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
}

// Past reads earlier balances.
type Past interface {
	Past(ctx context.Context, id ledger.AccountID, from time.Time, patience time.Duration) (balance.Past, error)
}

// ExtrasReader reads what the page shows besides balances: amounts on hold, withdraw permissions, tokens, and totals of the history.
type ExtrasReader interface {
	Held(ctx context.Context, id ledger.AccountID) ([]ledgerview.Hold, error)
	Permissions(ctx context.Context, id ledger.AccountID) ([]ledgerview.Permission, error)
	OwnedBy(ctx context.Context, owner ledger.AccountID) ([]ledgerview.OwnedToken, error)
	Totals(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (history.Totals, error)
}

// Visits remembers what was seen at the last visit.
type Visits interface {
	Last(chain ledger.ChainID, account ledger.AccountID) (visit.Visit, bool)
	Note(chain ledger.ChainID, account ledger.AccountID, now visit.Visit) error
}
