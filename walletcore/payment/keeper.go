package payment

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ownobject"
	"billfold/walletcore/store"
)

// keeper writes payments to the journal.
type keeper struct {
	journal Journal // may be nil
	list    *list
	events  *event.Broadcaster
	log     *slog.Logger
	objects *ownobject.Objects

	ledgerTime func() time.Time
}

// add writes a payment to the journal before any of its bytes leave the program. An error means that the journal does
// not have it, unless it is a *store.PendingError.
func (k *keeper) add(ctx context.Context, e *entry) error {
	if k.journal == nil {
		for _, o := range e.objects {
			if err := k.objects.Write(ctx, o.Base, o.Rows, o.Undoing); err != nil {
				return err
			}
		}
		return nil
	}
	var row store.Entry
	k.list.update(e, func(e *entry) { row = e.outcomeEntry() }) // under the lock: others can already see e
	packed, err := e.tx.Pack()                                  // tx never changes
	if row.Bytes = packed; err == nil {
		with := slices.Clone(e.with)
		for _, o := range e.objects {
			with = append(with, o.Base.Append(o.Rows))
			if o.Undoing != nil {
				with = append(with, o.Base.Note(*o.Undoing))
			}
		}
		err = k.journal.Add(ctx, row, with...)
	}
	if errors.Is(err, store.ErrObjectChanged) {
		return store.ErrObjectChanged
	}
	if _, open := errors.AsType[*store.PendingError](err); err == nil || open {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &fault.Error{
			Code:    fault.Canceled,
			Op:      "transfer",
			Message: "transfer: " + fault.WhyEnded(err),
			Hint:    "nothing was sent; try again",
			Err:     err,
		}
	}
	return notWritten(err)
}

// holdUnconfirmed holds a payment while it is unknown whether the journal has it, and returns the answer for its caller.
// None of it was sent. Once the journal turns out to have it, it is sent like a payment of an earlier run, which the
// next run would do as well. Until then it keeps its request key.
func (k *keeper) holdUnconfirmed(e *entry, open *store.PendingError) (Payment, error) {
	failure := &fault.Error{
		Code:      fault.OutcomeUnknown,
		Op:        "transfer",
		Err:       open,
		Unsettled: true,
		Hint:      "do not send it again; its id will show whether it happened",
		Message:   "transaction " + e.ID.String() + " may still be sent: " + open.Error(),
	}
	k.list.hold(e, failure)
	k.events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
	go func() { k.resolveHeld(e, open.Outcome()) }()
	return k.list.update(e, func(*entry) {}).Payment, failure
}

// resolveHeld continues with a payment of holdUnconfirmed once the journal has answered.
func (k *keeper) resolveHeld(e *entry, err error) {
	switch {
	case errors.Is(err, store.ErrUncertain):
		return // the next run will see
	case err == nil:
		k.list.release(e)
		k.list.update(e, func(e *entry) { e.adding, e.resend, e.changed = false, e.State == Unknown, true })
		k.requestWrite()
	default:
		k.list.conclude(e, func(e *entry) (over bool) {
			if over = e.open(); over {
				e.State, e.code, e.Reason = Rejected, fault.File, notWritten(err).Message
			}
			return over
		})
		k.list.release(e)
	}
	k.events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
}

// requestWrite wakes the writer of changes. Nobody waits for it: the bytes are on disk already,
// and the rest can be read from the chain.
func (k *keeper) requestWrite() {
	select {
	case k.list.wakeup() <- struct{}{}:
	default:
	}
}

// run writes changes as they are made, until ctx ends.
func (k *keeper) run(ctx context.Context) error {
	wake := k.list.wakeup()
	for {
		select {
		case <-wake:
			_ = k.write(ctx, false) // a failure is logged; the next change tries again
		case <-ctx.Done():
			return nil
		}
	}
}

// writeAll writes every change made so far, and waits for the disk.
func (k *keeper) writeAll(ctx context.Context) error {
	return k.write(context.WithoutCancel(ctx), true)
}

// maxAtOnce is the maximum number of changes that join one commit, because payments written in the same commit wait for them: as many
// as one statement writes.
const maxAtOnce = store.UpdateAtOnce

