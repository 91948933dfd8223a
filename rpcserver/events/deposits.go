package events

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/deposit"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/walletapi"
)

const (
	pageRows     = 100
	maxPages     = 50 // of history read per scan; of more rows, only the newest are published
	maxWaits     = 10 // scans that wait for the index of a history before the daemon is asked
	stateInBlock = "in_block"
	stateFinal   = "irreversible"
	stateGone    = "gone"
)

// History reads the history of an account.
type History interface {
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
	IncomingSince(ctx context.Context, id ledger.AccountID, from uint32, limit int) (rows []history.Entry, final uint32, err error)
	MovedSince(since uint64) (ids []ledger.AccountID, last uint64, ok bool)
}

// Deposits compares rows of the history with the blocks that they name.
type Deposits interface {
	Prove(ctx context.Context, id ledger.AccountID, rows []history.Entry) (int, error)
}

// depositScan looks for deposits to accounts in one scan.
type depositScan struct {
	history      History
	deposits     Deposits
	publishEvent func(topic string, data any)
	head         uint32 // block
	final        uint32 // the last irreversible block
	many         bool   // the list is too long to look at each account
	waited       int    // how many scans in a row have waited for the index
}

// account holds what was last published of an account.
type account struct {
	balances    map[ledger.AssetID]int64 // nil = not scanned yet
	scanned     bool                     // its deposits have been scanned
	final       deposit.Position         // of the newest irreversible row
	pending     map[pendingKey]deposit.Deposit
	indexBehind bool // the index is behind with its history, which is read again soon
}

// pendingKey identifies a published deposit that is not yet irreversible. A daemon, or one proposal,
// may report several at one position, so equal ones are numbered.
type pendingKey struct {
	at     deposit.Position
	from   ledger.AccountID
	asset  ledger.AssetID
	amount string
	nth    int
}

// pendingKeyOf returns the key of d that is not in list yet.
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

// scan publishes how the deposits of an account have changed since the last scan. The first
// scan of an account publishes nothing.
func (l *depositScan) scan(ctx context.Context, own ledgerview.AccountRef, a *account) {
	rows, seen, err := l.rowsSince(ctx, own.ID, a)
	if err != nil || a.scanned && !l.prove(ctx, own, rows) {
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
			if a.scanned && e.Proof != history.ProofWithheld {
				l.publishEvent("deposits", walletapi.DepositEvent{State: stateFinal, Deposit: d})
			}
		case ok && e.Block <= l.head: // a row beyond the head block is in no block
			w := pendingKeyOf(d, pending)
			pending[w] = d
			if _, waits := a.pending[w]; a.scanned && !waits {
				l.publishEvent("deposits", walletapi.DepositEvent{State: stateInBlock, Deposit: d})
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
		l.publishEvent("deposits", walletapi.DepositEvent{State: stateGone, Deposit: a.pending[key]})
	}
	if final.Compare(seen) < 0 {
		final = seen
	}
	a.pending, a.final, a.scanned = pending, final, true
}

// prove compares the irreversible deposits among rows with their blocks and sets their Proof.
// It reports false if they could not all be compared; the next scan then tries again. rows are
// newest first.
func (l *depositScan) prove(ctx context.Context, own ledgerview.AccountRef, rows []history.Entry) bool {
	var finals []history.Entry
	var places []int
	for i, e := range slices.Backward(rows) {
		if _, ok := deposit.Of(own, e); ok && e.Final {
			finals, places = append(finals, e), append(places, i)
		}
	}
	proven, err := l.deposits.Prove(ctx, own.ID, finals)
	for i, e := range finals[:proven] {
		rows[places[i]] = e
	}
	return err == nil && proven == len(finals)
}

// rowsSince reads the rows after the newest irreversible one that was seen, newest first, and at the first scan one page at
// most. If the index has them, they are only the rows that bring the account something, and seen is the last irreversible
// position that it has read.
func (l *depositScan) rowsSince(ctx context.Context, id ledger.AccountID, a *account) (
	out []history.Entry, seen deposit.Position, err error,
) {
	if a.scanned {
		rows, final, err := l.history.IncomingSince(ctx, id, a.final.Block, maxPages*pageRows)
		behind := errors.Is(err, history.ErrBehind)
		late := behind && (!l.many || a.becameFinalBetween(final, l.final))
		if a.indexBehind = late && l.waited < maxWaits; a.indexBehind {
			return nil, seen, err
		}
		if err == nil || behind && !late { // of many accounts the index reads some with each block, and MovedSince reports which
			old := func(e history.Entry) bool { return deposit.PositionOf(e).Compare(a.final) <= 0 }
			return slices.DeleteFunc(rows, old), deposit.Position{Block: final, Trx: math.MaxUint32}, nil
		}
	}
	out, err = l.listedSince(ctx, id, a)
	return out, seen, err
}

// becameFinalBetween reports whether a pending deposit has become irreversible in a block after indexed, the last irreversible
// one that the index has read.
func (a *account) becameFinalBetween(indexed, final uint32) bool {
	for w := range a.pending {
		if indexed < w.at.Block && w.at.Block <= final {
			return true
		}
	}
	return false
}

// listedSince reads all rows after the newest irreversible one that was seen, page by page, newest first. At the first scan it
// reads one page.
func (l *depositScan) listedSince(ctx context.Context, id ledger.AccountID, a *account) ([]history.Entry, error) {
	var out []history.Entry
	var before ledger.HistoryID
	for range maxPages {
		rows, err := l.history.Entries(ctx, id, before, pageRows)
		if err != nil {
			return nil, err
		}
		for _, e := range rows {
			if a.scanned && deposit.PositionOf(e).Compare(a.final) <= 0 {
				return out, nil
			}
			out = append(out, e)
		}
		if len(rows) < pageRows || rows[len(rows)-1].ID == 0 || !a.scanned {
			return out, nil
		}
		before = rows[len(rows)-1].ID
	}
	return out, nil
}
