// Package events turns what changes in a wallet into the events of the RPC
// server's feed. It owns what was last published of each account and payment, and
// tells a change once; it promises nothing about what it is not there for: who
// must not miss a deposit asks deposits.next.
//
//	walletcore events ──► scan of what they concern ──► differences ──► rpcserver.Feed
package events

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/rpcserver"
	"billfold/walletcore"
	"billfold/walletcore/deposit"
	"billfold/walletcore/event"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// Sources is what is followed.
type Sources struct {
	Wallet   Wallet
	Accounts Accounts
	Balances Balances
	History  History
	Deposits Deposits
	Payments Payments
}

// SourcesOf returns the parts of one wallet.
func SourcesOf(w *walletcore.Wallet) Sources {
	return Sources{Wallet: w, Accounts: w.Own, Balances: w.View.Assets, History: w.History, Deposits: w.Deposits, Payments: w.Payments}
}

// Wallet is the state of the wallet.
type Wallet interface {
	Subscribe() (<-chan event.Event, func())
	Status() walletcore.Status
}

// Accounts are those on the wallet's list.
type Accounts interface {
	List() []vault.OwnAccount
	Count() int
	Of(id ledger.AccountID) (own vault.OwnAccount, listed bool)
}

// Balances reads what accounts hold.
type Balances interface {
	Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error)
}

const (
	scanPause   = 200 * time.Millisecond // between two scans: payments may change far more often
	scanTimeout = 20 * time.Second       // for everything that one block may change
	mostScanned = 100                    // accounts that are all looked at with each block
)

// Publisher follows one wallet.
type Publisher struct {
	from  Sources
	found gathered
	heard func() bool // somebody listens, or did

	block    block
	lock     string
	payments paymentStates
	accounts map[ledger.AccountID]*account
	begun    uint32             // the head block of the first scan
	moved    uint64             // how many changes of histories were seen
	next     int                // where in a long list the next part begins, while nobody knows what moved
	behind   []vault.OwnAccount // whose histories the index had not read up to the head block
	waits    int                // how often in a row they were waited for
}

type block struct {
	HeadBlockNum  uint32      `json:"head_block_num"`
	HeadBlockTime ledger.Time `json:"head_block_time"`
	Irreversible  uint32      `json:"last_irreversible_block_num"`
}

// New makes a publisher of what changes.
func New(from Sources, feed *rpcserver.Feed) *Publisher {
	return &Publisher{
		from: from, found: gathered{publish: feed.Publish}, heard: feed.Heard, accounts: map[ledger.AccountID]*account{},
		payments: paymentStates{from: from.Payments, published: map[ledger.TransactionID]string{}},
	}
}

// Run publishes what changes until ctx ends: the lock at once, everything else as a scan finds it. The wallet's events may be
// many for one scan, and some of very many are dropped, so they only say that there is something to scan. A status looks at
// files of the wallet, which is too much for each event.
func (p *Publisher) Run(ctx context.Context) {
	events, stop := p.from.Wallet.Subscribe()
	defer stop()
	p.lock = lockName(p.from.Wallet.Status().Lock)
	p.scan(ctx)
	var due <-chan time.Time // of the next scan; nil = nothing has changed
	for last := time.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case e, open := <-events:
			if !open {
				return
			}
			if e.Kind == event.Lock {
				p.publishLock(p.from.Wallet.Status())
			} else if due == nil {
				due = time.After(scanPause - time.Since(last))
			}
		case <-due:
			p.scan(ctx)
			due, last = nil, time.Now()
			if len(p.behind) > 0 {
				due = time.After(scanPause)
			}
		}
	}
}

func (p *Publisher) publishLock(s walletcore.Status) {
	if now := lockName(s.Lock); now != p.lock {
		p.lock = now
		p.publish("lock", map[string]string{"state": now})
		p.found.release()
	}
}

func lockName(s vault.State) string {
	return [...]string{"new", "locked", "unlocked"}[s]
}

// publish adds an event to those that the scan has found.
func (p *Publisher) publish(topic string, data any) {
	text, err := codec.Marshal(data)
	if err == nil && json.Valid(text) {
		p.found.add(rpcserver.Event{Topic: topic, Data: text})
	}
}

// scan finds what has changed.
func (p *Publisher) scan(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, scanTimeout)
	defer cancel()
	defer p.found.release()
	s := p.from.Wallet.Status()
	p.publishLock(s) // its event may have been dropped
	now := block{s.Head, s.HeadTime, s.Irreversible}
	same := s.Daemon != walletcore.DaemonOnline || now == p.block
	if !same && p.block != (block{}) { // the first one is no change
		p.publish("blocks", now)
	}
	for _, info := range p.payments.changes(ctx, p.heard()) {
		p.publish("payments", info)
	}
	if !same {
		p.block = now
		p.begun = cmp.Or(p.begun, now.HeadBlockNum)
	}
	p.publishAccounts(ctx, !same)
}

