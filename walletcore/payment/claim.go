package payment

import (
	"context"
	"errors"

	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// CheckJournal compares the journal with the key file and with the mark beside it. A wallet whose journal is lost spends
// nothing: payments that were sent are not in it, and a request key that was used could be used again.
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
			Hint:    "nothing was sent; " + p.command("status") + ", after the program has ended, says how to go on",
			Message: "the wallet spends nothing: " + lost.Why + ", so a payment that was made could be made twice",
		}
	} else if err != nil {
		err = unreadable("transfer", err)
	}
	p.fault.mu.Lock()
	defer p.fault.mu.Unlock()
	p.fault.why = err
	if shared := p.storeFault(); p.shared() && shared != nil && err != nil { // the store reports this as long as it lasts, and how it ends
		p.fault.why, err = nil, shared
	}
	return err
}

// ClaimJournal records in the key file which journal is the wallet's, at the first opportunity, and creates that journal
// if there is none. The journal reaches the disk first, so a journal named in a key file did exist. A failure is logged
// and tried again at the next unlock; until then the wallet works like one of an earlier version.
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

// TakeJournal makes the present journal file, whatever it was before, this wallet's own, under a
// new identity. The wallet must be unlocked.
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
	p.noted.forget()
	return p.CheckJournal(ctx)
}
