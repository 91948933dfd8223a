// Package news turns what changes in a wallet into the events of the RPC
// server's feed. It owns what was last told of each account and payment, and
// tells a change once; it promises nothing about what it is not there for: who
// must not miss a deposit asks deposits.next.
//
//	walletcore events ──► look at what they concern ──► differences ──► rpcserver.Feed
package news

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
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

// Wallet is what is followed.
type Wallet interface {
	Subscribe() (<-chan event.Event, func())
	Status() walletcore.Status
	Accounts() []vault.OwnAccount
	Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error)
	History(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]walletcore.HistoryEntry, error)
	ProveIncoming(ctx context.Context, id ledger.AccountID, rows []walletcore.HistoryEntry) (int, error)
	Payments() []walletcore.Payment
	GetPayment(ctx context.Context, idOrKey string) (walletcore.PaymentInfo, error)
}

const (
	lookPause   = 200 * time.Millisecond // between two looks: payments may change far more often
	lookTime    = 20 * time.Second       // for everything that one block may change
	pageRows    = 100
	mostPages   = 50 // of history between two looks; more is told as far as that
	stateFuture = "in_block"
	stateFinal  = "irreversible"
	stateGone   = "gone"
)

// News follows one wallet.
type News struct {
	wallet Wallet
	feed   *rpcserver.Feed

	block    block
	lock     string
	payments map[ledger.TransactionID]string
	accounts map[ledger.AccountID]*account
}

// account is what was last told of an account.
type account struct {
	balances map[ledger.AssetID]int64 // nil = not looked at yet
	known    bool                     // its deposits were looked at once
	final    deposit.Position         // of the newest irreversible row
	pending  map[waiting]deposit.Deposit
}

// waiting is a deposit that is not irreversible, as it was told. A daemon, and what one
// proposal did, may put several at one position: which of equal ones it is, is counted.
type waiting struct {
	at     deposit.Position
	from   ledger.AccountID
	asset  ledger.AssetID
	amount string
	nth    int
}

// waitingFor is d's, as the next of those in list.
func waitingFor(d deposit.Deposit, list map[waiting]deposit.Deposit) waiting {
	w := waiting{at: d.Position, from: d.FromID, asset: d.AssetID, amount: d.Amount}
	for _, there := list[w]; there; _, there = list[w] {
		w.nth++
	}
	return w
}

func (w waiting) compare(o waiting) int {
	return cmp.Or(w.at.Compare(o.at), cmp.Compare(w.from, o.from), cmp.Compare(w.asset, o.asset), cmp.Compare(w.amount, o.amount), cmp.Compare(w.nth, o.nth))
}

type block struct {
	HeadBlockNum  uint32      `json:"head_block_num"`
	HeadBlockTime ledger.Time `json:"head_block_time"`
	Irreversible  uint32      `json:"last_irreversible_block_num"`
}

// New makes the news of w.
func New(w Wallet, feed *rpcserver.Feed) *News {
	return &News{wallet: w, feed: feed, accounts: map[ledger.AccountID]*account{}}
}

// Run tells what changes until ctx ends: the lock at once, everything else as a
// look finds it. The wallet's events may be many for one look, and some of very
// many are dropped, so they only say that there is something to look at.
func (n *News) Run(ctx context.Context) {
	events, stop := n.wallet.Subscribe()
	defer stop()
	n.lock = lockName(n.wallet.Status().Lock)
	n.look(ctx)
	var due <-chan time.Time // of the next look; nil = nothing has changed
	for last := time.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case e, open := <-events:
			if !open {
				return
			}
			n.lookAtLock()
			if e.Kind != event.Lock && due == nil {
				due = time.After(lookPause - time.Since(last))
			}
		case <-due:
			n.look(ctx)
			due, last = nil, time.Now()
		}
	}
}

func (n *News) lookAtLock() {
	if now := lockName(n.wallet.Status().Lock); now != n.lock {
		n.lock = now
		n.publish("lock", map[string]string{"state": now})
	}
}

func lockName(s walletcore.LockState) string {
	return [...]string{"new", "locked", "unlocked"}[s]
}

func (n *News) publish(topic string, data any) {
	text, err := codec.Marshal(data)
	if err == nil && json.Valid(text) {
		n.feed.Publish(topic, text)
	}
}

// look finds what has changed.
func (n *News) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	s := n.wallet.Status()
	now := block{s.Head, s.HeadTime, s.Irreversible}
	same := s.Daemon != walletcore.DaemonOnline || now == n.block
	if !same && n.block != (block{}) { // the first one is no change
		n.publish("blocks", now)
	}
	n.lookAtPayments(ctx)
	if !same {
		n.block = now
		n.lookAtAccounts(ctx)
	}
}