// write writes every change made so far: at once if now is true, otherwise along with other commits. Changes that could
// not be written stay marked for the next write.
func (k *keeper) write(ctx context.Context, now bool) error {
	k.list.writing <- struct{}{}
	defer func() { <-k.list.writing }()
	changed := k.list.takeChanged()
	if k.journal == nil || len(changed) == 0 {
		return nil
	}
	if now {
		return k.writePart(ctx, k.journal.Update, changed)
	}
	if k.journal.Server() != "" { // a shared store takes any number in one statement
		return k.writePart(ctx, k.journal.UpdateSoon, changed)
	}
	for len(changed) > 0 {
		n := min(len(changed), maxAtOnce)
		if err := k.writePart(ctx, k.journal.UpdateSoon, changed[:n]); err != nil {
			k.list.markChanged(changed[n:])
			return err
		}
		changed = changed[n:]
	}
	return nil
}

func (k *keeper) writePart(ctx context.Context, update func(context.Context, ...store.Entry) error, changed []store.Entry) error {
	err := update(ctx, changed...)
	if refused, ok := errors.AsType[*store.RefusedError](err); ok {
		k.log.Warn("payments: the journal has another state", "error", err)
		return k.adopt(ctx, refused.IDs)
	}
	if err != nil {
		k.list.markChanged(changed)
		if ctx.Err() == nil {
			k.log.Error("payments: the journal was not written", "error", err)
		}
	}
	return err
}

// writeOne writes one payment before anyone is told of its state.
func (k *keeper) writeOne(ctx context.Context, e *entry) error {
	if k.journal == nil {
		return nil
	}
	row, err := e.journalEntry()
	if err == nil {
		err = k.journal.Update(context.WithoutCancel(ctx), row)
	}
	if err != nil {
		k.log.Error("payments: the journal was not written", "error", err)
	}
	return err
}

// adopt takes over the states that another program sharing the journal has found. An error means that one of them is not known yet: it
// may be that nothing of a payment was ever sent.
func (k *keeper) adopt(ctx context.Context, ids []ledger.TransactionID) (failure error) {
	for _, id := range ids {
		kept, err := k.journal.Get(context.WithoutCancel(ctx), id)
		if err != nil {
			k.list.markChanged([]store.Entry{{ID: id}}) // the next write is refused too, and this is tried again
			if !errors.Is(err, store.ErrNotFound) {
				failure = err
			}
			continue
		}
		var own store.Entry
		if e := k.list.read(id); e != nil {
			own, err = e.journalEntry()
		}
		if kept.Origin == store.Found && own.Key != "" && err == nil && own.State != store.Prepared { // the journal lost its key, which is known here
			again := k.journal.Add(context.WithoutCancel(ctx), own) // the row exists, and gets the key
			if !errors.Is(again, store.ErrIDTaken) && !errors.Is(again, store.ErrKeyTaken) {
				k.list.markChanged([]store.Entry{{ID: id}}) // nobody else knows the key: it is not forgotten before it is written
				continue
			}
		}
		e := k.list.find(id)
		if e == nil {
			continue
		}
		switch {
		case kept.Owner != k.journal.Server():
			k.list.remove(e) // another server follows it
		case err == nil && own.State != kept.State && kept.State.CanBecome(own.State):
			// The database took the change and did not make it. What the blocks have shown is not forgotten, and is written again.
			k.log.Error("payments: the journal did not take a state", "payment", id, "state", own.State, "kept", kept.State)
			k.list.markChanged([]store.Entry{{ID: id}})
			continue
		default:
			k.list.withLine(e, func() {
				e.State, e.Reason, e.Block, e.TrxInBlock = stateOf(kept.State), kept.Reason, kept.Block, kept.TrxInBlock
				e.code, e.daemon = parseCode(kept.Code)
				e.proven = kept.Proven
				if kept.State.Final() && (kept.State != store.Rejected || kept.Proven) { // a rejected one is watched until it is proven
					k.list.finishLocked(e)
				} else {
					k.list.watchLocked(e)
				}
			})
		}
		k.events.Publish(event.Event{Kind: event.Payment, Payment: id})
	}
	return failure
}

// wakeup returns the channel that announces changes to be written.
func (l *list) wakeup() chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wake == nil {
		l.wake = make(chan struct{}, 1)
	}
	return l.wake
}
