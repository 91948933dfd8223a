// Package events turns the changes of a wallet into the events of the RPC
// server's feed. It owns what was last published of each account and payment, and
// publishes each change once. It does not publish changes from the time while the
// wallet was not running: a program that must not miss a deposit calls deposits.next.
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
	"sync"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/rpcserver"
	"billfold/walletcore"
	"billfold/walletcore/deposit"
	"billfold/walletcore/event"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
	"billfold/walletcore/walletapi"
)

// Sources are the parts of a wallet whose changes are published.
type Sources struct {
	Wallet   Wallet
	Accounts Accounts
	Balances Balances
	History  History
	Deposits Deposits
	Payments Payments
	Changes  Changes
}

// SourcesOf returns the sources of one wallet.
func SourcesOf(w *walletcore.Wallet) Sources {
	return Sources{Wallet: w, Accounts: w.Own, Balances: w.View.Assets, History: w.History, Deposits: w.Deposits, Payments: w.Payments,
		Changes: w.Watcher}
}

// Wallet is the state of the wallet.
type Wallet interface {
	Subscribe() (<-chan event.Event, func())
	Status() walletcore.Status
}

// Accounts is the wallet's list of its own accounts.
type Accounts interface {
	List() []vault.OwnAccount
	Count() int
	Of(id ledger.AccountID) (own vault.OwnAccount, listed bool)
}

// Balances reads the balances of an account.
type Balances interface {
	Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error)
}

const (
	scanPause   = 200 * time.Millisecond // between two scans: payments may change far more often
	scanTimeout = 20 * time.Second       // for everything that one block may change
	maxScanned  = 100                    // accounts up to which each block scans them all
)

// Publisher publishes the changes of one wallet.
type Publisher struct {
	from       Sources
	buffer     eventBuffer
	subscribed func() bool // reports whether anybody has subscribed

	block     walletapi.BlockEvent
	lock      string
	payments  paymentStates
	changes   accountChanges
	accounts  map[ledger.AccountID]*account
	firstHead uint32             // the head block of the first scan
	moved     uint64             // the latest change number of MovedSince
	next      int                // where in a long list the next part starts, without an index
	behind    []vault.OwnAccount // accounts whose history the index had not read up to the head block
	waited    int                // how many scans in a row have waited for them
}

// New returns a publisher to feed of the changes of from.
func New(from Sources, feed *rpcserver.Feed) *Publisher {
	p := &Publisher{
		from: from, buffer: eventBuffer{publish: feed.Publish}, subscribed: feed.EverSubscribed, accounts: map[ledger.AccountID]*account{},
		changes:  accountChanges{from: from.Changes, accounts: from.Accounts},
		payments: paymentStates{from: from.Payments, published: map[ledger.TransactionID]string{}},
	}
	feed.OnFirstSubscriber(p.payments.start)
	return p
}

// Run publishes changes until ctx ends: of the lock at once, of everything else when a scan finds them. The wallet may send
// many events per scan and drops some of very many, so an event only means that there is something to scan. A status reads
// files of the wallet, which is too slow for each event.
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
		p.publish("lock", walletapi.LockEvent{State: now})
		p.buffer.flush()
	}
}

func lockName(s vault.State) string {
	return [...]string{"new", "locked", "unlocked"}[s]
}

// publish adds an event to the buffer.
func (p *Publisher) publish(topic string, data any) {
	text, err := codec.Marshal(data)
	if err == nil && json.Valid(text) {
		p.buffer.add(rpcserver.Event{Topic: topic, Data: text})
	}
}

// scan publishes what has changed since the last scan.
func (p *Publisher) scan(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, scanTimeout)
	defer cancel()
	defer p.buffer.flush()
	s := p.from.Wallet.Status()
	p.publishLock(s) // its event may have been dropped
	now := walletapi.BlockEvent{HeadBlockNum: s.Head, HeadBlockTime: s.HeadTime, Irreversible: s.Irreversible}
	same := s.Daemon != walletcore.DaemonOnline || now == p.block
	if !same && p.block != (walletapi.BlockEvent{}) { // the first block is not a change
		p.publish("blocks", now)
	}
	if p.subscribed() {
		for _, info := range p.payments.changes(ctx) {
			p.publish("payments", info)
		}
	}
	for _, c := range p.changes.next() {
		p.publish("accounts", c)
	}
	if !same {
		p.block = now
		p.firstHead = cmp.Or(p.firstHead, now.HeadBlockNum)
	}
	p.publishAccounts(ctx, !same)
}

