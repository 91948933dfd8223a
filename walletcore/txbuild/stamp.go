package txbuild

import (
	"context"
	"fmt"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// TransactionLife is the number of seconds after the head block's time within which a
// transaction expires, as in the reference.
const TransactionLife = 30

// LongestLife is the number of seconds after which everything that was signed for sending has expired, by the later one of the head
// block's time and this machine's. On a ledger with a clock of its own, a payment made again and again may have some minutes more.
const LongestLife = TransactionLife + spreadLife

const (
	spreadLife   = 4   // seconds by which expirations are earlier or later than usual, at random
	shortestLife = 15  // seconds, for identical payments
	maxAhead     = 15  // seconds that a head block may be ahead of this machine's clock
	leastLeft    = 5   // seconds that are left by this machine's clock to what is signed, so that a block takes it
	maxAlike     = 600 // seconds over which identical payments may be spread on a ledger with its own clock
)

// Signed is a signed transaction with its id, in the form in which the reference returns it.
type Signed struct {
	ledger.SignedTransaction
	TransactionID ledger.TransactionID `json:"transaction_id"`

	refBlock uint32      // number of the block that it refers to
	headTime ledger.Time // time of the head block when it was stamped
}

// RefBlock returns the number of the block that the transaction refers to: it cannot be in that or an earlier one.
func (s *Signed) RefBlock() uint32 { return s.refBlock }

// window is the range of expirations for a transaction that is made now.
type window struct {
	least, first, bound ledger.Time // the earliest that is allowed, the usual one, and the latest that is allowed
}

// window returns the expirations that are signed while the head block's time is head.
// A signed transaction cannot be used for longer than was asked for, whatever time a
// daemon claims it is.
func (f *Factory) window(head ledger.Time) window {
	if f.View.Chain.OwnClock() {
		return window{head + shortestLife, head + TransactionLife, head + TransactionLife + maxAlike}
	}
	now := ledger.TimeOf(f.Now())
	first := min(head, now) + TransactionLife
	return window{max(first-TransactionLife+shortestLife, now+leastLeft), first, now + TransactionLife}
}

// checkHead refuses a head block from the future, and whatever a wallet is not ready to pay on: what is signed on an old head has expired
// before a block takes it, whether the ledger stands still or the daemon does not know the newest blocks.
func (f *Factory) checkHead(head ledger.Time) error {
	if err := f.View.Chain.CheckSynced("sign"); err != nil {
		return err
	}
	now := ledger.TimeOf(f.Now())
	if f.View.Chain.OwnClock() || head <= now+maxAhead {
		return nil
	}
	return &fault.Error{Code: fault.DaemonStale, Op: "sign",
		Message: fmt.Sprintf("the newest block of the daemon at %s has the time %s, but this machine's clock says %s: one of them is wrong",
			fault.Address(f.Daemon.Status().URL), head.Time().Format(time.DateTime), now.Time().Format(time.DateTime)),
		Hint: "nothing was signed; check this machine's clock, or choose another daemon with --daemon-url"}
}

// stamp sets the transaction's reference block, its expiration and its id. Another wallet
// with the same keys may be making the same payment, and the ledger takes an id only once:
// the expiration, the only field without a meaning of its own, is random within bounds. It
// makes the id one that this wallet has not made; if all that are allowed now are used up,
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
		tx.refBlock, tx.headTime = dyn.HeadBlockNumber, dyn.Time
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

// reserveStamp looks for an expiration whose id is free: one close to the usual one,
// beginning with a random one, then later ones as far as the window allows, then earlier
// ones. It reports false if there is none.
func (f *Factory) reserveStamp(tx *Signed, in window) (bool, error) {
	later := min(in.bound-in.first, spreadLife)
	close := uint32(later) + spreadLife + 1
	begin := f.Draw(close)
	for i := range close {
		if k := ledger.Time((begin + i) % close); k <= later {
			tx.Expiration = in.first + k
		} else {
			tx.Expiration = in.first - (k - later)
		}
		if tx.Expiration < in.least {
			continue
		}
		if made, err := f.reserveID(tx); made || err != nil {
			return made, err
		}
	}
	for tx.Expiration = max(in.first+later+1, in.least); tx.Expiration <= in.bound; tx.Expiration++ {
		if made, err := f.reserveID(tx); made || err != nil {
			return made, err
		}
	}
	for tx.Expiration = in.first - spreadLife - 1; tx.Expiration >= in.least; tx.Expiration-- {
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

// recentLife is the time for which an id must not be used again.
const recentLife = 2 * time.Minute

// recentIDs holds the ids of recent transactions: an operation that is requested
// twice on purpose must not make the same transaction. It keeps two generations of
// them, so that dropping old ones is cheap.
type recentIDs struct {
	mu         sync.Mutex
	young, old map[ledger.TransactionID]struct{}
	since      time.Time // when young began
}

// reserve records id. It reports false if the id was used recently.
func (r *recentIDs) reserve(id ledger.TransactionID, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.since) >= recentLife {
		r.young, r.old, r.since = map[ledger.TransactionID]struct{}{}, r.young, now
	}
	if _, made := r.young[id]; made {
		return false
	}
	if _, made := r.old[id]; made {
		return false
	}
	r.young[id] = struct{}{}
	return true
}
