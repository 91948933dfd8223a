package tui

import (
	"context"

	"billfold/ledger"
	"billfold/tui/overlay/unlock"
	"billfold/tui/page/firstrun"
	"billfold/tui/page/history"
	"billfold/tui/page/home"
	"billfold/tui/page/send"
	"billfold/walletcore"
	"billfold/walletcore/event"
	corehistory "billfold/walletcore/history"
	"billfold/walletcore/history/export"
	"billfold/walletcore/history/filter"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// Core is the wallet as the UI needs it: the root's own part, and one for each
// page, as the page declares it.
type Core struct {
	Session  Session
	Accounts Accounts
	Payments Payments

	Home     home.Reader
	History  history.Core
	Send     send.Core
	Unlock   unlock.Opener
	FirstRun firstrun.Maker
}

// Session is the state that every page shows, and the lock.
type Session interface {
	Status() walletcore.Status
	Subscribe() (<-chan event.Event, func())
	Lock() bool
	Touch()
}

// Accounts is the list of own accounts.
type Accounts interface {
	Accounts() []vault.OwnAccount
	RemoveAccount(nameOrID string) error
}

// Payments are those that were sent from this wallet.
type Payments interface {
	Payments() []walletcore.Payment
}

// CoreOf takes all parts from one wallet.
func CoreOf(w *walletcore.Wallet) Core {
	return Core{
		Session:  w,
		Accounts: w,
		Payments: w,
		Home:     reader{w.View.Assets, w.History},
		Unlock:   w,
		FirstRun: w,
		History: history.Core{
			Recent:   w.History,
			Index:    index{w.History, w.Filter},
			Rows:     w.History,
			Counter:  w.History,
			Exporter: export.New(w.History),
		},
		Send: send.Core{Finder: finder{w, w.View.Assets}, Past: w.History, Payer: payer{w}, Drafts: w},
	}
}

// reader reads balances and rows.
type reader struct {
	*ledgerview.Assets
	*corehistory.Reader
}

// index is the rows on disk, and who understands the words of a filter.
type index struct {
	*corehistory.Reader
	*filter.Finder
}

// finder looks up what is typed into a payment.
type finder struct {
	*walletcore.Wallet
	*ledgerview.Assets
}

// FindAccounts implements send.Finder.
func (f finder) FindAccounts(ctx context.Context, prefix string, limit int) ([]ledgerview.AccountRef, error) {
	return f.View.Accounts.Find(ctx, prefix, limit)
}

// Asset implements send.Finder.
func (f finder) Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error) {
	return f.Assets.Get(ctx, symbolOrID)
}

// payer makes a wallet build payments that can send themselves.
type payer struct{ *walletcore.Wallet }

// Prepare implements send.Payer.
func (p payer) Prepare(ctx context.Context, req walletcore.TransferRequest) (send.Prepared, error) {
	draft, err := p.BuildTransfer(ctx, req)
	if err != nil {
		return nil, err
	}
	return prepared{draft, p.Wallet}, nil
}

// prepared is a built payment and the wallet that sends it.
type prepared struct {
	*walletcore.Draft
	wallet *walletcore.Wallet
}

// Send implements send.Prepared.
func (p prepared) Send(ctx context.Context) (walletcore.Payment, error) {
	return p.wallet.Send(ctx, p.Draft)
}