// due returns the accounts to look at. Of very many these are the ones whose histories moved and, with a block, those
// with deposits that wait to be irreversible. While no index says what moved, they are some in turn.
func (p *Publisher) due(block bool) []vault.OwnAccount {
	moved, last, known := p.from.History.MovedSince(p.moved)
	p.moved = last
	switch many := p.from.Accounts.Count() > mostScanned; {
	case !many && block:
		return p.from.Accounts.List()
	case !many, p.begun == 0:
		return nil
	case !known && block:
		return p.withPending(p.inTurn())
	case !known:
		return nil
	}
	var due []vault.OwnAccount
	slices.Sort(moved)
	for _, id := range slices.Compact(moved) {
		if own, listed := p.from.Accounts.Of(id); listed {
			due = append(due, own)
			if p.accounts[id] == nil { // what moved since the first scan is news
				p.accounts[id] = &account{known: true, final: deposit.Position{Block: p.begun, Trx: math.MaxUint32},
					balances: map[ledger.AssetID]int64{}, pending: map[pendingKey]deposit.Deposit{}}
			}
		}
	}
	if block {
		due = p.withPending(due)
	}
	return due
}

// inTurn returns the next part of the list.
func (p *Publisher) inTurn() []vault.OwnAccount {
	list := p.from.Accounts.List()
	from := p.next % len(list)
	p.next = min(from+mostScanned, len(list))
	return slices.Clone(list[from:p.next])
}

// withPending appends the accounts with deposits that wait to be irreversible to those that are looked at already.
func (p *Publisher) withPending(due []vault.OwnAccount) []vault.OwnAccount {
	there := map[ledger.AccountID]bool{}
	for _, own := range due {
		there[own.ID] = true
	}
	for id, a := range p.accounts {
		if len(a.pending) == 0 || there[id] {
			continue
		}
		if own, listed := p.from.Accounts.Of(id); listed {
			due = append(due, own)
		}
	}
	slices.SortFunc(due, func(a, b vault.OwnAccount) int { return int(int64(a.ID) - int64(b.ID)) })
	return due
}

func (p *Publisher) publishAccounts(ctx context.Context, block bool) {
	due := p.withBehind(p.due(block))
	p.behind = nil
	looks := depositLook{history: p.from.History, deposits: p.from.Deposits, found: p.publish, head: p.block.HeadBlockNum,
		final: p.block.Irreversible, many: p.from.Accounts.Count() > mostScanned, waits: p.waits}
	for _, own := range due {
		a := p.accounts[own.ID]
		if a == nil {
			a = &account{pending: map[pendingKey]deposit.Deposit{}}
			p.accounts[own.ID] = a
		}
		if !a.behind || block {
			p.publishBalances(ctx, own, a)
		}
		if looks.publish(ctx, own.AccountRef, a); a.behind {
			p.behind = append(p.behind, own)
		}
	}
	if p.waits++; len(p.behind) == 0 {
		p.waits = 0
	}
}

// withBehind appends the accounts that the index was behind with to those that are looked at already.
func (p *Publisher) withBehind(due []vault.OwnAccount) []vault.OwnAccount {
	for _, own := range p.behind {
		if !slices.ContainsFunc(due, func(o vault.OwnAccount) bool { return o.ID == own.ID }) {
			due = append(due, own)
		}
	}
	return due
}

type balance struct {
	Account   string           `json:"account"`
	AccountID ledger.AccountID `json:"account_id"`
	Asset     string           `json:"asset"`
	AssetID   ledger.AssetID   `json:"asset_id"`
	Amount    string           `json:"amount"`
	Pretty    string           `json:"pretty_amount"`
}

func (p *Publisher) publishBalances(ctx context.Context, own vault.OwnAccount, a *account) {
	list, err := p.from.Balances.Balances(ctx, own.ID)
	if err != nil {
		return
	}
	now := map[ledger.AssetID]int64{}
	for _, b := range list {
		now[b.Asset.ID] = b.Amount
		if before, there := a.balances[b.Asset.ID]; a.balances != nil && (!there || before != b.Amount) {
			p.publish("balances",
				balance{own.Name, own.ID, b.Asset.Symbol, b.Asset.ID, strconv.FormatInt(b.Amount, 10), b.Asset.Format(b.Amount)})
		}
	}
	for id := range a.balances {
		if _, there := now[id]; !there {
			p.publish("balances", balance{Account: own.Name, AccountID: own.ID, AssetID: id, Amount: "0", Pretty: "0"})
		}
	}
	a.balances = now
}
