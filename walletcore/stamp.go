package walletcore

import (
	"context"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

const (
	transactionLife = 30  // seconds from the head block's time to the expiration, as the reference
	shortestLife    = 15  // seconds, for payments that are alike
	mostAhead       = 15  // seconds that a head block may be ahead of this machine's clock
	mostAlike       = 600 // seconds that payments that are alike may take on a ledger with a clock of its own
)

// window is when a transaction that is made now may expire.
type window struct {
	first, bound ledger.Time // the expiration of the first of its kind, and the latest of any
}

// window gives the expirations that are signed while the head block is of the time
// head: what is signed cannot be used for longer than was asked for, whatever time
// a daemon says it is.
func (w *Wallet) window(head ledger.Time) window {
	if w.View.Chain.OwnClock() {
		return window{head + transactionLife, head + transactionLife + mostAlike}
	}
	now := ledger.TimeOf(w.now())
	return window{min(head, now) + transactionLife, now + transactionLife}
}

// checkHead refuses a head block that was made in the future.
func (w *Wallet) checkHead(head ledger.Time) error {
	now := ledger.TimeOf(w.now())
	if w.View.Chain.OwnClock() || head <= now+mostAhead {
		return nil
	}
	return &fault.Error{Code: fault.DaemonStale, Op: "sign",
		Message: fmt.Sprintf("the newest block of the daemon at %s is of %s, but this machine's clock says %s: one of them is wrong",
			fault.Address(w.daemon.Status().URL), head.Time().Format(time.DateTime), now.Time().Format(time.DateTime)),
		Hint: "nothing was signed; check this machine's clock, or choose another daemon with --daemon-url"}
}

// stamp gives the transaction its reference block, an expiration that makes its
// id one that was not made before, and that id. When all ids that may be made now
// are, it waits for the next second.
func (w *Wallet) stamp(ctx context.Context, info *SignedInfo) error {
	for {
		dyn, err := w.View.Chain.Head(ctx)
		if err != nil {
			return err
		}
		if err := w.checkHead(dyn.Time); err != nil {
			return err
		}
		info.head, info.headTime = dyn.HeadBlockNumber, dyn.Time
		info.RefBlockNum, info.RefBlockPrefix = ledger.BlockRef(dyn.HeadBlockID)
		if made, err := w.takeStamp(info, w.window(dyn.Time)); made || err != nil {
			return err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return &fault.Error{Code: fault.Canceled, Op: "sign", Err: ctx.Err(),
				Message: "this very payment was made so often within seconds that the time for another one ran out",
				Hint:    "nothing was signed; try again, or tell the payments apart by a memo"}
		}
	}
}

// takeStamp looks for a free id: as long as is asked for, then longer as far as
// the window allows, then shorter. It is false when there is none.
func (w *Wallet) takeStamp(info *SignedInfo, in window) (bool, error) {
	last := in.bound
	if in.bound-in.first > mostAlike { // a head block of long ago
		last = in.first + mostAlike
	}
	for info.Expiration = in.first; info.Expiration <= last; info.Expiration++ {
		if made, err := w.takeID(info); made || err != nil {
			return made, err
		}
	}
	for info.Expiration = in.first - 1; info.Expiration >= in.first-transactionLife+shortestLife; info.Expiration-- {
		if made, err := w.takeID(info); made || err != nil {
			return made, err
		}
	}
	return false, nil
}

// takeID gives the transaction its id; false when that was made before.
func (w *Wallet) takeID(info *SignedInfo) (made bool, err error) {
	if info.TransactionID, err = info.ID(); err != nil {
		return false, &fault.Error{Code: fault.UnsupportedOperation, Op: "sign", Message: err.Error(), Err: err}
	}
	return w.recent.take(info.TransactionID, w.now()), nil
}
