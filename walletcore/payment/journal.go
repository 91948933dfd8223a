package payment

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
var states = map[State]store.State{
	Prepared: store.Prepared, Sent: store.Sent, InBlock: store.InBlock,
	Irreversible: store.Irreversible, Unknown: store.Unknown,
	Rejected: store.Rejected, Expired: store.Expired,
}

// String names the state as the journal and the RPC do.
func (s State) String() string { return string(states[s]) }

func stateOf(name store.State) State {
	for state, known := range states {
		if known == name {
			return state
		}
	}
	return Unknown
}

// journalEntry is the payment as the journal keeps it.
func (e *entry) journalEntry() (store.Entry, error) {
	packed, err := e.tx.Pack()
	return store.Entry{
		ID: e.ID, Chain: e.chain, Key: e.Key, Request: e.request, State: states[e.State], Bytes: packed, Expiration: e.Expiration, RefBlock: e.refBlock,
		Block: e.Block, TrxInBlock: e.TrxInBlock, Code: string(e.code), Reason: e.Reason, Proven: e.proven, Sure: e.sure,
		Prepared: e.Prepared, Sent: e.Sent, InBlock: e.InBlock,
	}, err
}

// entryOfJournal reads a payment back from the journal.
func (p *Payments) entryOfJournal(kept store.Entry) (*entry, error) {
	e := &entry{
		chain: kept.Chain, request: kept.Request, refBlock: kept.RefBlock, code: fault.Code(kept.Code), tries: 1, proven: kept.Proven, sure: kept.Sure,
		Payment: Payment{
			ID: kept.ID, Key: kept.Key, State: stateOf(kept.State), Expiration: kept.Expiration, Prepared: kept.Prepared, Sent: kept.Sent,
			InBlock: kept.InBlock, Block: kept.Block, TrxInBlock: kept.TrxInBlock, Reason: kept.Reason, Taken: kept.State == store.Sent,
		},
	}
	if err := codec.Unpack(kept.Bytes, &e.tx); err != nil {
		return nil, &fault.Error{Code: fault.File, Op: "journal", Err: err,
			Message: "payment " + kept.ID.String() + " in the journal cannot be read: " + err.Error()}
	}
	e.Review = p.Build.FactsOf(e.tx.Operations)
	return e, nil
}

// latest returns what is known about a payment of the journal: memory is ahead of
// the file.
func (p *Payments) latest(kept store.Entry) (*entry, error) {
	if e := p.list.read(kept.ID); e != nil {
		return e, nil
	}
	return p.entryOfJournal(kept)
}

// unreadable is the fault when the journal does not answer.
func unreadable(op string, err error) *fault.Error {
	return &fault.Error{Code: fault.File, Op: op, Message: "the payment journal cannot be read: " + err.Error(), Hint: "this call sent nothing; check the folder of the wallet", Err: err, Journal: true}
}

