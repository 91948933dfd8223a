package ledgerview

import (
	"context"
	"log/slog"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"
)

// Config holds what a view works with. If Store is nil, pins are kept in memory only.
// Everything else is required.
type Config struct {
	Daemon *daemonclient.Client
	Keys   KeyFile
	Index  Index
	Store  PinStore
	Events *event.Broadcaster

	Moved    func() // called for each change at the daemon, before it is published
	OwnClock bool   // the ledger's clock may differ from this machine's

	// Never reports whether a transaction that this wallet signed never happens, because it was not sent, was refused or expired. May be nil.
	Never func(ctx context.Context, id ledger.TransactionID) bool

	Now    func() time.Time
	Logger *slog.Logger
}

// KeyFile is the part of the key file that concerns the ledger.
type KeyFile interface {
	ChainID() ledger.ChainID // zero if it belongs to no chain yet
	// AccountOf finds one of the wallet's own accounts by its name or id.
	AccountOf(nameOrID string) (account AccountRef, listed bool)
}

// Index is the index of the histories of the wallet's accounts. Without an index of the
// wallet's chain its answers are empty.
type Index interface {
	Names(
		ctx context.Context,
		accounts []ledger.AccountID,
		assets []ledger.AssetID,
	) (map[ledger.AccountID]string, map[ledger.AssetID]AssetRef, error)
	AccountsNamed(ctx context.Context, name string) ([]ledger.AccountID, error)
	Assets(ctx context.Context) ([]AssetRef, error) // few: those in the histories of own accounts
}
