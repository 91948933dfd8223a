package walletcore

import (
	"context"
	"errors"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// Draft is a built transfer that waits for a person's yes. Nothing is signed;
// only the reference block and the expiration are set when it is sent.
type Draft struct {
	review Review
	built  built
}

// Review is what the draft does, read back from its bytes.
func (d *Draft) Review() Review { return d.review }

// Send signs a draft, writes it to the journal, broadcasts it and follows it.
// It returns once the daemon took it. Errors: fault.OutcomeUnknown, where the
// payment is followed and sent again all the same; others mean that nothing was
// spent.
func (w *Wallet) Send(ctx context.Context, d *Draft) (Payment, error) {
	if err := w.trusted(); err != nil {
		return Payment{}, err
	}
	for {
		b := d.built
		b.accepted = true // the review says what changed
		info, err := w.stampAndSign(ctx, b)
		if err != nil {
			return Payment{}, err
		}
		sent, err := w.send(ctx, w.newPayment(info, d.review, ""))
		if !errors.Is(err, store.ErrIDTaken) {
			return sent, err
		}
	}
}

func (w *Wallet) newPayment(info *SignedInfo, r Review, key string) *payment {
	return &payment{tx: info.SignedTransaction, chain: w.View.Pins.Chain(), refBlock: info.head, sure: w.View.Chain.Proven(), Payment: Payment{
		ID: info.TransactionID, Key: key, State: PaymentPrepared, Review: r, Expiration: info.Expiration, Prepared: w.now(),
	}}
}

// reviewFacts is the part of a review that needs nothing from the daemon.
func (w *Wallet) reviewFacts(ops []ledger.Operation) Review {
	r := Review{}
	if len(ops) > 0 {
		r.Operation = operationTitle(ops[0].Code)
		w.fillTransfer(&r, ops[0])
	}
	return r
}

// send writes the payment down, then broadcasts it. Errors are those of Send,
// and of store.ErrIDTaken: an earlier run made the very same transaction, so
// this one needs another stamp.
func (w *Wallet) send(ctx context.Context, p *payment) (Payment, error) {
	daemon, err := w.daemon.Current() // before anybody else can send the bytes: it will know them if a block holds them by then
	if err != nil {
		return Payment{}, fault.Daemon("transfer", err)
	}
	if !w.payments.add(p) { // before it leaves: a block that holds it finds it here
		return Payment{}, store.ErrIDTaken
	}
	err = w.journalAdd(ctx, p)
	if open, ok := errors.AsType[*store.PendingError](err); ok {
		return w.unwritten(p, open)
	}
	if err != nil {
		w.payments.remove(p)
		return Payment{}, err
	}
	err = w.broadcast(ctx, daemon, p)
	w.View.Chain.Forget()
	return w.settle(ctx, p, err)
}

// errOver says that a payment has its outcome.
var errOver = errors.New("the payment has its outcome already")

// broadcast hands the bytes to one daemon; nil when it has them. Error: errOver,
// and those of daemonclient.
func (w *Wallet) broadcast(ctx context.Context, daemon daemonclient.Daemon, p *payment) error {
	over := false
	w.payments.update(p, func(p *payment) {
		if over = !p.open() || p.ending; !over {
			p.tries++
		}
	})
	if over {
		return errOver
	}
	err := daemon.BroadcastTransaction(ctx, &p.tx)
	if remote, ok := errors.AsType[*daemonclient.RemoteError](err); ok && remote.IsDuplicate() {
		return nil
	}
	return err
}

// settle notes what became of the first broadcast and answers its caller.
func (w *Wallet) settle(ctx context.Context, p *payment, err error) (Payment, error) {
	var failure *fault.Error
	switch {
	case err == nil:
		w.taken(p)
	case errors.Is(err, errOver): // while it was written down, or on its way, blocks settled it
	default:
		failure = w.lost(ctx, p, err)
	}
	return w.verdict(p, failure)
}

// verdict is what the caller of the first broadcast is answered: the state in which
// the payment is by now, whatever the broadcast itself came to. The error is nil
// only when the payment is on its way or has happened.
func (w *Wallet) verdict(p *payment, why *fault.Error) (Payment, error) {
	now := w.payments.update(p, func(*payment) {})
	switch now.State {
	case PaymentRejected:
		if why == nil {
			why = &fault.Error{Code: now.code, Op: "transfer", Message: "transaction " + now.ID.String() + " was refused: " + now.Reason, Hint: "nothing was spent"}
		}
		return now.Payment, why
	case PaymentExpired:
		return now.Payment, &fault.Error{Code: fault.Expired, Op: "transfer", Message: "transaction " + now.ID.String() + " did not happen: " + now.Reason, Hint: "make the payment anew"}
	case PaymentUnknown, PaymentPrepared:
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
func (w *Wallet) lost(ctx context.Context, p *payment, err error) *fault.Error {
	failure := fault.Daemon("transfer", err)
	_, refused := errors.AsType[*daemonclient.RemoteError](err)
	switch {
	case (neverSent(err) || refused && w.trusting()) && w.reject(ctx, p, failure):
	case refused:
		failure.Hint, failure.Unsettled = mayHappen(p.Expiration), true
		w.leaveRefused(p, failure)
	default:
		w.leaveOpen(p, failure)
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
func (w *Wallet) taken(p *payment) payment {
	now := w.payments.update(p, func(p *payment) {
		p.resend, p.Taken = false, true
		if p.State != PaymentPrepared && p.State != PaymentUnknown {
			return
		}
		p.State, p.Reason, p.changed = PaymentSent, "", true
		if p.Sent.IsZero() {
			p.Sent = w.now()
		}
	})
	w.noteChanges()
	w.events.Publish(event.Event{Kind: event.Payment, Payment: p.ID})
	return now
}

// reject notes that a payment was never sent; false when that is not certain: after
// a second broadcast, of this program or of another that shares the journal, the
// other may have been taken.
// The journal must know before the caller does: otherwise the next run would
// send the bytes of a payment that somebody made anew meanwhile.
func (w *Wallet) reject(ctx context.Context, p *payment, failure *fault.Error) bool {
	alone := false
	now := w.payments.update(p, func(p *payment) {
		alone = p.State == PaymentPrepared && p.tries == 1
		p.ending = alone
	})
	now.State, now.Reason, now.code = PaymentRejected, failure.Message, failure.Code
	certain := alone && w.journalOne(ctx, &now) == nil
	rejected := w.payments.update(p, func(p *payment) {
		if p.ending = false; certain && p.State == PaymentPrepared {
			p.State, p.Reason, p.code = now.State, now.Reason, now.code
		}
	}).State == PaymentRejected
	w.events.Publish(event.Event{Kind: event.Payment, Payment: p.ID})
	return rejected
}

// leaveOpen notes that nobody knows whether a payment was sent; its bytes are
// sent again. What blocks have shown meanwhile stays.
func (w *Wallet) leaveOpen(p *payment, why *fault.Error) {
	failure := unanswered(p.ID, why)
	w.payments.update(p, func(p *payment) {
		if p.State != PaymentPrepared && p.State != PaymentUnknown {
			return
		}
		p.State, p.Reason, p.code, p.resend, p.changed = PaymentUnknown, failure.Message, failure.Code, true, true
		if p.Sent.IsZero() {
			p.Sent = w.now()
		}
	})
	w.noteChanges()
	w.events.Publish(event.Event{Kind: event.Payment, Payment: p.ID})
}

// leaveRefused notes that a daemon refused a payment whose bytes it had. They are not
// sent again, and are looked for until they can be in no block.
func (w *Wallet) leaveRefused(p *payment, why *fault.Error) {
	w.payments.update(p, func(p *payment) {
		if p.State != PaymentPrepared && p.State != PaymentUnknown {
			return
		}
		p.State, p.Reason, p.code, p.resend, p.changed = PaymentUnknown, why.Message, why.Code, false, true
		if p.Sent.IsZero() {
			p.Sent = w.now()
		}
	})
	w.noteChanges()
	w.events.Publish(event.Event{Kind: event.Payment, Payment: p.ID})
}

// Resend has the same bytes of an open payment sent again at once, unless a block of the
// daemon in use holds them. Nothing is sent when its blocks cannot be read:
// a daemon that was killed takes the same bytes a second time. Errors: fault.NoSuchPayment, also
// when the outcome is known already, and those of the daemon.
func (w *Wallet) Resend(ctx context.Context, id ledger.TransactionID) error {
	p := w.payments.find(id)
	if p == nil {
		return &fault.Error{Code: fault.NoSuchPayment, Op: "resend", Message: "no payment " + id.String() + " is on its way", Hint: "list_payments shows them"}
	}
	if now := w.payments.update(p, func(*payment) {}); !now.open() || now.ending {
		return &fault.Error{Code: fault.NoSuchPayment, Op: "resend", Message: "payment " + id.String() + " is not on its way any more", Hint: "get_payment tells what became of it", Err: errOver}
	}
	ask := resendRequest{payment: p, answer: make(chan error, 1)}
	select {
	case w.resends <- ask:
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
