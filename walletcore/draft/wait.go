package draft

import (
	"context"
	"errors"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// Wait is a payment that was approved to leave later.
type Wait struct {
	At       time.Time      // when it leaves, UTC
	Key      string         // the request key that it is sent under, so that it is made once whoever sends it
	Approved []txbuild.Term // the review that was approved
	Asks     string         // why it does not leave before it is approved again; empty: it leaves
}

// Leaves reports whether the draft leaves by itself.
func (d Draft) Leaves() bool { return d.Wait != nil && d.Wait.Asks == "" }

// typedWait is a wait as stored beside its transfer: to a program that does not know it, the draft was only typed, and pays by hand.
type typedWait struct{ Wait *Wait }

// waitingTransfer is a transfer that waits, as stored.
type waitingTransfer struct {
	typedTransfer
	typedWait
}

// SaveWaiting saves a payment that leaves later, beside any that is typed the same, and returns its number. Errors: those of Save.
func (d *Drafts) SaveWaiting(ctx context.Context, account ledger.AccountID, req txbuild.TransferParams, wait Wait) (int64, error) {
	return d.save(ctx, account, waitingTransfer{typedTransfer(req), typedWait{&wait}})
}

// Ask has a draft that List returned wait no longer, and records why. Errors: fault.StateChanged if it was deleted, rewritten or paid since,
// and those of Save.
func (d *Drafts) Ask(ctx context.Context, waits Draft, why string) error {
	asks := *waits.Wait
	asks.Asks = why
	sealed, err := d.seal(waitingTransfer{typedTransfer(waits.Request), typedWait{&asks}})
	if err != nil {
		return err
	}
	return goneFault(d.store.Rewrite(ctx, waits.kept, sealed))
}

// Take deletes a draft as List returned it. Errors: those of Ask.
func (d *Drafts) Take(ctx context.Context, waits Draft) error {
	return goneFault(d.store.Take(ctx, waits.kept))
}

// Leaving returns a context whose first payment deletes the draft in the commit that writes it to the journal, and is not made if the draft
// was deleted or rewritten since List returned it, by this program or by another.
func Leaving(ctx context.Context, waits Draft) context.Context {
	ctx = store.WithCallBatch(ctx)
	store.CallBatchOf(ctx).Add(store.TakeDraft(waits.kept))
	return ctx
}

func goneFault(err error) error {
	switch {
	case errors.Is(err, store.ErrDraftGone):
		return &fault.Error{Code: fault.StateChanged, Op: "drafts", Message: "the draft was paid, changed or deleted meanwhile", Hint: "look at the drafts again", Err: err}
	case err != nil:
		return fileFault(err)
	}
	return nil
}
