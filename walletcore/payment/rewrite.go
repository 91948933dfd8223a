package payment

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"

	"golang.org/x/sync/errgroup"
)

// rewritesAtOnce is the maximum number of payments that wait for the same commit.
const rewritesAtOnce = 64

// rewrite writes what this server remembers back into a store that has lost rows: the same bytes under the same keys. It
// returns what it cannot decide: a key that now belongs to another payment. After an error it must be called again.
func (k *keeper) rewrite(ctx context.Context) (ambiguous string, err error) {
	var lost atomic.Int64
	var twice atomic.Pointer[string]
	var g errgroup.Group
	g.SetLimit(rewritesAtOnce)
	for _, e := range k.list.remembered() {
		g.Go(func() error {
			row, err := e.journalEntry()
			if err != nil {
				return nil // it was never written
			}
			if row.State == store.Prepared { // and perhaps sent since
				row.State = store.Unknown
			}
			switch err := k.addRecovered(ctx, row, e.tx.Operations); {
			case errors.Is(err, store.ErrIDTaken):
				return nil
			case errors.Is(err, store.ErrKeyTaken):
				_, err := k.journal.Get(context.WithoutCancel(ctx), row.ID)
				if !errors.Is(err, store.ErrNotFound) {
					return err // it is there, or nobody knows
				}
				twice.Store(new(fmt.Sprintf("the request key %s belongs to another payment now than %s, which was lost: compare both",
					fault.Quote(row.Key), row.ID)))
				k.log.Error("payments: the store was behind, and a request key was used again meanwhile: look at both",
					"lost", row.ID, "key", row.Key)
				return nil
			case err != nil:
				return err
			}
			lost.Add(1)
			return nil
		})
	}
	err = g.Wait()
	if n := lost.Load(); n > 0 {
		k.log.Error("payments: the store had lost some that this server remembers; they are back in it", "payments", n)
	}
	if text := twice.Load(); text != nil {
		ambiguous = *text
	}
	return ambiguous, err
}

// remembered returns copies of the payments that the journal has, or had.
func (l *list) remembered() []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]entry, 0, len(l.byID))
	for _, e := range l.byID {
		if !e.held && !e.adding {
			out = append(out, *e)
		}
	}
	return out
}

// spendsOf returns what operations move and cost, as limits count it.
func spendsOf(ops []ledger.Operation, key string) (all []store.Spend) {
	by := map[ledger.AssetID]int64{}
	add := func(a ledger.AssetAmount) {
		sum, fits := ledger.AddAmounts(by[a.AssetID], a.Amount)
		if !fits {
			sum = 1<<63 - 1
		}
		by[a.AssetID] = sum
	}
	for _, op := range ops {
		add(*op.Fee())
		for _, m := range op.Moves() {
			add(m.Amount)
		}
	}
	for asset, amount := range by {
		if amount > 0 {
			all = append(all, store.Spend{Key: key, Asset: asset, Amount: amount})
		}
	}
	return all
}

// addRecovered adds a payment that the store had lost, with other changes, and counts it against the limits: the earlier
// count was lost too, and which token made it is unknown.
func (k *keeper) addRecovered(ctx context.Context, row store.Entry, ops []ledger.Operation, with ...store.Change) error {
	ctx = store.WithCallBatch(context.WithoutCancel(ctx))
	for _, c := range with {
		store.CallBatchOf(ctx).Add(c)
	}
	for _, s := range spendsOf(ops, row.Key) {
		store.CallBatchOf(ctx).Add(store.CountForAll(s, k.ledgerTime()))
	}
	return k.journal.Add(ctx, row)
}
