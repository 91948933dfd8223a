package ledgerview

import (
	"context"
	"log/slog"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"
)

// Config is what a view works with. Store may be nil: then what daemons said is
// kept in memory only. Everything else is needed.
type Config struct {
	Daemon *daemonclient.Client
	Keys   KeyFile
	Index  Index
	Store  PinStore
	Events *event.Broadcaster

	Moved    func() // called with each change at the daemon, before it is published
	OwnClock bool   // the ledger's clock may be another than this machine's

	Now    func() time.Time
	Logger *slog.Logger
}

// KeyFile is what the key file says of the ledger.
type KeyFile interface {
	ChainID() ledger.ChainID // zero when it belongs to no chain yet
	// AccountOf finds one of the wallet's own accounts by its name or id.
	AccountOf(nameOrID string) (account AccountRef, listed bool)
}

// Index is what the history of the wallet's accounts says. Without an index of the
// wallet's chain the answers are empty.
type Index interface {
	Names(
		ctx context.Context,
		accounts []ledger.AccountID,
		assets []ledger.AssetID,
	) (map[ledger.AccountID]string, map[ledger.AssetID]AssetRef, error)
	AccountsNamed(ctx context.Context, name string) ([]ledger.AccountID, error)
	Assets(ctx context.Context) ([]AssetRef, error) // few: those that own accounts met
}
