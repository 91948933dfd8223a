package payment

import (
	"context"
	"errors"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
)

// sender broadcasts payments and records the result.
type sender struct {
	*keeper
	view    *ledgerview.View
	daemon  *daemonclient.Client
	sandbox bool // a refusal is final, because nobody else can have had the bytes
	now     func() time.Time
}

// send writes the payment to the journal, then broadcasts it. Errors are those of Send and addNew, and store.ErrIDTaken and
// errMadeElsewhere: an earlier run, or another wallet with the same keys, made the very same transaction, so this one must
// be signed again with another reference block or expiration.
func (s *sender) send(ctx context.Context, e *entry) (Payment, error) {
	daemon, err := s.daemon.Current() // chosen before anyone else can send the bytes: it will know them if a block holds them by then
	if err != nil {
		return Payment{}, fault.Daemon("transfer", err)
	}
	e.adding = s.journal != nil
	if err := s.list.addNew(e); err != nil { // before it is sent: a block that holds it finds it here
		return Payment{}, err
	}
	err = s.add(ctx, e)
	if open, ok := errors.AsType[*store.PendingError](err); ok {
		return s.holdUnconfirmed(e, open)
	}
	if err != nil {
		s.list.remove(e)
		return Payment{}, err
	}
	s.list.update(e, func(e *entry) { e.adding = false })
	err = s.broadcast(ctx, daemon, e)
	if errors.Is(err, errKnownBefore) {
		if err = s.awaitMaker(ctx, e); errors.Is(err, errMadeElsewhere) {
			return Payment{}, err
		}
	}
	if err == nil {
		s.view.Chain.Sent(e.tx.Operations)
	} else { // something that it was built from may be wrong
		s.view.Chain.Forget()
	}
	return s.recordBroadcast(ctx, e, err)
}

// broadcast sends the bytes to one daemon. It returns nil if the daemon has them now. Errors: errOver, errKnownBefore if
// nobody but another wallet can have sent them before, and those of daemonclient.
func (s *sender) broadcast(ctx context.Context, daemon daemonclient.Daemon, e *entry) error {
	over, first, elsewhere := false, false, false
	s.list.update(e, func(e *entry) {
		if elsewhere = e.elsewhere > 0; elsewhere {
			return
		}
		if over = !e.open() || e.rejecting; !over {
			e.tries++
			first = e.single && e.tries == 1
		}
	})
	switch {
	case elsewhere:
		return errKnownBefore
	case over:
		return errOver
	}
	err := daemon.BroadcastTransaction(ctx, &e.tx)
	if remote, ok := errors.AsType[*daemonclient.RemoteError](err); ok && remote.IsDuplicate() {
		if first {
			return errKnownBefore
		}
		return nil
	}
	return err
}

// recordBroadcast records the result of the first broadcast and returns the answer for its caller.
func (s *sender) recordBroadcast(ctx context.Context, e *entry, err error) (Payment, error) {
	var failure *fault.Error
	switch {
	case err == nil:
		s.markSent(e)
	case errors.Is(err, errOver): // blocks settled it while it was being written or sent
	default:
		failure = s.recordFailure(ctx, e, err)
	}
	return s.outcomeOf(e, failure)
}

// outcomeOf returns the answer for the caller of the first broadcast: the state that the payment has reached, whatever
// the broadcast itself returned. The error is nil only if the payment is on its way or has happened.
func (s *sender) outcomeOf(e *entry, why *fault.Error) (Payment, error) {
	now := s.list.update(e, func(*entry) {})
	switch now.State {
	case Rejected:
		if why == nil {
			why = &fault.Error{
				Code:    now.code,
				Op:      "transfer",
				Message: "transaction " + now.ID.String() + " was refused: " + now.refusal(),
				Data:    now.daemon,
				Hint:    "nothing was spent",
			}
		}
		return now.Payment, now.asFinalFailure(why)
	case Expired:
		return now.Payment, now.asFinalFailure(&fault.Error{
			Code:    fault.Expired,
			Op:      "transfer",
			Message: "transaction " + now.ID.String() + " did not happen: " + now.Reason,
			Hint:    "make the payment again",
		})
	case Unknown, Prepared:
		if now.refused() && why != nil {
			return now.Payment, why
		}
		return now.Payment, outcomeUnknown(now.ID, why)
	case Sent, InBlock, Irreversible:
	}
	return now.Payment, nil
}

