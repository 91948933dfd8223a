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

// sender broadcasts payments and notes what came of it.
type sender struct {
	*keeper
	view    *ledgerview.View
	daemon  *daemonclient.Client
	sandbox bool // a refusal is one, because nobody else can have had the bytes
	now     func() time.Time
}

// send writes the payment down, then broadcasts it. Errors are those of Send,
// and of store.ErrIDTaken: an earlier run made the very same transaction, so
// this one needs another stamp.
func (s *sender) send(ctx context.Context, e *entry) (Payment, error) {
	daemon, err := s.daemon.Current() // before anybody else can send the bytes: it will know them if a block holds them by then
	if err != nil {
		return Payment{}, fault.Daemon("transfer", err)
	}
	e.adding = s.journal != nil
	if !s.list.add(e) { // before it leaves: a block that holds it finds it here
		return Payment{}, store.ErrIDTaken
	}
	err = s.add(ctx, e)
	if open, ok := errors.AsType[*store.PendingError](err); ok {
		return s.unwritten(e, open)
	}
	if err != nil {
		s.list.remove(e)
		return Payment{}, err
	}
	s.list.update(e, func(e *entry) { e.adding = false })
	err = s.broadcast(ctx, daemon, e)
	if err == nil {
		s.view.Chain.Sent(e.tx.Operations)
	} else { // something that it was made of may be wrong
		s.view.Chain.Forget()
	}
	return s.recordBroadcast(ctx, e, err)
}

// broadcast sends the bytes to one daemon; nil when it has them. Error: errOver,
// and those of daemonclient.
func (s *sender) broadcast(ctx context.Context, daemon daemonclient.Daemon, e *entry) error {
	over := false
	s.list.update(e, func(e *entry) {
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

// recordBroadcast notes what became of the first broadcast and answers its caller.
func (s *sender) recordBroadcast(ctx context.Context, e *entry, err error) (Payment, error) {
	var failure *fault.Error
	switch {
	case err == nil:
		s.markSent(e)
	case errors.Is(err, errOver): // while it was written down, or on its way, blocks settled it
	default:
		failure = s.lost(ctx, e, err)
	}
	return s.verdict(e, failure)
}

// verdict is what the caller of the first broadcast is answered: the state in which
// the payment is by now, whatever the broadcast itself came to. The error is nil
// only when the payment is on its way or has happened.
func (s *sender) verdict(e *entry, why *fault.Error) (Payment, error) {
	now := s.list.update(e, func(*entry) {})
	switch now.State {
	case Rejected:
		if why == nil {
			why = &fault.Error{
				Code:    now.code,
				Op:      "transfer",
				Message: "transaction " + now.ID.String() + " was refused: " + now.Reason,
				Hint:    "nothing was spent",
			}
		}
		return now.Payment, now.cameToNothing(why)
	case Expired:
		return now.Payment, now.cameToNothing(&fault.Error{
			Code:    fault.Expired,
			Op:      "transfer",
			Message: "transaction " + now.ID.String() + " did not happen: " + now.Reason,
			Hint:    "make the payment again",
		})
	case Unknown, Prepared:
		if now.refused() && why != nil {
			return now.Payment, why
		}
		return now.Payment, unanswered(now.ID, why)
	case Sent, InBlock, Irreversible:
	}
	return now.Payment, nil
}

// lost notes that the first broadcast failed with err, and returns that as the caller's
// fault. What was never sent is rejected. What a daemon refused is not: it had the
// bytes and can have passed them on, whatever it says. The ledger
// that is part of this program is taken at its word.
func (s *sender) lost(ctx context.Context, e *entry, err error) *fault.Error {
	failure := fault.Daemon("transfer", err)
	_, refused := errors.AsType[*daemonclient.RemoteError](err)
	switch {
	case (neverSent(err) || refused && s.sandbox) && s.reject(ctx, e, failure):
	case refused:
		failure.Hint, failure.Unsettled = mayHappen(e.Expiration), true
		s.leaveRefused(e, failure)
	default:
		s.leaveOpen(e, failure)
	}
	return failure
}

// markSent notes that a daemon has the bytes.
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
	}) // the next look at the chain writes it down, with the block that has it: until then the journal's "prepared" is as good
	if s.journal != nil && s.journal.Server() != "" {
		s.note() // others may be asked for it
	}
	s.events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
	return now
}

// reject notes that a payment was never sent; false when that is not certain: after
// a second broadcast, of this program or of another that shares the journal, the
// other may have been taken.
// The journal must know before the caller does: otherwise the next run would
// send the bytes of a payment that somebody made again meanwhile.
func (s *sender) reject(ctx context.Context, e *entry, failure *fault.Error) bool {
	alone := false
	now := s.list.update(e, func(e *entry) {
		alone = e.State == Prepared && e.tries == 1
		e.ending = alone
	})
	now.State, now.Reason, now.code = Rejected, failure.Message, failure.Code
	certain := alone && s.one(ctx, &now) == nil
	rejected := s.list.update(e, func(e *entry) {
		if e.ending = false; certain && e.State == Prepared {
			e.State, e.Reason, e.code = now.State, now.Reason, now.code
		}
	}).State == Rejected
	s.events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
	return rejected
}

// leaveOpen notes that nobody knows whether a payment was sent; its bytes are
// sent again. What blocks have shown meanwhile stays.
func (s *sender) leaveOpen(e *entry, why *fault.Error) {
	failure := unanswered(e.ID, why)
	s.list.update(e, func(e *entry) {
		if e.State != Prepared && e.State != Unknown {
			return
		}
		e.State, e.Reason, e.code, e.resend, e.changed = Unknown, failure.Message, failure.Code, true, true
		if e.Sent.IsZero() {
			e.Sent = s.now()
		}
	})
	s.note()
	s.events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
}

// leaveRefused notes that a daemon refused a payment whose bytes it had. They are not
// sent again, and are looked for until they can be in no block.
func (s *sender) leaveRefused(e *entry, why *fault.Error) {
	s.list.update(e, func(e *entry) {
		if e.State != Prepared && e.State != Unknown {
			return
		}
		e.State, e.Reason, e.code, e.resend, e.changed = Unknown, why.Message, why.Code, false, true
		if e.Sent.IsZero() {
			e.Sent = s.now()
		}
	})
	s.note()
	s.events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
}

// errOver means that a payment has its outcome.
var errOver = errors.New("the payment has its outcome already")

// unanswered is the error of a payment that may still happen; why, if not nil, is the
// fault of the latest attempt.
func unanswered(id ledger.TransactionID, why *fault.Error) *fault.Error {
	failure := &fault.Error{
		Code:      fault.OutcomeUnknown,
		Op:        "transfer",
		Hint:      "do not send it again; its id will show whether it happened",
		Unsettled: true,
	}
	switch {
	case why == nil:
		failure.Message = "transaction " + id.String() + " may still happen"
	case why.Code == fault.OutcomeUnknown:
		failure.Message = "transaction " + id.String() + " was sent, but the connection to the daemon broke before it answered"
		failure.Data, failure.Err = why.Data, why
	default:
		failure.Message = "transaction " + id.String() + " may have been sent; the latest attempt: " + why.Message
		failure.Data, failure.Err = why.Data, why
	}
	return failure
}

// neverSent reports whether no byte of a broadcast that failed with err was sent.
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
