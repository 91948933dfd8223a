package payment

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// Programs that share a file have no lease that would tell who of them is gone. Each follows what it signed. What one leaves behind
// when it is killed is overdue once it can no longer get into a block: whoever notices looks for it and settles it. Nothing is sent
// again, and if its program lives after all, both conclude the same.
const (
	overdueEvery = 15                          // seconds, of the ledger, between looks at the journal
	overdueAfter = 15                          // seconds, of the ledger, after the expiration, for the program that signed it
	overdueSpan  = 4 * txbuild.TransactionLife // seconds from a signature to the last look at its row, at least
)

// overdue holds what a follower knows of payments that other programs on the file signed.
type overdue struct {
	looked ledger.Time // head block's time at the latest look
	since  time.Time   // what was signed before has been seen settled or taken up
}

// adoptOverdue takes up the open payments of the journal that nobody here follows and that no block can take any more.
func (f *follower) adoptOverdue(ctx context.Context) {
	if f.p.Journal == nil || f.p.shared() {
		return
	}
	_, head, _ := f.p.View.Chain.Position()
	if head < f.overdue.looked+overdueEvery {
		return
	}
	open, newest, err := f.p.Journal.OpenSince(ctx, f.overdue.since)
	if err != nil {
		f.p.Logger.Debug("payments: those of other programs are not known", "error", err)
		return
	}
	f.overdue.looked = head
	since := newest.Add(-overdueSpan * time.Second)
	var gone []store.Entry
	for _, kept := range open {
		switch {
		case f.p.list.find(kept.ID) != nil:
		case kept.Expiration+overdueAfter < head:
			gone = append(gone, kept)
		case kept.Prepared.Before(since): // not yet: it is looked at again
			since = kept.Prepared
		}
	}
	if f.overdue.since = since; len(gone) == 0 {
		return
	}
	f.p.Logger.Info("payments: those of a program that is gone are looked for", "count", len(gone))
	f.p.takeUp(ctx, gone)
	f.first = 0 // they may be in blocks that were read before without looking for them
}