// journalAdd writes a payment before its first byte leaves the program. Its
// error means that the journal does not have it, unless that is a
// *store.PendingError.
func (p *Payments) journalAdd(ctx context.Context, e *entry) error {
	if p.Journal == nil {
		return nil
	}
	read := p.list.update(e, func(*entry) {}) // others know it already
	row, err := read.journalEntry()
	if err == nil {
		err = p.Journal.Add(ctx, row)
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
func (p *Payments) unwritten(e *entry, open *store.PendingError) (Payment, error) {
	failure := &fault.Error{Code: fault.OutcomeUnknown, Op: "transfer", Err: open, Unsettled: true, Hint: "do not send it again; its id will show whether it happened",
		Message: "transaction " + e.ID.String() + " may still be sent: " + open.Error()}
	p.list.hold(e, failure)
	p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
	go func() { p.written(e, open.Outcome()) }()
	return p.list.update(e, func(*entry) {}).Payment, failure
}

// written goes on with a payment of unwritten once the journal has answered.
func (p *Payments) written(e *entry, err error) {
	switch {
	case errors.Is(err, store.ErrUncertain):
		return // the next run will see
	case err == nil:
		p.list.release(e)
		p.list.update(e, func(e *entry) { e.resend, e.changed = e.State == Unknown, true })
		p.noteChanges()
	default:
		p.list.conclude(e, func(e *entry) (over bool) {
			if over = e.open(); over {
				e.State, e.code, e.Reason = Rejected, fault.File, notWritten(err).Message
			}
			return over
		})
		p.list.release(e)
	}
	p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
}

// noteChanges has the changes written down soon; nobody waits for it: the bytes
// are safe already, and the chain knows the rest.
func (p *Payments) noteChanges() {
	select {
	case p.list.wakeup() <- struct{}{}:
	default:
	}
}

// wakeup is the channel that tells of changes to be written.
func (l *list) wakeup() chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wake == nil {
		l.wake = make(chan struct{}, 1)
	}
	return l.wake
}

// keepJournal writes changes as they come until ctx ends.
func (p *Payments) keepJournal(ctx context.Context) error {
	wake := p.list.wakeup()
	for {
		select {
		case <-wake:
			_ = p.writeChanges(ctx) // it is logged, and tried again with the next change
		case <-ctx.Done():
			return nil
		}
	}
}

// writeChanges writes down every change made so far. When it fails, they stay
// noted and are written with the next ones.
func (p *Payments) writeChanges(ctx context.Context) error {
	p.list.writing.Lock()
	defer p.list.writing.Unlock()
	changed := p.list.takeChanged()
	if p.Journal == nil || len(changed) == 0 {
		return nil
	}
	entries := make([]store.Entry, 0, len(changed))
	for i := range changed {
		if e, err := changed[i].journalEntry(); err == nil {
			entries = append(entries, e)
		}
	}
	err := p.Journal.UpdateSoon(context.WithoutCancel(ctx), entries...)
	if refused, ok := errors.AsType[*store.RefusedError](err); ok {
		p.Logger.Warn("payments: the journal knows better", "error", err)
		p.adopt(ctx, refused.IDs)
		return nil
	}
	if err != nil {
		p.Logger.Error("payments: the journal was not written", "error", err)
		p.list.giveBack(changed)
	}
	return err
}

// journalOne writes one payment down before anybody is told of it.
func (p *Payments) journalOne(ctx context.Context, e *entry) error {
	if p.Journal == nil {
		return nil
	}
	row, err := e.journalEntry()
	if err == nil {
		err = p.Journal.Update(context.WithoutCancel(ctx), row)
	}
	if err != nil {
		p.Logger.Error("payments: the journal was not written", "error", err)
	}
	return err
}

// adopt takes over what another program that shares the journal found out.
func (p *Payments) adopt(ctx context.Context, ids []ledger.TransactionID) {
	for _, id := range ids {
		kept, err := p.Journal.Get(context.WithoutCancel(ctx), id)
		if err != nil {
			continue
		}
		if e := p.list.find(id); e != nil {
			p.list.mu.Lock()
			e.State, e.Reason, e.Block, e.TrxInBlock, e.code = stateOf(kept.State), kept.Reason, kept.Block, kept.TrxInBlock, fault.Code(kept.Code)
			if kept.State.Final() {
				p.list.finishLocked(e)
			}
			p.list.mu.Unlock()
			p.Events.Publish(event.Event{Kind: event.Payment, Payment: id})
		}
	}
}

// resume takes up every payment of earlier runs whose outcome is open. What was
// prepared or sent may have happened: it is looked for, and while it can still
// get into a block the same bytes are sent again. What was refused is looked for and
// not sent. One that cannot be read is
// left as it is: it must not keep the others from being followed.
func (p *Payments) resume(ctx context.Context) error {
	if p.Journal == nil {
		return nil
	}
	open, err := p.Journal.Open(ctx)
	switch {
	case ctx.Err() != nil:
		return nil // ended before it began
	case err != nil:
		return unreadable("resume", err)
	}
	var payments []*entry
	for _, kept := range open {
		e, err := p.entryOfJournal(kept)
		if err != nil {
			p.Logger.Error("payments: one cannot be followed", "id", kept.ID, "error", err)
			continue
		}
		payments = append(payments, e)
	}
	p.View.Recall(ctx, mentioned(payments)) // before anybody is told of them
	for _, e := range payments {
		switch e.State {
		case Prepared:
			e.State, e.Reason = Unknown, "the program ended before it knew whether it was sent"
		case InBlock: // the block may have left the chain meanwhile: it is found again or not
			e.putBack("")
		}
		e.resend = e.waits()
		if p.list.add(e) { // else it is one of this run, made a moment ago
			p.list.update(e, func(e *entry) { e.changed = true })
			p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
		}
	}
	return nil
}
