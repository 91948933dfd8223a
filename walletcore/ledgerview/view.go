package ledgerview

import (
	"context"
	"log/slog"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"

	"golang.org/x/sync/errgroup"
)

// Config holds what a view works with. If Store is nil, pins are kept in memory only.
// Everything else is required.
type Config struct {
	Daemon *daemonclient.Client
	Keys   KeyFile
	Index  Index
	Store  PinStore
	Events *event.Broadcaster

	Known    func() []AccountRef // own accounts and contacts, of which a mistyped name may be one; may be nil
	OnHead   func()              // called for each change at the daemon, before it is published
	OwnClock bool                // the ledger's clock may differ from this machine's

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

// View holds what the wallet knows of the ledger, by what is asked for.
type View struct {
	Accounts *Accounts
	Assets   *Assets
	Objects  *Objects
	Chain    *Chain
	Pins     *Pins
	Quorum   *Quorum
	Miners   *Miners
	Vesting  *Vesting
	Prices   *Prices
	NFTs     *NFTs
	Node     *Node
	Pool     *Pool

	Contents      *Contents
	Purchases     *Purchases
	Subscriptions *Subscriptions

	index Index
	log   *slog.Logger
}

// New returns a view that knows nothing yet.
func New(c Config) *View {
	cache := &blockCache{now: c.Now, epoch: c.Daemon.Epoch}
	pins := newPins(c, cache)
	v := &View{
		Accounts: newAccounts(c, cache, pins),
		Assets:   &Assets{c.Daemon, cache, pins},
		Objects:  &Objects{c.Daemon, pins},
		Chain:    &Chain{daemon: c.Daemon, cache: cache, events: c.Events, moved: c.OnHead, anyClock: c.OwnClock, log: c.Logger},
		Pins:     pins,
		Pool:     newPool(c),
		index:    c.Index, log: c.Logger,
	}
	v.Miners, v.NFTs, v.Node = &Miners{c.Daemon, v.Accounts}, newNFTs(c.Daemon, v.Accounts), &Node{c.Daemon}
	v.Quorum = newQuorum(c.Daemon, v.Accounts, v.Assets, v.Chain, v.NFTs)
	v.Contents, v.Subscriptions = &Contents{c.Daemon}, &Subscriptions{c.Daemon, v.Accounts}
	v.Purchases = &Purchases{c.Daemon, v.Accounts, v.Contents, v.Objects}
	v.Vesting = &Vesting{c.Daemon, v.Accounts, v.Objects, v.Chain}
	v.Prices = &Prices{c.Daemon, v.Accounts, v.Assets}
	return v
}

// Follow keeps up with the daemon and writes what was looked up, until ctx ends.
func (v *View) Follow(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return v.Chain.follow(ctx) })
	g.Go(func() error { return v.Pins.follow(ctx) })
	g.Go(func() error { return v.Pool.follow(ctx) })
	return g.Wait()
}
