package payment

import (
	"context"
	"errors"

	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// CheckJournal compares the journal with what the key file and the mark beside it
// say. A wallet whose journal is lost spends nothing: what was sent before is not in it, and a request
// key that was used could be used again.
func (p *Payments) CheckJournal(ctx context.Context) error {
	if p.Journal == nil {
		return nil
	}
	err := p.Journal.Check(ctx, p.Vault.Journal())
	if lost, ok := errors.AsType[*store.LostError](err); ok {
		err = &fault.Error{
			Code:    fault.File,
			Op:      "transfer",
			Err:     lost,
			Journal: true,
			Hint:    "nothing was sent; billfold journal status, after the program has ended, says how to go on",
			Message: "the wallet spends nothing: " + lost.Why + ", so a payment that was made could be made twice",
		}
	} else if err != nil {
		err = unreadable("transfer", err)
	}
	p.fault.mu.Lock()
	defer p.fault.mu.Unlock()
	p.fault.why = err
	if shared := p.storeFault(); shared != nil && err != nil { // which says so as long as it lasts, and how it ends
		p.fault.why, err = nil, shared
	}
	return err
}

// ClaimJournal notes in the key file which journal is the wallet's, at the first
// opportunity, and makes that journal where there is none. The journal is on disk
// first: a key file that names one had one. What fails is logged, and tried again at the next unlocking: the
// wallet is used as one of earlier versions is.
func (p *Payments) ClaimJournal(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	if p.Journal == nil || p.CheckJournal(ctx) != nil || p.Vault.Journal() != "" {
		return
	}
	id, err := p.Journal.Claim(ctx, store.NewID())
	if err == nil {
		err = p.Vault.NoteJournal(id)
	}
	if err != nil {
		p.Logger.Warn("payments: the key file does not know its journal yet", "error", err)
	}
}

// TakeJournal makes the present journal file, whatever it was before, the one of this
// wallet, under a new identity. The wallet must be unlocked.
func (p *Payments) TakeJournal(ctx context.Context) error {
	if err := p.Vault.CheckOpen("journal"); err != nil {
		return err
	}
	id, err := p.Journal.Renew(context.WithoutCancel(ctx))
	if err != nil {
		return unreadable("journal", err)
	}
	if err := p.Vault.NoteJournal(id); err != nil {
		return fault.Own("journal", err)
	}
	return p.CheckJournal(ctx)
}
