package token

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// errOverLimit means that a payment would exceed the daily limit.
var errOverLimit = errors.New("over the limit")

// Sums is where it is kept what was spent.
type Sums interface {
	// Spent reads the sum of the last 24 hours that s would be added to, and whether s, under its
	// request key, is in it.
	Spent(ctx context.Context, s store.Spend, at time.Time) (sum int64, known bool, err error)

	// Reserve counts r together with the payment of unit, or at once where unit is nil.
	Reserve(ctx context.Context, unit *store.Unit, r *store.Reservation) error

	// Release takes back what was counted; Confirm counts once more what somebody took back.
	Release(ctx context.Context, s store.Spend) error
	Confirm(ctx context.Context, s store.Spend, at time.Time) error
}

// Spent holds payments to what tokens with a daily limit may spend. It may be used by many goroutines,
// and several programs may share its sums.
type Spent struct {
	sums Sums
	now  func() time.Time

	mu       sync.Mutex
	underWay map[*held]struct{} // payments that are counted here, and not among the sums yet
}

// NewSpent keeps what was spent in sums.
func NewSpent(sums Sums) *Spent {
	return &Spent{sums: sums, now: time.Now, underWay: map[*held]struct{}{}}
}

// held is a payment that counts.
type held struct {
	spent *Spent
	*store.Reservation

	// under the lock of spent
	fresh bool // it was counted with this call, not with an earlier one under its key
	known bool // it is known which
}

// Two payments at once may both look as if they were too much, while one of them is among the sums and still
// under way: that is checked again.
const (
	lookTries = 10
	lookPause = 2 * time.Millisecond
)

// reserve counts a payment before it is made, unless the asset's sum of the last 24
// hours would exceed limit: errOverLimit. It is on disk together with the payment of unit, or on return
// where unit is nil.
func (s *Spent) reserve(ctx context.Context, unit *store.Unit, p store.Spend, limit int64) (*held, error) {
	h := &held{spent: s}
	h.Reservation = &store.Reservation{Spend: p, Limit: limit, At: s.now(), Kept: h.kept, Over: errOverLimit}
	if unit != nil { // another program that shares the sums was faster: it is told to the caller of the payment
		h.Over = overMeanwhile()
	}
	for tries := 1; ; tries++ {
		fits, others, err := s.enter(ctx, h)
		if err != nil {
			return nil, err
		}
		if fits {
			break
		}
		if !others || tries == lookTries {
			return nil, errOverLimit
		}
		time.Sleep(lookPause)
	}
	if err := s.sums.Reserve(ctx, unit, h.Reservation); err != nil {
		s.leave(h)
		return nil, err
	}
	return h, nil
}

// enter adds h to what is under way if it fits; others tells whether something else is.
func (s *Spent) enter(ctx context.Context, h *held) (fits, others bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum, known, err := s.sums.Spent(ctx, h.Spend, h.At)
	if err != nil {
		return false, false, err
	}
	counted := map[string]bool{}
	for o := range s.underWay {
		if o.Token != h.Token || o.Asset != h.Asset {
			continue
		}
		others = true
		if o.Key != "" && o.Key == h.Key && o.Amount == h.Amount {
			known = true
		}
		if o.Key == "" || !counted[o.Key] {
			sum += o.Amount // below what the limits allow, so it does not run over
		}
		counted[o.Key] = true
	}
	if fits = known || h.Amount <= h.Limit && sum <= h.Limit-h.Amount; fits {
		s.underWay[h] = struct{}{}
	}
	return fits, others, nil
}

func (s *Spent) leave(h *held) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.underWay, h)
}

// kept is called once a payment is among the sums.
func (h *held) kept(counted bool) {
	h.spent.mu.Lock()
	defer h.spent.mu.Unlock()
	h.fresh, h.known = counted, true
	delete(h.spent.underWay, h)
}

// recordOutcome corrects the count when the call has ended. If the sums cannot be written now, the
// payment stays counted, which errs on the safe side.
func (h *held) recordOutcome(ctx context.Context, err error) {
	s := h.spent
	s.leave(h)
	s.mu.Lock()
	fresh, known := h.fresh, h.known
	s.mu.Unlock()
	ctx = context.WithoutCancel(ctx)
	spares := err != nil && spared(err)
	switch {
	case fresh && spares:
		_ = s.sums.Release(ctx, h.Spend)
	case fresh || spares:
	case known || err == nil: // else its commit is under way or was not made, and counts it or not with the payment, within the limit
		_ = s.sums.Confirm(ctx, h.Spend, s.now())
	}
}

// drop takes back what was counted for a payment that is not made, or not counted like that.
func (h *held) drop(ctx context.Context) {
	h.Cancel()
	h.recordOutcome(ctx, denied("", ""))
}

// countsFound reports whether payments of an asset count that were found after a loss, and that any token may have made.
func (s *Spent) countsFound(ctx context.Context, asset ledger.AssetID) bool {
	sum, _, err := s.sums.Spent(ctx, store.Spend{Token: store.EveryToken, Asset: asset}, s.now())
	return err == nil && sum > 0
}

// fileFault reports that sums cannot be kept, so nothing may be spent.
func fileFault(err error) error {
	return fmt.Errorf("what tokens spent cannot be recorded: %w; nothing was sent", err)
}

// isOver distinguishes errOverLimit from a fault of the file.
func isOver(err error) bool { return errors.Is(err, errOverLimit) }

// overMeanwhile is overDay when another program that shares the wallet spent the rest while the payment was made.
func overMeanwhile() error {
	no := &rpcserver.Denied{Message: "Another payment of this token used up what it may pay within 24 hours, or pay without asking.",
		Hint: "ask again, or wait, or use another token"}
	return &fault.Error{Code: fault.Denied, Message: no.Message, Hint: no.Hint + "; nothing was sent", Err: no}
}