// due returns the accounts to scan. If there are more than maxScanned, these are the ones whose histories changed and, with a
// new block, those with pending deposits. Without an index, which reports the changes, the list is scanned part by part.
func (p *Publisher) due(block bool) []vault.OwnAccount {
	moved, last, known := p.from.History.MovedSince(p.moved)
	p.moved = last
	switch many := p.from.Accounts.Count() > maxScanned; {
	case !many && block:
		return p.from.Accounts.List()
	case !many, p.firstHead == 0:
		return nil
	case !known && block:
		return p.withPending(p.nextPart())
	case !known:
		return nil
	}
	var due []vault.OwnAccount
	slices.Sort(moved)
	for _, id := range slices.Compact(moved) {
		if own, listed := p.from.Accounts.Of(id); listed {
			due = append(due, own)
			if p.accounts[id] == nil { // publish what has changed since the first scan
				p.accounts[id] = &account{scanned: true, final: deposit.Position{Block: p.firstHead, Trx: math.MaxUint32},
					balances: map[ledger.AssetID]int64{}, pending: map[pendingKey]deposit.Deposit{}}
			}
		}
	}
	if block {
		due = p.withPending(due)
	}
	return due
}

// nextPart returns the next part of the list of accounts.
func (p *Publisher) nextPart() []vault.OwnAccount {
	list := p.from.Accounts.List()
	from := p.next % len(list)
	p.next = min(from+maxScanned, len(list))
	return slices.Clone(list[from:p.next])
}

// withPending adds the accounts with pending deposits to due, and sorts it.
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

// publishAccounts publishes how balances and deposits have changed. block reports whether there is a new head block.
func (p *Publisher) publishAccounts(ctx context.Context, block bool) {
	due := p.withBehind(p.due(block))
	p.behind = nil
	deposits := depositScan{history: p.from.History, deposits: p.from.Deposits, publishEvent: p.publish, head: p.block.HeadBlockNum,
		final: p.block.Irreversible, many: p.from.Accounts.Count() > maxScanned, waited: p.waited}
	for _, own := range due {
		a := p.accounts[own.ID]
		if a == nil {
			a = &account{pending: map[pendingKey]deposit.Deposit{}}
			p.accounts[own.ID] = a
		}
		if !a.indexBehind || block {
			p.publishBalances(ctx, own, a)
		}
		if deposits.scan(ctx, own.AccountRef, a); a.indexBehind {
			p.behind = append(p.behind, own)
		}
	}
	if p.waited++; len(p.behind) == 0 {
		p.waited = 0
	}
}

// withBehind adds the accounts that the index was behind with to due.
func (p *Publisher) withBehind(due []vault.OwnAccount) []vault.OwnAccount {
	for _, own := range p.behind {
		if !slices.ContainsFunc(due, func(o vault.OwnAccount) bool { return o.ID == own.ID }) {
			due = append(due, own)
		}
	}
	return due
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
				walletapi.BalanceEvent{Account: own.Name, AccountID: own.ID, Asset: b.Asset.Symbol, AssetID: b.Asset.ID,
					Amount: strconv.FormatInt(b.Amount, 10), Pretty: b.Asset.Format(b.Amount)})
		}
	}
	for id := range a.balances {
		if _, there := now[id]; !there {
			p.publish("balances", walletapi.BalanceEvent{Account: own.Name, AccountID: own.ID, AssetID: id, Amount: "0", Pretty: "0"})
		}
	}
	a.balances = now
}

// maxHold is the longest wait of the first event of a scan for the others: a daemon may take seconds to answer
// the calls that the last ones need.
const maxHold = 50 * time.Millisecond

// eventBuffer holds back the events of a scan until it is over, so that a subscriber gets them in one write.
type eventBuffer struct {
	publish func(events ...rpcserver.Event)

	mu    sync.Mutex
	list  []rpcserver.Event
	timer *time.Timer // started with the first event in list
}

func (g *eventBuffer) add(e rpcserver.Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.list) == 0 {
		g.timer = time.AfterFunc(maxHold, g.flush)
	}
	g.list = append(g.list, e)
}

// flush publishes the events in the buffer.
func (g *eventBuffer) flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.list) == 0 {
		return
	}
	g.timer.Stop()
	g.publish(g.list...)
	g.list = nil
}
