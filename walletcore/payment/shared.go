package payment

import (
	"context"
	"errors"
	"time"

	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// sharing is the part of Payments for a journal that several servers use.
type sharing struct {
	journal Journal
	flags   string
	foreign *foreignPayments
}

// shared reports whether other servers use the journal.
func (s sharing) shared() bool { return s.journal != nil && s.journal.Server() != "" }

// isForeign reports whether another server follows a payment; then only its row shows its state.
func (s sharing) isForeign(e *entry) bool {
	return s.shared() && e.owner != "" && e.owner != s.journal.Server()
}

// awaitSentTimeout is the time to wait for another server to record the result of a payment; until then its outcome is unknown.
const awaitSentTimeout = 10 * time.Second

// awaitSent waits while another server has written a payment but not yet recorded that it was sent, until
// awaitSentTimeout has passed or ctx ends. It returns the payment's latest row.
func (s sharing) awaitSent(ctx context.Context, kept store.Entry) (_ store.Entry, err error) {
	ctx, cancel := context.WithTimeout(ctx, awaitSentTimeout)
	defer cancel()
	for kept.State == store.Prepared && s.shared() && kept.Owner != s.journal.Server() {
		if kept, err = s.foreign.awaitRow(ctx, kept); err != nil || ctx.Err() != nil {
			return kept, err
		}
	}
	return kept, nil
}

// storeFault returns why nothing is spent: the store that several servers share does not answer, or the store is held.
// Nothing of the payment was written.
func (s sharing) storeFault() error {
	if s.journal == nil {
		return nil
	}
	err := s.journal.Fault()
	if err == nil {
		return nil
	}
	failure := &fault.Error{Code: fault.File, Op: "transfer", Err: err, Message: "the wallet spends nothing: " + fault.Public(err),
		Hint:       "nothing was written or sent; " + fault.Advice(err, "make the same request again once the store is back"),
		RequestKey: fault.KeySame}
	if _, lost := errors.AsType[*store.LostError](err); lost {
		failure.Journal = true
		failure.Hint = "nothing was sent; " + s.command("status") + " says how it ends; make the same request again then"
	}
	return failure
}

// holdReason returns why the store is held; "" if it is not.
func (s sharing) holdReason() string {
	if s.journal == nil {
		return ""
	}
	if lost, ok := errors.AsType[*store.LostError](s.journal.Fault()); ok {
		return lost.Why
	}
	return ""
}

// storeUnreachable returns storeFault if the store cannot even be asked about a request key.
func (s sharing) storeUnreachable() error {
	if s.shared() && store.IsAway(s.journal.Fault()) {
		return s.storeFault()
	}
	return nil
}

// command returns the command about the journal, or about the store that servers share, with that name: status, found, claim. It has the
// flags with which it finds this wallet.
func (s sharing) command(name string) string { return s.bareCommand(name) + s.flags }

// bareCommand is command without flags, which may name addresses and folders, for those who may not read these.
func (s sharing) bareCommand(name string) string {
	if s.shared() {
		return "billfold store " + name
	}
	return "billfold journal " + name
}
