package payment

import (
	"context"
	"errors"
	"time"

	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

// errKnownBefore means that a daemon had a transaction before it was sent for the first time.
var errKnownBefore = errors.New("the daemon had this transaction before it was sent")

// errMadeElsewhere means that another wallet with the same keys made the very same transaction, and that the journal knows it.
var errMadeElsewhere = errors.New("another wallet with the same keys made this transaction")

// makerPatience is the time that a caller waits for the block that shows whose a transaction is: a block, and a missed one.
const makerPatience = 12 * time.Second

// awaitMaker waits until a block shows whose transaction a daemon had before it was sent for the first time. That daemon's
// word alone proves nothing: one that passes the bytes on and calls them a duplicate would have the payment made twice. The
// signatures in a block do (entry.madeBy). Errors: nil if it is this payment; errMadeElsewhere once the journal knows that
// it is not, so that it is signed anew; otherwise an error as for a broadcast without an answer.
func (s *sender) awaitMaker(ctx context.Context, e *entry) error {
	events, stop := s.events.Subscribe(event.Payment)
	defer stop()
	s.list.update(e, func(e *entry) { e.readAgain = true })
	patience := time.NewTimer(makerPatience)
	defer patience.Stop()
	for {
		switch now := s.list.update(e, func(*entry) {}); {
		case now.elsewhere > 0:
			if s.disown(ctx, e) {
				return errMadeElsewhere
			}
			return unknownMaker()
		case now.State != Prepared: // a block holds it, or it expired
			return errOver
		}
		select {
		case <-events:
		case <-patience.C:
			return unknownMaker()
		case <-ctx.Done():
			return unknownMaker()
		}
	}
}

func unknownMaker() error {
	return &fault.Error{Code: fault.OutcomeUnknown, Op: "transfer", Err: errKnownBefore,
		Message: "the daemon had it before it was sent, so perhaps another wallet with the same keys made it; its block will tell"}
}

// disown records that the payment is not this wallet's and frees its request key for the same payment under another id.
// It reports false if that is not certain, because another program that shares the journal may have sent the bytes.
func (s *sender) disown(ctx context.Context, e *entry) bool {
	alone := false
	s.list.update(e, func(e *entry) {
		alone = e.State == Prepared && e.tries <= 1
		e.rejecting = alone
	})
	if alone && s.journal != nil {
		if err := s.journal.Disown(context.WithoutCancel(ctx), e.ID, string(fault.MadeElsewhere), disowned); err != nil {
			s.log.Warn("payments: a transaction of another wallet was not recorded as such", "id", e.ID, "error", err)
			alone = false
		}
	}
	own := s.list.update(e, func(e *entry) {
		if e.rejecting = false; alone && e.State == Prepared {
			e.State, e.Reason, e.code, e.Key, e.requestMark = Rejected, disowned, fault.MadeElsewhere, "", ""
		}
	})
	s.events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
	return own.State == Rejected
}

// disowned is the reason why a transaction is not a payment of this wallet.
const disowned = "another wallet with the same keys made this very transaction at the same time; " +
	"this wallet signed its payment anew, as another transaction"
