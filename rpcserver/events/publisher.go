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
	"errors"
	"maps"
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
	"billfold/walletcore/history"
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

// History reads rows of an account.
type History interface {
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
	IncomingSince(ctx context.Context, id ledger.AccountID, from uint32, limit int) (rows []history.Entry, final uint32, err error)
	MovedSince(since uint64) (ids []ledger.AccountID, last uint64, ok bool)
}

// Deposits compares rows with the blocks that they name.
type Deposits interface {
	Prove(ctx context.Context, id ledger.AccountID, rows []history.Entry) (int, error)
}

// Balances reads what accounts hold.
type Balances interface {
	Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error)
}

const (
	scanPause    = 200 * time.Millisecond // between two scans: payments may change far more often
	scanTimeout  = 20 * time.Second       // for everything that one block may change
	pageRows     = 100
	mostScanned  = 100 // accounts that are all looked at with each block
	mostPages    = 50  // of history between two scans; more is published as far as that
	mostWaits    = 10  // scans that wait for the index of a history; then the daemon is asked
	stateInBlock = "in_block"
	stateFinal   = "irreversible"
	stateGone    = "gone"
)

// Publisher follows one wallet.
type Publisher struct {
	from  Sources
	found gathered

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

// account is what was last published of an account.
type account struct {
	balances map[ledger.AssetID]int64 // nil = not scanned yet
	known    bool                     // its deposits were scanned once
	final    deposit.Position         // of the newest irreversible row
	pending  map[pendingKey]deposit.Deposit
	behind   bool // the index of its history is read again soon
}

// pendingKey is a deposit that is not irreversible, as it was published. A daemon, and what one
// proposal did, may put several at one position: which of equal ones it is, is counted.
type pendingKey struct {
	at     deposit.Position
	from   ledger.AccountID
	asset  ledger.AssetID
	amount string
	nth    int
}

// pendingKeyOf is d's, as the next of those in list.
func pendingKeyOf(d deposit.Deposit, list map[pendingKey]deposit.Deposit) pendingKey {
	w := pendingKey{at: d.Position, from: d.FromID, asset: d.AssetID, amount: d.Amount}
	for _, there := list[w]; there; _, there = list[w] {
		w.nth++
	}
	return w
}

func (w pendingKey) compare(o pendingKey) int {
	return cmp.Or(w.at.Compare(o.at), cmp.Compare(w.from, o.from), cmp.Compare(w.asset, o.asset), cmp.Compare(w.amount, o.amount),
		cmp.Compare(w.nth, o.nth))
}

type block struct {
	HeadBlockNum  uint32      `json:"head_block_num"`
	HeadBlockTime ledger.Time `json:"head_block_time"`
	Irreversible  uint32      `json:"last_irreversible_block_num"`
}

// New makes a publisher of what changes.
func New(from Sources, feed *rpcserver.Feed) *Publisher {
	return &Publisher{from: from, found: gathered{publish: feed.Publish}, accounts: map[ledger.AccountID]*account{},
		payments: paymentStates{from: from.Payments, published: map[ledger.TransactionID]string{}}}
}

// Run publishes what changes until ctx ends: the lock at once, everything else as a
// scan finds it. The wallet's events may be many for one scan, and some of very
// many are dropped, so they only say that there is something to scan.
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
			p.publishLock()
			if e.Kind != event.Lock && due == nil {
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

func (p *Publisher) publishLock() {
	if now := lockName(p.from.Wallet.Status().Lock); now != p.lock {
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
	now := block{s.Head, s.HeadTime, s.Irreversible}
	same := s.Daemon != walletcore.DaemonOnline || now == p.block
	if !same && p.block != (block{}) { // the first one is no change
		p.publish("blocks", now)
	}
	for _, info := range p.payments.changes(ctx) {
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
	for _, own := range due {
		a := p.accounts[own.ID]
		if a == nil {
			a = &account{pending: map[pendingKey]deposit.Deposit{}}
			p.accounts[own.ID] = a
		}
		if !a.behind || block {
			p.publishBalances(ctx, own, a)
		}
		if p.publishDeposits(ctx, own.AccountRef, a); a.behind {
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

// depositEvent is a deposit with how sure it is: in_block, irreversible, or gone when a
// fork took its block away.
type depositEvent struct {
	State   string          `json:"state"`
	Deposit deposit.Deposit `json:"deposit"`
}

func (p *Publisher) publishDeposits(ctx context.Context, own ledgerview.AccountRef, a *account) {
	rows, seen, err := p.rowsSince(ctx, own.ID, a)
	if err != nil || a.known && !p.prove(ctx, own, rows) {
		return
	}
	pending, final := map[pendingKey]deposit.Deposit{}, a.final
	nowFinal := map[pendingKey]deposit.Deposit{}
	for _, e := range slices.Backward(rows) { // oldest first
		d, ok := deposit.Of(own, e)
		switch {
		case e.Final:
			final = deposit.PositionOf(e)
			if !ok {
				continue
			}
			nowFinal[pendingKeyOf(d, nowFinal)] = d
			if a.known && e.Proof != history.ProofWithheld {
				p.publish("deposits", depositEvent{stateFinal, d})
			}
		case ok && e.Block <= p.block.HeadBlockNum: // what is said to be beyond the head is in no block
			w := pendingKeyOf(d, pending)
			pending[w] = d
			if _, waits := a.pending[w]; a.known && !waits {
				p.publish("deposits", depositEvent{stateInBlock, d})
			}
		}
	}
	for w := range a.pending {
		_, waits := pending[w]
		if _, is := nowFinal[w]; is || waits {
			delete(a.pending, w)
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(a.pending), pendingKey.compare) {
		p.publish("deposits", depositEvent{stateGone, a.pending[key]})
	}
	if final.Compare(seen) < 0 {
		final = seen
	}
	a.pending, a.final, a.known = pending, final, true
}

// prove compares the deposits among rows that are irreversible with their blocks; false when
// they cannot all be relied on, and the next scan asks again. rows are newest first.
func (p *Publisher) prove(ctx context.Context, own ledgerview.AccountRef, rows []history.Entry) bool {
	var finals []history.Entry
	var places []int
	for i, e := range slices.Backward(rows) {
		if _, ok := deposit.Of(own, e); ok && e.Final {
			finals, places = append(finals, e), append(places, i)
		}
	}
	proven, err := p.from.Deposits.Prove(ctx, own.ID, finals)
	for i, e := range finals[:proven] {
		rows[places[i]] = e
	}
	return err == nil && proven == len(finals)
}

// rowsSince reads the rows behind the newest irreversible one that was seen, newest first; at the first scan no more than a
// page. Where the index has them, they are those that bring the account something, and seen is the end of what is irreversible.
func (p *Publisher) rowsSince(ctx context.Context, id ledger.AccountID, a *account) (out []history.Entry, seen deposit.Position, err error) {
	if a.known {
		rows, final, err := p.from.History.IncomingSince(ctx, id, a.final.Block, mostPages*pageRows)
		behind, many := errors.Is(err, history.ErrBehind), p.from.Accounts.Count() > mostScanned
		if a.behind = behind && !many && p.waits < mostWaits; a.behind {
			return nil, seen, err
		}
		if err == nil || behind && many { // of very many the index reads some with each block, and tells whose rows moved
			old := func(e history.Entry) bool { return deposit.PositionOf(e).Compare(a.final) <= 0 }
			return slices.DeleteFunc(rows, old), deposit.Position{Block: final, Trx: math.MaxUint32}, nil
		}
	}
	out, err = p.listedSince(ctx, id, a)
	return out, seen, err
}

// listedSince reads all rows behind the newest irreversible one that was seen.
func (p *Publisher) listedSince(ctx context.Context, id ledger.AccountID, a *account) ([]history.Entry, error) {
	var out []history.Entry
	var before ledger.HistoryID
	for range mostPages {
		rows, err := p.from.History.Entries(ctx, id, before, pageRows)
		if err != nil {
			return nil, err
		}
		for _, e := range rows {
			if a.known && deposit.PositionOf(e).Compare(a.final) <= 0 {
				return out, nil
			}
			out = append(out, e)
		}
		if len(rows) < pageRows || rows[len(rows)-1].ID == 0 || !a.known {
			return out, nil
		}
		before = rows[len(rows)-1].ID
	}
	return out, nil
}
