package walletcore_test

import (
	"context"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// completedPayment returns a payment by alice that tests sign repeatedly.
func completedPayment(s *testwallet.Wallet) *txbuild.Prepared {
	s.T.Helper()
	made, err := s.Build.Build(s.Ctx, txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer), false)
	must(s.T, err)
	must(s.T, s.Build.Complete(s.Ctx, made, true))
	return made
}

// Equal payments get different expirations within the allowed window: first the usual ones, then later ones up to what
// the clock allows, then earlier ones.
func TestEqualPaymentsStayInTheWindow(t *testing.T) {
	s := testwallet.New(t, func(c *walletcore.Config) { c.OwnClock = false })
	s.Hold("alice")
	made := completedPayment(s)
	head, err := s.View.Chain.Head(s.Ctx)
	must(t, err)
	const ahead = 3 // seconds that this machine's clock is ahead of the head block's time
	s.Build.Now = func() time.Time { return head.Time.Time().Add(ahead * time.Second) }
	first, last := head.Time+txbuild.TransactionLife, head.Time+txbuild.TransactionLife+ahead
	seen := map[ledger.Time]bool{}
	for range ahead + 1 + 15 {
		tx, err := s.Build.Sign(s.Ctx, made)
		must(t, err)
		if seen[tx.Expiration] || tx.Expiration > last || tx.Expiration < first-15 {
			t.Fatalf("it expires at %d, between %d and %d; seen %v", tx.Expiration, first, last, seen[tx.Expiration])
		}
		seen[tx.Expiration] = true
	}
	soon, cancel := context.WithTimeout(s.Ctx, 10*time.Millisecond)
	defer cancel()
	_, err = s.Build.Sign(soon, made)
	faulttest.Refused(t, err, fault.Canceled)
}

// An id is not reused while its transaction may still enter a block, and is forgotten after that.
func TestRecentIDsAreForgottenInTime(t *testing.T) {
	s := testwallet.New(t, nil)
	s.Hold("alice")
	made := completedPayment(s)
	start := time.Unix(1_800_000_000, 0)
	const life = 2 * time.Minute
	seen := map[ledger.TransactionID]bool{}
	sign := func(after time.Duration) (id ledger.TransactionID, again bool) {
		s.Build.Now = func() time.Time { return start.Add(after) }
		tx, err := s.Build.Sign(s.Ctx, made)
		must(t, err)
		again, seen[tx.TransactionID] = seen[tx.TransactionID], true
		return tx.TransactionID, again
	}
	sign(0)
	for n := range 50 {
		if id, again := sign(time.Duration(n) * time.Millisecond); again {
			t.Fatalf("%s was made again at once", id)
		}
	}
	for _, after := range []time.Duration{life - 1, life, 2*life - 1} {
		if id, again := sign(after); again {
			t.Errorf("%s was made again after %v, while it may still count", id, after)
		}
	}
	if id, again := sign(3 * life); !again {
		t.Errorf("%s was made, and the first ids are held for ever", id)
	}
}
