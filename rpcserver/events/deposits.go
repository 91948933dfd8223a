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
)

const (
	pageRows     = 100
	mostPages    = 50 // of history between two scans; more is published as far as that
	mostWaits    = 10 // scans that wait for the index of a history; then the daemon is asked
	stateInBlock = "in_block"
	stateFinal   = "irreversible"
	stateGone    = "gone"
)

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

// depositLook looks for deposits of accounts in one scan.
type depositLook struct {
	history  History
	deposits Deposits
	found    func(topic string, data any)
	head     uint32 // block
	final    uint32 // the last irreversible one
	many     bool   // the list is too long for a look at each account
	waits    int    // how often in a row the index was waited for
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

// depositEvent is a deposit with how sure it is: in_block, irreversible, or gone when a
// fork took its block away.
type depositEvent struct {
	State   string          `json:"state"`
	Deposit deposit.Deposit `json:"deposit"`
}

func (l *depositLook) publish(ctx context.Context, own ledgerview.AccountRef, a *account) {
	rows, seen, err := l.rowsSince(ctx, own.ID, a)
	if err != nil || a.known && !l.prove(ctx, own, rows) {
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
				l.found("deposits", depositEvent{stateFinal, d})
			}
		case ok && e.Block <= l.head: // what is said to be beyond the head is in no block
			w := pendingKeyOf(d, pending)
			pending[w] = d
			if _, waits := a.pending[w]; a.known && !waits {
				l.found("deposits", depositEvent{stateInBlock, d})
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
		l.found("deposits", depositEvent{stateGone, a.pending[key]})
	}
	if final.Compare(seen) < 0 {
		final = seen
	}
	a.pending, a.final, a.known = pending, final, true
}

// prove compares the deposits among rows that are irreversible with their blocks; false when
// they cannot all be relied on, and the next scan asks again. rows are newest first.
func (l *depositLook) prove(ctx context.Context, own ledgerview.AccountRef, rows []history.Entry) bool {
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

// rowsSince reads the rows behind the newest irreversible one that was seen, newest first; at the first scan no more than a
// page. Where the index has them, they are those that bring the account something, and seen is the end of what is irreversible.
func (l *depositLook) rowsSince(ctx context.Context, id ledger.AccountID, a *account) (
	out []history.Entry, seen deposit.Position, err error,
) {
	if a.known {
		rows, final, err := l.history.IncomingSince(ctx, id, a.final.Block, mostPages*pageRows)
		behind := errors.Is(err, history.ErrBehind)
		late := behind && (!l.many || a.settledBetween(final, l.final))
		if a.behind = late && l.waits < mostWaits; a.behind {
			return nil, seen, err
		}
		if err == nil || behind && !late { // of very many the index reads some with each block, and tells whose rows moved
			old := func(e history.Entry) bool { return deposit.PositionOf(e).Compare(a.final) <= 0 }
			return slices.DeleteFunc(rows, old), deposit.Position{Block: final, Trx: math.MaxUint32}, nil
		}
	}
	out, err = l.listedSince(ctx, id, a)
	return out, seen, err
}

// settledBetween reports whether a deposit that waits to be irreversible is so by now, in a block behind the one that the index
// takes for the last.
func (a *account) settledBetween(indexed, final uint32) bool {
	for w := range a.pending {
		if indexed < w.at.Block && w.at.Block <= final {
			return true
		}
	}
	return false
}

// listedSince reads all rows behind the newest irreversible one that was seen.
func (l *depositLook) listedSince(ctx context.Context, id ledger.AccountID, a *account) ([]history.Entry, error) {
	var out []history.Entry
	var before ledger.HistoryID
	for range mostPages {
		rows, err := l.history.Entries(ctx, id, before, pageRows)
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
