package walletcore

import (
	"context"
	"errors"

	"billfold/keystore"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// checkJournal compares the journal with what the key file and the mark beside it
// say. A wallet whose journal is lost spends nothing: what was sent before is not in it, and a request
// key that was used could be used again.
func (w *Wallet) checkJournal(ctx context.Context) error {
	if w.journal == nil {
		return nil
	}
	w.mu.RLock()
	keys := w.store
	w.mu.RUnlock()
	id := ""
	if keys != nil {
		id = keys.Public().Journal
	}
	err := w.journal.Check(ctx, id)
	if lost, ok := errors.AsType[*store.LostError](err); ok {
		err = &fault.Error{Code: fault.File, Op: "transfer", Err: lost, Journal: true, Hint: "nothing was sent; billfold journal status says how to go on",
			Message: "the wallet spends nothing: " + lost.Why + ", so a payment that was made could be made twice"}
	} else if err != nil {
		err = unreadable("transfer", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lostJournal = err
	return err
}

// journalGood refuses to spend while the journal is not the wallet's own.
func (w *Wallet) journalGood() error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.lostJournal
}

// trusted refuses a payment before anything of it is written down: the journal must be the
// wallet's own, and the daemon one that can be relied on.
func (w *Wallet) trusted() error {
	if err := w.journalGood(); err != nil {
		return err
	}
	return w.View.Chain.CheckTrusted("transfer")
}

// claimJournal notes in the key file which journal is the wallet's, at the first
// opportunity, and makes that journal where there is none. The journal is on disk
// first: a key file that names one had one. What fails is logged, and tried again at the next unlocking: the
// wallet is used as one of earlier versions is.
func (w *Wallet) claimJournal(ctx context.Context, keys *keystore.Store) {
	ctx = context.WithoutCancel(ctx)
	if w.journal == nil || w.checkJournal(ctx) != nil || keys.Public().Journal != "" {
		return
	}
	id, err := w.journal.Claim(ctx, store.NewID())
	if err == nil {
		err = keys.Update(func(c *keystore.Contents) error {
			c.Public.Journal = id
			return nil
		})
	}
	if err != nil {
		w.log.Warn("payments: the key file does not know its journal yet", "error", err)
	}
}

// TakeJournal makes the present journal file, whatever it was before, the one of this
// wallet, under a new identity. The wallet must be unlocked.
func (w *Wallet) TakeJournal(ctx context.Context) error {
	keys, err := w.unlocked("journal")
	if err != nil {
		return err
	}
	id, err := w.journal.Renew(context.WithoutCancel(ctx))
	if err != nil {
		return unreadable("journal", err)
	}
	if err := keys.Update(func(c *keystore.Contents) error {
		c.Public.Journal = id
		return nil
	}); err != nil {
		return fault.Own("journal", err)
	}
	return w.checkJournal(ctx)
}
