package build

import (
	"context"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// TransactionLife is the number of seconds after the head block's time at which a
// transaction expires, as in the reference.
const TransactionLife = 30

const (
	shortestLife = 15  // seconds, for identical payments
	maxAhead     = 15  // seconds that a head block may be ahead of this machine's clock
	maxAlike     = 600 // seconds over which identical payments may be spread on a ledger with its own clock
)

// Signed is a signed transaction with its id, in the form in which the reference returns it.
type Signed struct {
	ledger.SignedTransaction
	TransactionID ledger.TransactionID `json:"transaction_id"`

	head     uint32      // number of the head block when it was stamped
	headTime ledger.Time // and its time
}

// Head returns the number of the head block when the transaction was stamped.
func (s *Signed) Head() uint32 { return s.head }

// window is the range of expirations for a transaction that is made now.
type window struct {
	first, bound ledger.Time // the one that is tried first, and the latest that is allowed
}

// window returns the expirations that are signed while the head block's time is head.
// A signed transaction cannot be used for longer than was asked for, whatever time a
// daemon claims it is.
func (f *Factory) window(head ledger.Time) window {
	if f.View.Chain.OwnClock() {
		return window{head + TransactionLife, head + TransactionLife + maxAlike}
	}
	now := ledger.TimeOf(f.Now())
	return window{min(head, now) + TransactionLife, now + TransactionLife}
}

// checkHead refuses a head block from the future.
func (f *Factory) checkHead(head ledger.Time) error {
	now := ledger.TimeOf(f.Now())
	if f.View.Chain.OwnClock() || head <= now+maxAhead {
		return nil
	}
	return &fault.Error{Code: fault.DaemonStale, Op: "sign",
		Message: fmt.Sprintf("the newest block of the daemon at %s has the time %s, but this machine's clock says %s: one of them is wrong",
			fault.Address(f.Daemon.Status().URL), head.Time().Format(time.DateTime), now.Time().Format(time.DateTime)),
		Hint: "nothing was signed; check this machine's clock, or choose another daemon with --daemon-url"}
}

// stamp sets the transaction's reference block, its expiration and its id. It picks an
// expiration that makes the id a new one; if all expirations allowed now are used up,
// it waits for the next second.
func (f *Factory) stamp(ctx context.Context, tx *Signed) error {
	for {
		dyn, err := f.View.Chain.Head(ctx)
		if err != nil {
			return err
		}
		if err := f.checkHead(dyn.Time); err != nil {
			return err
		}
		tx.head, tx.headTime = dyn.HeadBlockNumber, dyn.Time
		tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(dyn.HeadBlockID)
		if made, err := f.reserveStamp(tx, f.window(dyn.Time)); made || err != nil {
			return err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return &fault.Error{Code: fault.Canceled, Op: "sign", Err: ctx.Err(),
				Message: "this same payment was made too often within a few seconds",
				Hint:    "nothing was signed; try again later, or add a memo that distinguishes the payments"}
		}
	}
}

// reserveStamp looks for an expiration whose id is free: the requested one, then later
// ones as far as the window allows, then earlier ones. It reports false if there is none.
func (f *Factory) reserveStamp(tx *Signed, in window) (bool, error) {
	last := in.bound
	if in.bound-in.first > maxAlike { // the head block is old
		last = in.first + maxAlike
	}
	for tx.Expiration = in.first; tx.Expiration <= last; tx.Expiration++ {
		if made, err := f.reserveID(tx); made || err != nil {
			return made, err
		}
	}
	for tx.Expiration = in.first - 1; tx.Expiration >= in.first-TransactionLife+shortestLife; tx.Expiration-- {
		if made, err := f.reserveID(tx); made || err != nil {
			return made, err
		}
	}
	return false, nil
}

// reserveID sets and reserves the transaction's id. It reports false if that id was made before.
func (f *Factory) reserveID(tx *Signed) (made bool, err error) {
	if tx.TransactionID, err = tx.ID(); err != nil {
		return false, unpackable("sign", err)
	}
	return f.recent.reserve(tx.TransactionID, f.Now()), nil
}
