package walletcore

import (
	"context"
	"errors"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// states pairs the core's states with the journal's.
var states = map[PaymentState]store.State{
	PaymentPrepared: store.Prepared, PaymentSent: store.Sent, PaymentInBlock: store.InBlock,
	PaymentIrreversible: store.Irreversible, PaymentUnknown: store.Unknown,
	PaymentRejected: store.Rejected, PaymentExpired: store.Expired,
}

// String names the state as the journal and the RPC do.
func (s PaymentState) String() string { return string(states[s]) }

func stateOf(name store.State) PaymentState {
	for state, known := range states {
		if known == name {
			return state
		}
	}
	return PaymentUnknown
}

// entry is the payment as the journal keeps it.
func (p *payment) entry() (store.Entry, error) {
	packed, err := p.tx.Pack()
	return store.Entry{
		ID: p.ID, Chain: p.chain, Key: p.Key, Request: p.request, State: states[p.State], Bytes: packed, Expiration: p.Expiration, RefBlock: p.refBlock,
		Block: p.Block, TrxInBlock: p.TrxInBlock, Code: string(p.code), Reason: p.Reason, Proven: p.proven, Sure: p.sure,
		Prepared: p.Prepared, Sent: p.Sent, InBlock: p.InBlock,
	}, err
}

// paymentOf reads a payment back from the journal.
func (w *Wallet) paymentOf(e store.Entry) (*payment, error) {
	p := &payment{chain: e.Chain, request: e.Request, refBlock: e.RefBlock, code: fault.Code(e.Code), tries: 1, proven: e.Proven, sure: e.Sure, Payment: Payment{
		ID: e.ID, Key: e.Key, State: stateOf(e.State), Expiration: e.Expiration, Prepared: e.Prepared, Sent: e.Sent, InBlock: e.InBlock,
		Block: e.Block, TrxInBlock: e.TrxInBlock, Reason: e.Reason, Taken: e.State == store.Sent,
	}}
	if err := codec.Unpack(e.Bytes, &p.tx); err != nil {
		return nil, &fault.Error{Code: fault.File, Op: "journal", Message: "payment " + e.ID.String() + " in the journal cannot be read: " + err.Error(), Err: err}
	}
	p.Review = w.reviewFacts(p.tx.Operations)
	return p, nil
}

// latest gives what is known about a payment of the journal: memory is ahead of
// the file.
func (w *Wallet) latest(e store.Entry) (*payment, error) {
	if p := w.payments.read(e.ID); p != nil {
		return p, nil
	}
	return w.paymentOf(e)
}

// unreadable is the fault when the journal does not answer.
func unreadable(op string, err error) *fault.Error {
	return &fault.Error{Code: fault.File, Op: op, Message: "the payment journal cannot be read: " + err.Error(), Hint: "this call sent nothing; check the folder of the wallet", Err: err, Journal: true}
}

// journalAdd writes a payment before its first byte leaves the program. Its
// error means that the journal does not have it, unless that is a
// *store.PendingError.
func (w *Wallet) journalAdd(ctx context.Context, p *payment) error {
	if w.journal == nil {
		return nil
	}
	read := w.payments.update(p, func(*payment) {}) // others know it already
	e, err := read.entry()
	if err == nil {
		err = w.journal.Add(ctx, e)
	}
	if _, open := errors.AsType[*store.PendingError](err); err == nil || open {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &fault.Error{Code: fault.Canceled, Op: "transfer", Message: "transfer: the time for it ran out", Hint: "nothing was sent; try again", Err: err}
	}
	return notWritten(err)
}

// notWritten is the fault of a payment that the journal does not have.
func notWritten(err error) *fault.Error {
	if refused, ok := errors.AsType[*fault.Error](err); ok { // by somebody who has something written with it
		return refused
	}
	if errors.Is(err, store.ErrReplaced) {
		return &fault.Error{Code: fault.File, Op: "transfer", Err: err, Journal: true, Hint: "nothing was sent; billfold journal status, after the program has ended, says how to go on",
			Message: "the wallet spends nothing: the payment journal was moved, removed, replaced or written over while this program used it, " +
				"so a payment that was made could be made twice"}
	}
	_, lost := errors.AsType[*store.LostError](err)
	return &fault.Error{Code: fault.File, Op: "transfer", Journal: lost, Message: "the payment was not sent, because it cannot be written down first: " + err.Error(), Hint: "nothing was spent", Err: err}
}

// unwritten answers the caller of a payment of which nobody knows yet whether the
// journal has it. Nothing of it was sent. Once it turns out to be written down it is
// sent like one of an earlier run, which would send it too; its request key stands for it until then.
func (w *Wallet) unwritten(p *payment, open *store.PendingError) (Payment, error) {
	failure := &fault.Error{Code: fault.OutcomeUnknown, Op: "transfer", Err: open, Unsettled: true, Hint: "do not send it again; its id will show whether it happened",
		Message: "transaction " + p.ID.String() + " may still be sent: " + open.Error()}
	w.payments.hold(p, failure)
	w.events.Publish(event.Event{Kind: event.Payment, Payment: p.ID})
	go func() { w.written(p, open.Outcome()) }()
	return w.payments.update(p, func(*payment) {}).Payment, failure
}

// written goes on with a payment of unwritten once the journal has answered.
func (w *Wallet) written(p *payment, err error) {
	switch {
	case errors.Is(err, store.ErrUncertain):
		return // the next run will see
	case err == nil:
		w.payments.release(p)
		w.payments.update(p, func(p *payment) { p.resend, p.changed = p.State == PaymentUnknown, true })
		w.noteChanges()
	default:
		w.payments.conclude(p, func(p *payment) (over bool) {
			if over = p.open(); over {
				p.State, p.code, p.Reason = PaymentRejected, fault.File, notWritten(err).Message
			}
			return over
		})
		w.payments.release(p)
	}
	w.events.Publish(event.Event{Kind: event.Payment, Payment: p.ID})
}

// noteChanges has the changes written down soon; nobody waits for it: the bytes
// are safe already, and the chain knows the rest.
func (w *Wallet) noteChanges() {
	select {
	case w.payments.wakeup() <- struct{}{}:
	default:
	}
}

// wakeup is the channel that tells of changes to be written.
func (l *paymentList) wakeup() chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wake == nil {
		l.wake = make(chan struct{}, 1)
	}
	return l.wake
}