// recordFailure records that the first broadcast failed with err, and returns the error for its caller. A payment that
// was never sent is rejected. One that a daemon refused is not: the daemon had the bytes and may have passed them on
// anyway. Only a ledger inside this program is believed.
func (s *sender) recordFailure(ctx context.Context, e *entry, err error) *fault.Error {
	failure := fault.Daemon("transfer", err)
	_, refused := errors.AsType[*daemonclient.RemoteError](err)
	if refused {
		s.explainContent(ctx, e, failure)
	}
	switch {
	case (neverSent(err) || refused && s.sandbox) && s.reject(ctx, e, failure):
	case refused:
		failure.Hint, failure.Unsettled = mayHappenHint(e.Expiration), true
		s.markRefused(e, failure)
	default:
		s.markUnknown(e, failure)
	}
	return failure
}

// markSent records that a daemon has the bytes.
func (s *sender) markSent(e *entry) entry {
	now := s.list.update(e, func(e *entry) {
		e.resend, e.Taken = false, true
		if e.State != Prepared && e.State != Unknown {
			return
		}
		e.State, e.Reason, e.changed = Sent, "", true
		if e.Sent.IsZero() {
			e.Sent = s.now()
		}
	}) // the follower's next pass writes this, with the block that holds it; until then the journal's "prepared" serves as well
	if s.journal != nil && s.journal.Server() != "" {
		s.requestWrite() // others may be asked about it
	}
	s.events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
	return now
}

// reject records that a payment was never sent. It reports false if that is not certain: after a second broadcast, by
// this program or by another that shares the journal, the other one may have been accepted. The journal must know before
// the caller does: otherwise the next run would send the bytes of a payment that somebody has made again meanwhile.
func (s *sender) reject(ctx context.Context, e *entry, failure *fault.Error) bool {
	alone := false
	now := s.list.update(e, func(e *entry) {
		alone = e.State == Prepared && e.tries == 1
		e.rejecting = alone
	})
	now.State = Rejected
	now.refuseFor(failure)
	certain := alone && s.writeOne(ctx, &now) == nil
	rejected := s.list.update(e, func(e *entry) {
		if e.rejecting = false; certain && e.State == Prepared {
			e.State, e.Reason, e.code, e.daemon = now.State, now.Reason, now.code, now.daemon
		}
	}).State == Rejected
	s.events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
	return rejected
}

// markUnknown records that it is not known whether a payment was sent; its bytes are sent
// again. What blocks have shown meanwhile stays.
func (s *sender) markUnknown(e *entry, why *fault.Error) {
	failure := outcomeUnknown(e.ID, why)
	s.list.update(e, func(e *entry) {
		if e.State != Prepared && e.State != Unknown {
			return
		}
		e.State, e.Reason, e.code, e.resend, e.changed = Unknown, failure.Message, failure.Code, true, true
		if e.Sent.IsZero() {
			e.Sent = s.now()
		}
	})
	s.requestWrite()
	s.events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
}

// markRefused records that a daemon refused a payment whose bytes it had. They are not sent again; the follower looks
// for them until no block can hold them any more.
func (s *sender) markRefused(e *entry, why *fault.Error) {
	s.list.update(e, func(e *entry) {
		if e.State != Prepared && e.State != Unknown {
			return
		}
		e.State, e.resend, e.changed = Unknown, false, true
		e.refuseFor(why)
		if e.Sent.IsZero() {
			e.Sent = s.now()
		}
	})
	s.requestWrite()
	s.events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
}

// errOver means that the outcome of a payment is known already.
var errOver = errors.New("the payment has its outcome already")

// outcomeUnknown returns the error for a payment that may still happen; why, if not nil, is the error of the latest attempt.
func outcomeUnknown(id ledger.TransactionID, why *fault.Error) *fault.Error {
	failure := &fault.Error{
		Code:      fault.OutcomeUnknown,
		Op:        "transfer",
		Hint:      "do not send it again; its id will show whether it happened",
		Unsettled: true,
	}
	switch {
	case why == nil:
		failure.Message = "transaction " + id.String() + " may still happen"
	case errors.Is(why, errKnownBefore):
		failure.Message, failure.Err = "transaction "+id.String()+" may still happen, or another wallet's does: "+why.Message, why
	case why.Code == fault.OutcomeUnknown:
		failure.Message = "transaction " + id.String() + " was sent, but the connection to the daemon broke before it answered"
		failure.Data, failure.Err = why.Data, why
	default:
		failure.Message = "transaction " + id.String() + " may have been sent; the latest attempt: " + why.Message
		failure.Data, failure.Err = why.Data, why
	}
	return failure
}

// neverSent reports whether no byte of a broadcast that failed with err was sent. When in doubt it reports false.
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
