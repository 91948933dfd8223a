package payment

import (
	"context"
	"errors"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// Prepare builds a request and reviews it, for a person who looks at it before it is
// sent with Send; nothing is signed. Errors: fault.Locked, those of the spend,
// fault.MissingAuthority and the daemon's.
func (p *Payments) Prepare(ctx context.Context, r build.Request) (*build.Prepared, error) {
	if err := p.Vault.CheckOpen(r.Op); err != nil {
		return nil, err
	}
	if err := p.JournalFault(); err != nil {
		return nil, err
	}
	made, err := p.Build.Build(ctx, r, false)
	if err == nil {
		err = p.Build.Complete(ctx, made, true)
	}
	if err == nil {
		_, err = p.Build.Review(ctx, made)
	}
	if err != nil {
		return nil, err
	}
	return made, nil
}

// Send signs what was prepared, writes it to the journal, broadcasts it and follows it.
// It returns once the daemon took it. Errors: fault.OutcomeUnknown, where the
// payment is followed and sent again all the same; others mean that nothing was
// spent.
func (p *Payments) Send(ctx context.Context, made *build.Prepared) (Payment, error) {
	if err := p.checkTrusted(); err != nil {
		return Payment{}, err
	}
	made.Seen() // the review says what changed
	for {
		signed, err := p.Build.Sign(ctx, made)
		if err != nil {
			return Payment{}, err
		}
		sent, err := p.send(ctx, p.entryOf(signed, made.Review(), ""))
		if !errors.Is(err, store.ErrIDTaken) {
			return sent, err
		}
	}
}

func (p *Payments) entryOf(signed *build.Signed, r build.Review, key string) *entry {
	return &entry{tx: signed.SignedTransaction, chain: p.View.Pins.Chain(), refBlock: signed.Head(), sure: p.View.Chain.Proven(), Payment: Payment{
		ID: signed.TransactionID, Key: key, State: Prepared, Review: r, Expiration: signed.Expiration, Prepared: p.Now(),
	}}
}

// send writes the payment down, then broadcasts it. Errors are those of Send,
// and of store.ErrIDTaken: an earlier run made the very same transaction, so
// this one needs another stamp.
func (p *Payments) send(ctx context.Context, e *entry) (Payment, error) {
	daemon, err := p.Daemon.Current() // before anybody else can send the bytes: it will know them if a block holds them by then
	if err != nil {
		return Payment{}, fault.Daemon("transfer", err)
	}
	if !p.list.add(e) { // before it leaves: a block that holds it finds it here
		return Payment{}, store.ErrIDTaken
	}
	err = p.journalAdd(ctx, e)
	if open, ok := errors.AsType[*store.PendingError](err); ok {
		return p.unwritten(e, open)
	}
	if err != nil {
		p.list.remove(e)
		return Payment{}, err
	}
	err = p.broadcast(ctx, daemon, e)
	p.View.Chain.Forget()
	return p.settle(ctx, e, err)
}

// errOver says that a payment has its outcome.
var errOver = errors.New("the payment has its outcome already")

// broadcast hands the bytes to one daemon; nil when it has them. Error: errOver,
// and those of daemonclient.
func (p *Payments) broadcast(ctx context.Context, daemon daemonclient.Daemon, e *entry) error {
	over := false
	p.list.update(e, func(e *entry) {
		if over = !e.open() || e.ending; !over {
			e.tries++
		}
	})
	if over {
		return errOver
	}
	err := daemon.BroadcastTransaction(ctx, &e.tx)
	if remote, ok := errors.AsType[*daemonclient.RemoteError](err); ok && remote.IsDuplicate() {
		return nil
	}
	return err
}

// settle notes what became of the first broadcast and answers its caller.
func (p *Payments) settle(ctx context.Context, e *entry, err error) (Payment, error) {
	var failure *fault.Error
	switch {
	case err == nil:
		p.taken(e)
	case errors.Is(err, errOver): // while it was written down, or on its way, blocks settled it
	default:
		failure = p.lost(ctx, e, err)
	}
	return p.verdict(e, failure)
}

// verdict is what the caller of the first broadcast is answered: the state in which
// the payment is by now, whatever the broadcast itself came to. The error is nil
// only when the payment is on its way or has happened.
func (p *Payments) verdict(e *entry, why *fault.Error) (Payment, error) {
	now := p.list.update(e, func(*entry) {})
	switch now.State {
	case Rejected:
		if why == nil {
			why = &fault.Error{Code: now.code, Op: "transfer", Message: "transaction " + now.ID.String() + " was refused: " + now.Reason, Hint: "nothing was spent"}
		}
		return now.Payment, why
	case Expired:
		return now.Payment, &fault.Error{Code: fault.Expired, Op: "transfer", Message: "transaction " + now.ID.String() + " did not happen: " + now.Reason, Hint: "make the payment anew"}
	case Unknown, Prepared:
		if now.refused() && why != nil {
			return now.Payment, why
		}
		return now.Payment, unanswered(now.ID, why)
	}
	return now.Payment, nil
}

// unanswered is the error of a payment that may still happen; why, if not nil, is the
// fault of the latest attempt.
func unanswered(id ledger.TransactionID, why *fault.Error) *fault.Error {
	failure := &fault.Error{Code: fault.OutcomeUnknown, Op: "transfer", Hint: "do not send it again; its id will show whether it happened", Unsettled: true}
	switch {
	case why == nil:
		failure.Message = "transaction " + id.String() + " may still happen"
	case why.Code == fault.OutcomeUnknown:
		failure.Message = "transaction " + id.String() + " was sent, but the line to the daemon broke before it answered"
		failure.Data, failure.Err = why.Data, why
	default:
		failure.Message = "transaction " + id.String() + " may have been sent; the latest attempt: " + why.Message
		failure.Data, failure.Err = why.Data, why
	}
	return failure
}

// lost notes that the first broadcast failed with err, and returns that as the caller's
// fault. What was never sent is rejected. What a daemon refused is not: it had the
// bytes and can have passed them on, whatever it says. The ledger
// that is part of this program is taken at its word.
func (p *Payments) lost(ctx context.Context, e *entry, err error) *fault.Error {
	failure := fault.Daemon("transfer", err)
	_, refused := errors.AsType[*daemonclient.RemoteError](err)
	switch {
	case (neverSent(err) || refused && p.trusting()) && p.reject(ctx, e, failure):
	case refused:
		failure.Hint, failure.Unsettled = mayHappen(e.Expiration), true
		p.leaveRefused(e, failure)
	default:
		p.leaveOpen(e, failure)
	}
	return failure
}

// mayHappen is the advice about a payment that was refused by a daemon that had its bytes.
func mayHappen(until ledger.Time) string {
	return "do not pay again under a new key before " + until.Time().Format("15:04:05") + " UTC: the daemon had it, and it may still happen; get_payment tells"
}

// neverSent says that no byte of a broadcast that failed with err left this program.
// What is not known to be so counts as sent.
func neverSent(err error) bool {
	if _, sent := errors.AsType[*daemonclient.OutcomeUnknownError](err); sent {
		return false
	}
	for _, unsent := range []error{daemonclient.ErrUnavailable, daemonclient.ErrWrongChain, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, unsent) {
			return true
		}
	}
	return false
}

