package build

import (
	"context"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// TransactionLife is how many seconds after the head block's time a transaction
// expires, as in the reference.
const TransactionLife = 30

const (
	shortestLife = 15  // seconds, for payments that are alike
	mostAhead    = 15  // seconds that a head block may be ahead of this machine's clock
	mostAlike    = 600 // seconds that payments that are alike may take on a ledger with a clock of its own
)

// Signed is a signed transaction with its id, as the reference answers it.
type Signed struct {
	ledger.SignedTransaction
	TransactionID ledger.TransactionID `json:"transaction_id"`

	head     uint32      // number of the head block when it was stamped
	headTime ledger.Time // and its time
}

// Head returns the number of the head block when the transaction was stamped.
func (s *Signed) Head() uint32 { return s.head }

// window is when a transaction that is made now may expire.
type window struct {
	first, bound ledger.Time // the expiration of the first of its kind, and the latest of any
}

// window returns the expirations that are signed while the head block is of the time
// head: what is signed cannot be used for longer than was asked for, whatever time
// a daemon says it is.
func (f *Factory) window(head ledger.Time) window {
	if f.View.Chain.OwnClock() {
		return window{head + TransactionLife, head + TransactionLife + mostAlike}
	}
	now := ledger.TimeOf(f.Now())
	return window{min(head, now) + TransactionLife, now + TransactionLife}
}

// checkHead refuses a head block that was made in the future.
func (f *Factory) checkHead(head ledger.Time) error {
	now := ledger.TimeOf(f.Now())
	if f.View.Chain.OwnClock() || head <= now+mostAhead {
		return nil
	}
	return &fault.Error{Code: fault.DaemonStale, Op: "sign",
		Message: fmt.Sprintf("the newest block of the daemon at %s has the time %s, but this machine's clock says %s: one of them is wrong",
			fault.Address(f.Daemon.Status().URL), head.Time().Format(time.DateTime), now.Time().Format(time.DateTime)),
		Hint: "nothing was signed; check this machine's clock, or choose another daemon with --daemon-url"}
}

// stamp sets the transaction's reference block, an expiration that makes its
// id one that was not made before, and that id. When all ids that may be made now
// are, it waits for the next second.
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
		if made, err := f.takeStamp(tx, f.window(dyn.Time)); made || err != nil {
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

// takeStamp looks for a free id: as long as is asked for, then longer as far as
// the window allows, then shorter. It is false when there is none.
func (f *Factory) takeStamp(tx *Signed, in window) (bool, error) {
	last := in.bound
	if in.bound-in.first > mostAlike { // a head block of long ago
		last = in.first + mostAlike
	}
	for tx.Expiration = in.first; tx.Expiration <= last; tx.Expiration++ {
		if made, err := f.takeID(tx); made || err != nil {
			return made, err
		}
	}
	for tx.Expiration = in.first - 1; tx.Expiration >= in.first-TransactionLife+shortestLife; tx.Expiration-- {
		if made, err := f.takeID(tx); made || err != nil {
			return made, err
		}
	}
	return false, nil
}

// takeID reserves the transaction's id; false when it was made before.
func (f *Factory) takeID(tx *Signed) (made bool, err error) {
	if tx.TransactionID, err = tx.ID(); err != nil {
		return false, unpackable("sign", err)
	}
	return f.recent.take(tx.TransactionID, f.Now()), nil
}