func (n *News) lookAtAccounts(ctx context.Context) {
	for _, own := range n.wallet.Accounts() {
		a := n.accounts[own.ID]
		if a == nil {
			a = &account{pending: map[waiting]deposit.Deposit{}}
			n.accounts[own.ID] = a
		}
		n.lookAtBalances(ctx, own, a)
		n.lookAtDeposits(ctx, own.AccountRef, a)
	}
}

// lookAtPayments tells of those that the wallet has in mind: what is on its way
// and what was settled lately.
func (n *News) lookAtPayments(ctx context.Context) {
	list := n.wallet.Payments()
	now := make(map[ledger.TransactionID]string, len(list))
	for _, p := range slices.Backward(list) {
		now[p.ID] = p.State.String()
		if before, told := n.payments[p.ID]; n.payments == nil || told && before == now[p.ID] {
			continue
		}
		info, err := n.wallet.GetPayment(ctx, p.ID.String())
		if err != nil {
			delete(now, p.ID) // the next look asks again
			continue
		}
		now[p.ID], info.Transaction = info.State, nil
		n.publish("payments", info)
	}
	n.payments = now
}

type balance struct {
	Account   string           `json:"account"`
	AccountID ledger.AccountID `json:"account_id"`
	Asset     string           `json:"asset"`
	AssetID   ledger.AssetID   `json:"asset_id"`
	Amount    string           `json:"amount"`
	Pretty    string           `json:"pretty_amount"`
}

func (n *News) lookAtBalances(ctx context.Context, own vault.OwnAccount, a *account) {
	list, err := n.wallet.Balances(ctx, own.ID)
	if err != nil {
		return
	}
	now := map[ledger.AssetID]int64{}
	for _, b := range list {
		now[b.Asset.ID] = b.Amount
		if before, there := a.balances[b.Asset.ID]; a.balances != nil && (!there || before != b.Amount) {
			n.publish("balances", balance{own.Name, own.ID, b.Asset.Symbol, b.Asset.ID, strconv.FormatInt(b.Amount, 10), b.Asset.Format(b.Amount)})
		}
	}
	for id := range a.balances {
		if _, there := now[id]; !there {
			n.publish("balances", balance{Account: own.Name, AccountID: own.ID, AssetID: id, Amount: "0", Pretty: "0"})
		}
	}
	a.balances = now
}

// told is a deposit with how sure it is: in_block, irreversible, or gone when a
// fork took its block away.
type told struct {
	State   string          `json:"state"`
	Deposit deposit.Deposit `json:"deposit"`
}

func (n *News) lookAtDeposits(ctx context.Context, own ledgerview.AccountRef, a *account) {
	rows, err := n.rowsSince(ctx, own.ID, a)
	if err != nil || a.known && !n.prove(ctx, own, rows) {
		return
	}
	pending, final := map[waiting]deposit.Deposit{}, a.final
	settled := map[waiting]deposit.Deposit{}
	for _, e := range slices.Backward(rows) { // oldest first
		d, ok := deposit.Of(own, e)
		switch {
		case e.Final:
			final = deposit.PositionOf(e)
			if !ok {
				continue
			}
			settled[waitingFor(d, settled)] = d
			if a.known && e.Proof != walletcore.ProofWithheld {
				n.publish("deposits", told{stateFinal, d})
			}
		case ok && e.Block <= n.block.HeadBlockNum: // what is said to be beyond the head is in no block
			w := waitingFor(d, pending)
			pending[w] = d
			if _, waits := a.pending[w]; a.known && !waits {
				n.publish("deposits", told{stateFuture, d})
			}
		}
	}
	for w := range a.pending {
		_, waits := pending[w]
		if _, is := settled[w]; is || waits {
			delete(a.pending, w)
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(a.pending), waiting.compare) {
		n.publish("deposits", told{stateGone, a.pending[p]})
	}
	a.pending, a.final, a.known = pending, final, true
}

// prove holds the deposits among rows that are irreversible against their blocks; false when
// they cannot all be relied on, and the next look asks again. rows are newest first.
func (n *News) prove(ctx context.Context, own ledgerview.AccountRef, rows []walletcore.HistoryEntry) bool {
	var finals []walletcore.HistoryEntry
	var places []int
	for i, e := range slices.Backward(rows) {
		if _, ok := deposit.Of(own, e); ok && e.Final {
			finals, places = append(finals, e), append(places, i)
		}
	}
	proven, err := n.wallet.ProveIncoming(ctx, own.ID, finals)
	for i, e := range finals[:proven] {
		rows[places[i]] = e
	}
	return err == nil && proven == len(finals)
}

// rowsSince reads the rows behind the newest irreversible one that was seen,
// newest first; at the first look no more than a page.
func (n *News) rowsSince(ctx context.Context, id ledger.AccountID, a *account) ([]walletcore.HistoryEntry, error) {
	var out []walletcore.HistoryEntry
	var before ledger.HistoryID
	for range mostPages {
		rows, err := n.wallet.History(ctx, id, before, pageRows)
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