// taken notes that a daemon has the bytes.
func (p *Payments) taken(e *entry) entry {
	now := p.list.update(e, func(e *entry) {
		e.resend, e.Taken = false, true
		if e.State != Prepared && e.State != Unknown {
			return
		}
		e.State, e.Reason, e.changed = Sent, "", true
		if e.Sent.IsZero() {
			e.Sent = p.Now()
		}
	})
	p.noteChanges()
	p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
	return now
}

// reject notes that a payment was never sent; false when that is not certain: after
// a second broadcast, of this program or of another that shares the journal, the
// other may have been taken.
// The journal must know before the caller does: otherwise the next run would
// send the bytes of a payment that somebody made anew meanwhile.
func (p *Payments) reject(ctx context.Context, e *entry, failure *fault.Error) bool {
	alone := false
	now := p.list.update(e, func(e *entry) {
		alone = e.State == Prepared && e.tries == 1
		e.ending = alone
	})
	now.State, now.Reason, now.code = Rejected, failure.Message, failure.Code
	certain := alone && p.journalOne(ctx, &now) == nil
	rejected := p.list.update(e, func(e *entry) {
		if e.ending = false; certain && e.State == Prepared {
			e.State, e.Reason, e.code = now.State, now.Reason, now.code
		}
	}).State == Rejected
	p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
	return rejected
}

// leaveOpen notes that nobody knows whether a payment was sent; its bytes are
// sent again. What blocks have shown meanwhile stays.
func (p *Payments) leaveOpen(e *entry, why *fault.Error) {
	failure := unanswered(e.ID, why)
	p.list.update(e, func(e *entry) {
		if e.State != Prepared && e.State != Unknown {
			return
		}
		e.State, e.Reason, e.code, e.resend, e.changed = Unknown, failure.Message, failure.Code, true, true
		if e.Sent.IsZero() {
			e.Sent = p.Now()
		}
	})
	p.noteChanges()
	p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
}

// leaveRefused notes that a daemon refused a payment whose bytes it had. They are not
// sent again, and are looked for until they can be in no block.
func (p *Payments) leaveRefused(e *entry, why *fault.Error) {
	p.list.update(e, func(e *entry) {
		if e.State != Prepared && e.State != Unknown {
			return
		}
		e.State, e.Reason, e.code, e.resend, e.changed = Unknown, why.Message, why.Code, false, true
		if e.Sent.IsZero() {
			e.Sent = p.Now()
		}
	})
	p.noteChanges()
	p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
}

// Resend has the same bytes of an open payment sent again at once, unless a block of the
// daemon in use holds them. Nothing is sent when its blocks cannot be read:
// a daemon that was killed takes the same bytes a second time. Errors: fault.NoSuchPayment, also
// when the outcome is known already, and those of the daemon.
func (p *Payments) Resend(ctx context.Context, id ledger.TransactionID) error {
	e := p.list.find(id)
	if e == nil {
		return &fault.Error{Code: fault.NoSuchPayment, Op: "resend", Message: "no payment " + id.String() + " is on its way", Hint: "list_payments shows them"}
	}
	if now := p.list.update(e, func(*entry) {}); !now.open() || now.ending {
		return &fault.Error{Code: fault.NoSuchPayment, Op: "resend", Message: "payment " + id.String() + " is not on its way any more", Hint: "get_payment reports its outcome", Err: errOver}
	}
	ask := resendRequest{payment: e, answer: make(chan error, 1)}
	select {
	case p.resends <- ask:
	case <-ctx.Done():
		return fault.Daemon("resend", ctx.Err())
	}
	select {
	case err := <-ask.answer:
		if err != nil {
			return fault.Daemon("resend", err) // the outcome of the first sending stays open
		}
		return nil
	case <-ctx.Done():
		return fault.Daemon("resend", ctx.Err())
	}
}
