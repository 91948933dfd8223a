package payment

import (
	"context"
	"errors"
	"time"

	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// sharing is what there is beside of a journal that several servers use.
type sharing struct {
	journal   Journal
	elsewhere *elsewhere
}

// shared reports whether other servers use the journal.
func (s sharing) shared() bool { return s.journal != nil && s.journal.Server() != "" }

// foreign reports whether another server follows a payment: its row is what is known of it.
func (s sharing) foreign(e *entry) bool {
	return s.shared() && e.owner != "" && e.owner != s.journal.Server()
}

// settledWithin is how long one waits for another server to say what becomes of a payment; the outcome is not known until then.
const settledWithin = 10 * time.Second

// settled waits a while if another server has a payment written and not sent yet, or not said so; or until ctx ends.
func (s sharing) settled(ctx context.Context, kept store.Entry) (_ store.Entry, err error) {
	ctx, cancel := context.WithTimeout(ctx, settledWithin)
	defer cancel()
	for kept.State == store.Prepared && s.shared() && kept.Owner != s.journal.Server() {
		if kept, err = s.elsewhere.step(ctx, kept); err != nil || ctx.Err() != nil {
			return kept, err
		}
	}
	return kept, nil
}

// storeFault is why nothing is spent: the store that several servers share does not answer, or is held. Nothing of the payment
// was written.
func (s sharing) storeFault() error {
	if !s.shared() {
		return nil
	}
	err := s.journal.Fault()
	if err == nil {
		return nil
	}
	failure := &fault.Error{Code: fault.File, Op: "transfer", Err: err, Message: "the wallet spends nothing: " + err.Error(),
		Hint:       "nothing was written or sent; " + fault.Advice(err, "make the same request again once the store is back"),
		RequestKey: fault.KeySame}
	if _, lost := errors.AsType[*store.LostError](err); lost {
		failure.Journal = true
		failure.Hint = "nothing was sent; billfold store status says how it ends; make the same request again then"
	}
	return failure
}

// heldWhy is why the store is held; "" when it is not.
func (s sharing) heldWhy() string {
	if lost, ok := errors.AsType[*store.LostError](s.journal.Fault()); ok {
		return lost.Why
	}
	return ""
}

// storeAway is storeFault of a store that cannot even be asked what became of a request key.
func (s sharing) storeAway() error {
	if s.shared() && store.IsAway(s.journal.Fault()) {
		return s.storeFault()
	}
	return nil
}

// statusCommand is the command that says what is wrong with the journal, and how to go on.
func (s sharing) statusCommand() string {
	if s.shared() {
		return "billfold store status"
	}
	return "billfold journal status"
}
