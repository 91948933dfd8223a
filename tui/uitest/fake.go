package uitest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"billfold/walletcore/build"
	corehistory "billfold/walletcore/history"
	"billfold/walletcore/payment"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/page/history"
	"billfold/tui/page/receive"
	"billfold/tui/page/send"
	"billfold/walletcore"
	"billfold/walletcore/draft"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// FakeWallet is a wallet of fixed data behind the interfaces that the UI drives. It
// decides nothing. The history page stands on it, over a history index that the test
// fills; so do frames with what no sandbox says: names and reasons with escapes, and
// amounts at the ends of int64. All else stands on a World.
type FakeWallet struct {
	mu     sync.Mutex
	events chan event.Event

	State walletcore.Status
	Own   []vault.OwnAccount
	Held  []ledgerview.Balance
	Rows  []corehistory.Entry // of the node, while there is no index
	Paid  []payment.Payment
	Next  build.Review // of the next payment that is built
	Kept  []draft.Draft
	Index *walletcore.Wallet // has the history, in an index; nil: there is none

	Failures
	Delays
}

// Failures are what a FakeWallet answers with an error.
type Failures struct{ ReadErr, IndexErr error }

// Delays are how long a FakeWallet takes.
type Delays struct{ ExportTakes, CountTakes time.Duration }

// Open makes the channel of events; Run does it.
func (p *FakeWallet) Open() {
	p.events = make(chan event.Event, 16)
	p.Touch()
}

// Touch implements a part of tui.Core.
func (p *FakeWallet) Touch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.touchLocked()
}

func (p *FakeWallet) touchLocked() {
	if p.State.Lock == vault.Unlocked {
		p.State.LocksAt = time.Now().Add(15 * time.Minute)
	}
}

// Change sets data and publishes an event of the kind.
func (p *FakeWallet) Change(kind event.Kind, set func()) {
	p.mu.Lock()
	set()
	p.mu.Unlock()
	p.events <- event.Event{Kind: kind}
}

// Status implements a part of tui.Core.
func (p *FakeWallet) Status() walletcore.Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.State
}

// Subscribe implements a part of tui.Core.
func (p *FakeWallet) Subscribe() (<-chan event.Event, func()) {
	return p.events, func() { close(p.events) }
}

// List implements a part of tui.Core.
func (p *FakeWallet) List() []vault.OwnAccount { return p.Own }

// Balances implements a part of tui.Core.
func (p *FakeWallet) Balances(context.Context, ledger.AccountID) ([]ledgerview.Balance, error) {
	return p.Held, p.ReadErr
}

// Entries implements a part of tui.Core.
func (p *FakeWallet) Entries(_ context.Context, _ ledger.AccountID, before ledger.HistoryID, limit int) ([]corehistory.Entry, error) {
	var out []corehistory.Entry
	for _, e := range p.Rows {
		if (before == 0 || e.ID < before) && len(out) < limit {
			if p.Status().Lock != vault.Unlocked && e.MemoState == vault.MemoOpen {
				e.Memo, e.MemoState = "", vault.MemoLocked
			}
			out = append(out, e)
		}
	}
	return out, p.ReadErr
}

// Unlock implements a part of tui.Core.
func (p *FakeWallet) Unlock(_ context.Context, text string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if text != Password {
		return &fault.Error{Code: fault.WrongPassword, Message: "the password does not open the wallet"}
	}
	p.State.Lock = vault.Unlocked
	p.touchLocked()
	return nil
}

// Lock implements a part of tui.Core.
func (p *FakeWallet) Lock() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.State.Lock, p.State.LocksAt = vault.Locked, time.Time{}
	return true
}

// Remove implements a part of tui.Core.
func (p *FakeWallet) Remove(nameOrID string) error {
	p.Own = slices.DeleteFunc(p.Own, func(a vault.OwnAccount) bool { return a.ID.String() == nameOrID })
	return nil
}

// FindAccounts implements a part of tui.Core.
func (p *FakeWallet) FindAccounts(_ context.Context, prefix string, limit int) ([]ledgerview.AccountRef, error) {
	var out []ledgerview.AccountRef
	for _, a := range []ledgerview.AccountRef{Alice, Bob, Caro1, Carol, Merchant, Savings} {
		if strings.HasPrefix(a.Name, prefix) && len(out) < limit {
			out = append(out, a)
		}
	}
	return out, nil
}

// Asset implements a part of tui.Core.
func (p *FakeWallet) Asset(_ context.Context, symbol string) (*ledger.Asset, error) {
	for _, a := range []ledgerview.AssetRef{DCT, Gold, USDX, Points, {ID: 15, Symbol: "NONE", Precision: 2}} {
		if a.Symbol == symbol {
			return &ledger.Asset{ID: a.ID, Symbol: a.Symbol, Precision: a.Precision}, nil
		}
	}
	return nil, &fault.Error{Code: fault.NoSuchAsset, Message: "there is no asset " + symbol}
}

// prepared is a payment that the wallet built.
type prepared struct {
	r build.Review
	p *FakeWallet
}

// Review implements send.Prepared.
func (d prepared) Review() build.Review { return d.r }

// Prepare implements a part of tui.Core.
func (p *FakeWallet) Prepare(context.Context, build.TransferParams) (send.Prepared, error) {
	return prepared{p.Next, p}, nil
}

// Send implements send.Prepared.
func (d prepared) Send(context.Context) (payment.Payment, error) {
	p := d.p
	now := time.Now()
	pay := payment.Payment{ID: TxID(100), State: payment.Sent, Review: d.Review(), Prepared: now, Sent: now, Taken: true,
		Expiration: ledger.TimeOf(now.Add(30 * time.Second))}
	p.Change(event.Payment, func() { p.Paid = append([]payment.Payment{pay}, p.Paid...) })
	return pay, nil
}

// Core is the wallet as the UI takes it; it makes and imports nothing.
func (p *FakeWallet) Core() tui.Core {
	return tui.Core{Session: p, Lock: p, Accounts: p, Payments: p, Home: p, Unlock: p,
		History: history.Core{Recent: p, Index: p, Rows: p, Counter: p, Exporter: p},
		Send:    send.Core{Finder: p, History: p, Payer: p, Drafts: drafts{p}},
		Receive: receive.Core{History: p, Assets: p}}
}

// Recent implements a part of tui.Core.
func (p *FakeWallet) Recent() []payment.Payment {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]payment.Payment(nil), p.Paid...)
}

// Resend implements a part of tui.Core.
func (p *FakeWallet) Resend(context.Context, ledger.TransactionID) error { return nil }

// TransferFee implements a part of tui.Core.
func (p *FakeWallet) TransferFee(context.Context) (ledgerview.AssetRef, int64, error) {
	return DCT, 500000, nil
}

// drafts is where a FakeWallet keeps what was typed.
type drafts struct{ *FakeWallet }

// Save implements send.Keeper.
func (p drafts) Save(_ context.Context, _ ledger.AccountID, req build.TransferParams) (int64, error) {
	p.Kept = append([]draft.Draft{{Number: int64(len(p.Kept) + 1), Saved: time.Now(), Request: req}}, p.Kept...)
	return p.Kept[0].Number, p.ReadErr
}

// List implements send.Keeper.
func (p drafts) List(context.Context, ledger.AccountID) ([]draft.Draft, error) {
	return append([]draft.Draft(nil), p.Kept...), p.ReadErr
}

// Drop implements send.Keeper.
func (p drafts) Drop(_ context.Context, number int64) error {
	p.Kept = slices.DeleteFunc(p.Kept, func(d draft.Draft) bool { return d.Number == number })
	return nil
}