// keepJournal writes changes as they come until ctx ends.
func (w *Wallet) keepJournal(ctx context.Context) error {
	wake := w.payments.wakeup()
	for {
		select {
		case <-wake:
			_ = w.writeChanges(ctx) // it is logged, and tried again with the next change
		case <-ctx.Done():
			return nil
		}
	}
}

// writeChanges writes down every change made so far. When it fails, they stay
// noted and are written with the next ones.
func (w *Wallet) writeChanges(ctx context.Context) error {
	w.payments.writing.Lock()
	defer w.payments.writing.Unlock()
	changed := w.payments.takeChanged()
	if w.journal == nil || len(changed) == 0 {
		return nil
	}
	entries := make([]store.Entry, 0, len(changed))
	for i := range changed {
		if e, err := changed[i].entry(); err == nil {
			entries = append(entries, e)
		}
	}
	err := w.journal.UpdateSoon(context.WithoutCancel(ctx), entries...)
	if refused, ok := errors.AsType[*store.RefusedError](err); ok {
		w.log.Warn("payments: the journal knows better", "error", err)
		w.adopt(ctx, refused.IDs)
		return nil
	}
	if err != nil {
		w.log.Error("payments: the journal was not written", "error", err)
		w.payments.giveBack(changed)
	}
	return err
}

// journalOne writes one payment down before anybody is told of it.
func (w *Wallet) journalOne(ctx context.Context, p *payment) error {
	if w.journal == nil {
		return nil
	}
	e, err := p.entry()
	if err == nil {
		err = w.journal.Update(context.WithoutCancel(ctx), e)
	}
	if err != nil {
		w.log.Error("payments: the journal was not written", "error", err)
	}
	return err
}

// adopt takes over what another program that shares the journal found out.
func (w *Wallet) adopt(ctx context.Context, ids []ledger.TransactionID) {
	for _, id := range ids {
		e, err := w.journal.Get(context.WithoutCancel(ctx), id)
		if err != nil {
			continue
		}
		if p := w.payments.find(id); p != nil {
			w.payments.mu.Lock()
			p.State, p.Reason, p.Block, p.TrxInBlock, p.code = stateOf(e.State), e.Reason, e.Block, e.TrxInBlock, fault.Code(e.Code)
			if e.State.Final() {
				w.payments.finishLocked(p)
			}
			w.payments.mu.Unlock()
			w.events.Publish(event.Event{Kind: event.Payment, Payment: id})
		}
	}
}

// resume takes up every payment of earlier runs whose outcome is open. What was
// prepared or sent may have happened: it is looked for, and while it can still
// get into a block the same bytes are sent again. What was refused is looked for and
// not sent. One that cannot be read is
// left as it is: it must not keep the others from being followed.
func (w *Wallet) resume(ctx context.Context) error {
	if w.journal == nil {
		return nil
	}
	open, err := w.journal.Open(ctx)
	switch {
	case ctx.Err() != nil:
		return nil // ended before it began
	case err != nil:
		return unreadable("resume", err)
	}
	var payments []*payment
	for _, e := range open {
		p, err := w.paymentOf(e)
		if err != nil {
			w.log.Error("payments: one cannot be followed", "id", e.ID, "error", err)
			continue
		}
		payments = append(payments, p)
	}
	w.View.Recall(ctx, mentioned(payments)) // before anybody is told of them
	for _, p := range payments {
		switch p.State {
		case PaymentPrepared:
			p.State, p.Reason = PaymentUnknown, "the program ended before it knew whether it was sent"
		case PaymentInBlock: // the block may have left the chain meanwhile: it is found again or not
			p.putBack("")
		}
		p.resend = p.waits()
		if w.payments.add(p) { // else it is one of this run, made a moment ago
			w.payments.update(p, func(p *payment) { p.changed = true })
			w.events.Publish(event.Event{Kind: event.Payment, Payment: p.ID})
		}
	}
	return nil
}
