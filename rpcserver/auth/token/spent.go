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

// Sums keeps the sums that tokens have spent.
type Sums interface {
	// Spent returns the sum of the last 24 hours that s would be added to, and whether s is
	// already in it under its request key.
	Spent(ctx context.Context, s store.Spend, at time.Time) (sum int64, known bool, err error)

	// Reserve counts r together with the payment of unit, or at once if unit is nil.
	Reserve(ctx context.Context, unit *store.CallBatch, r *store.Reservation) error

	// Release takes back what was counted. Confirm counts again what was taken back.
	Release(ctx context.Context, s store.Spend) error
	Confirm(ctx context.Context, s store.Spend, at time.Time) error
}

// Spent enforces the daily limits of tokens. It may be used by many goroutines, and several
// programs may share its sums.
type Spent struct {
	sums Sums
	now  func() time.Time

	mu      sync.Mutex
	pending map[*heldPayment]struct{} // payments that are counted here and not in the sums yet
}

// NewSpent returns a Spent that keeps its sums in sums and counts days by now, the ledger's time: this machine's clock can be set.
func NewSpent(sums Sums, now func() time.Time) *Spent {
	return &Spent{sums: sums, now: now, pending: map[*heldPayment]struct{}{}}
}

// heldPayment is a payment that counts against a limit.
type heldPayment struct {
	spent *Spent
	*store.Reservation

	// guarded by spent.mu
	fresh bool // it was counted for this call, not for an earlier one under its key
	known bool // fresh is valid
}

// While a payment is in the sums and still under way it counts twice, so another one may seem to exceed the limit.
// That is checked again, fitTries times.
const (
	fitTries = 10
	fitPause = 2 * time.Millisecond
)

// reserve counts a payment before it is made. It fails with errOverLimit if the asset's
// sum of the last 24 hours would exceed limit. The count is written together with the
// payment of unit, or before reserve returns if unit is nil.
func (s *Spent) reserve(ctx context.Context, unit *store.CallBatch, p store.Spend, limit int64) (*heldPayment, error) {
	h := &heldPayment{spent: s}
	h.Reservation = &store.Reservation{Spend: p, Limit: limit, At: s.now(), Kept: h.onKept, Over: errOverLimit}
	if unit != nil { // the error of the payment, if another program that shares the sums was faster
		h.Over = limitSpentError()
	}
	for tries := 1; ; tries++ {
		fits, others, err := s.addPending(ctx, h)
		if err != nil {
			return nil, err
		}
		if fits {
			break
		}
		if !others || tries == fitTries {
			return nil, errOverLimit
		}
		time.Sleep(fitPause)
	}
	if err := s.sums.Reserve(ctx, unit, h.Reservation); err != nil {
		s.removePending(h)
		return nil, err
	}
	return h, nil
}

// addPending adds h to the payments under way if it fits the limit. others reports whether any other payment counts against it.
func (s *Spent) addPending(ctx context.Context, h *heldPayment) (fits, others bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum, inSums, err := s.sums.Spent(ctx, h.Spend, h.At)
	if err != nil {
		return false, false, err
	}
	known := false
	counted := map[string]bool{}
	for o := range s.pending {
		if o.Token != h.Token || o.Asset != h.Asset {
			continue
		}
		others = true
		if o.Key != "" && o.Key == h.Key && o.Amount == h.Amount {
			known = true
		}
		if o.Key == "" || !counted[o.Key] {
			sum += o.Amount // cannot overflow, since each fitted its limit
		}
		counted[o.Key] = true
	}
	if fits = inSums || known || h.Amount <= h.Limit && sum <= h.Limit-h.Amount; fits && !inSums {
		s.pending[h] = struct{}{}
	}
	return fits, others, nil
}

func (s *Spent) removePending(h *heldPayment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pending, h)
}

// onKept is called once a payment is in the sums. Requests under its key that wait meanwhile repeat it, whichever token they have. Should one pay
// after all, because this payment is given up, the store compares it with its limit when it is written.
func (h *heldPayment) onKept(counted bool) {
	h.spent.mu.Lock()
	defer h.spent.mu.Unlock()
	h.fresh, h.known = counted, true
	for o := range h.spent.pending {
		if o == h || h.Key != "" && o.Key == h.Key {
			delete(h.spent.pending, o)
		}
	}
}

// recordOutcome corrects the count when the call has ended. If the sums cannot be written,
// the payment stays counted, which errs on the safe side.
func (h *heldPayment) recordOutcome(ctx context.Context, err error) {
	s := h.spent
	s.removePending(h)
	s.mu.Lock()
	fresh, known := h.fresh, h.known
	s.mu.Unlock()
	ctx = context.WithoutCancel(ctx)
	spares := err != nil && certainlyUnpaid(err)
	switch {
	case fresh && spares:
		_ = s.sums.Release(ctx, h.Spend)
	case fresh || spares:
	case known || err == nil && h.Key == "": // otherwise it repeated another one, or its commit is under way and decides about the count and the payment together
		_ = s.sums.Confirm(ctx, h.Spend, s.now())
	}
}

// drop takes back the count of a payment that is not made, or that does not fit another limit.
func (h *heldPayment) drop(ctx context.Context) {
	h.Cancel()
	h.recordOutcome(ctx, denied("", ""))
}

// countsFoundPayments reports whether payments of an asset count that were found after a loss of data. Any token may have made them.
func (s *Spent) countsFoundPayments(ctx context.Context, asset ledger.AssetID) bool {
	sum, _, err := s.sums.Spent(ctx, store.Spend{Token: store.EveryToken, Asset: asset}, s.now())
	return err == nil && sum > 0
}

// sumsError returns the error for sums that cannot be written, so that nothing may be spent.
func sumsError(err error) error {
	return fmt.Errorf("what tokens spent cannot be recorded: %w; nothing was sent", err)
}

// isOver reports whether err is errOverLimit, and not an error of the sums.
func isOver(err error) bool { return errors.Is(err, errOverLimit) }

// limitSpentError returns the denial for a payment that fitted the limit until another program, which shares the sums, spent the rest.
func limitSpentError() error {
	no := &rpcserver.Denied{Message: "Another payment of this token used up what it may pay within 24 hours, or pay without asking.",
		Hint: "ask again, or wait, or use another token"}
	return &fault.Error{Code: fault.Denied, Message: no.Message, Hint: no.Hint + "; nothing was sent", Err: no}
}

// Used returns what part of each limit per day a token has paid within 24 hours, by the asset as the limit names it. A limit for an asset that
// is not known now is left out.
func (a *Authenticator) Used(ctx context.Context, t Token) (map[string]float64, error) {
	used := make(map[string]float64, len(t.Scope.PerDay))
	for _, l := range t.Scope.PerDay {
		asset, err := a.ledger.Assets.Get(ctx, l.Asset)
		if err != nil {
			continue
		}
		most, _, err := limitOf([]Limit{l}, asset)
		if err != nil {
			continue
		}
		sum, _, err := a.spent.sums.Spent(ctx, store.Spend{Token: t.ID, Asset: asset.ID}, a.spent.now())
		if err != nil {
			return nil, sumsError(err)
		}
		used[l.Asset] = 1 // of nothing
		if most > 0 {
			used[l.Asset] = float64(sum) / float64(most)
		}
	}
	return used, nil
}
