package payment

import (
	"context"
	"errors"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"billfold/walletcore/store"
)

// rewritesAtOnce is how many payments wait for the same commit.
const rewritesAtOnce = 64

// rewrite writes what this server remembers into a store that has forgotten something: the same bytes under the same keys. False when
// it is to be tried again.
func (k *keeper) rewrite(ctx context.Context) bool {
	var lost atomic.Int64
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
			switch err := k.journal.Add(context.WithoutCancel(ctx), row); {
			case errors.Is(err, store.ErrIDTaken):
				return nil
			case errors.Is(err, store.ErrKeyTaken):
				if _, missing := k.journal.Get(context.WithoutCancel(ctx), row.ID); missing != nil {
					k.log.Error("payments: the store was behind, and a request key was used again meanwhile: look at both",
						"lost", row.ID, "key", row.Key)
				}
				return nil
			case err != nil:
				return err
			}
			lost.Add(1)
			return nil
		})
	}
	err := g.Wait()
	if n := lost.Load(); n > 0 {
		k.log.Error("payments: the store had forgotten some that this server remembers; they are in it again", "payments", n)
	}
	return err == nil
}

// remembered copies the payments that the journal has, or had.
func (l *list) remembered() []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]entry, 0, len(l.by))
	for _, e := range l.by {
		if !e.held {
			out = append(out, *e)
		}
	}
	return out
}
