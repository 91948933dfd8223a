package walletcore_test

import (
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
)

// A daemon that is stale, frozen or missing is reported within two seconds, by info
// and by what /readyz checks.
func TestDaemonFaultsAreReportedSoon(t *testing.T) {
	inBubble(t, sandbox.Options{}, daemonclient.Config{ProbeInterval: 10 * time.Millisecond, OwnClock: true}, wrongIsToldSoon)
}

func wrongIsToldSoon(s *testwallet.Wallet) {
	t, box := s.T, s.Box
	t.Helper()
	testwallet.Run(t, s.Run)
	if info, err := s.View.Chain.Info(s.Ctx); err != nil || info.NotReady != nil || s.View.Chain.NotReady() != "" {
		t.Fatalf("%+v, %v, %q", info, err, s.View.Chain.NotReady())
	}
	testwallet.Must(t, box.SetBlockTime(time.Hour)) // from now on the age of its head matters
	within2s(s, "stale", func() bool { return strings.Contains(s.View.Chain.NotReady(), "is stale: its newest block, #") })
	if info, err := s.View.Chain.Info(s.Ctx); err != nil || info.NotReady == nil ||
		*info.NotReady != s.View.Chain.NotReady() {
		t.Errorf("%+v, %v", info, err)
	}
	box.Delay(time.Minute)
	s.View.Chain.Forget()
	begun := time.Now()
	_, err := s.View.Chain.Info(s.Ctx)
	e := faulttest.Refused(t, err, fault.DaemonAway)
	if !strings.Contains(e.Message, "does not answer") || time.Since(begun) > 2*time.Second {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
	within2s(s, "frozen", func() bool { return strings.Contains(s.View.Chain.NotReady(), "does not answer") })
	if _, err := s.View.Chain.Info(s.Ctx); err == nil {
		t.Error("a frozen daemon answered")
	}
}

func within2s(s *testwallet.Wallet, what string, is func() bool) {
	s.T.Helper()
	begun := time.Now()
	for !is() {
		if time.Since(begun) > 2*time.Second {
			s.T.Fatalf("%s: it says %q", what, s.View.Chain.NotReady())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// While the ledger stands still, a wallet is ready for as long as what it signs has some seconds left by the clock, and not any longer: then
// nothing is signed either.
func TestWhatIsSignedWhileReadyIsNotExpired(t *testing.T) {
	config := daemonclient.Config{ProbeInterval: 100 * time.Millisecond}
	inBubbleWith(t, sandbox.Options{BlockTime: time.Hour}, config, func(*walletcore.Config) {}, func(s *testwallet.Wallet) {
		s.T.Helper()
		testwallet.Run(s.T, s.Run)
		s.Hold("alice")
		s.Mine()
		s.Until("a ready wallet", func() bool { return s.View.Chain.NotReady() == "" })
		signed, refused := 0, 0
		for begun := time.Now(); time.Since(begun) < 40*time.Second; time.Sleep(time.Second) {
			ready := s.View.Chain.NotReady() == ""
			tx, err := s.Transfer(testwallet.OneDCT(), payment.Sending{})
			switch {
			case ready && err == nil:
				if left := time.Until(tx.Expiration.Time()); left < 4*time.Second {
					s.T.Errorf("%v after the last block a wallet that is ready signs what has %v left", time.Since(begun), left)
				}
				signed++
			case ready:
				s.T.Errorf("%v after the last block a wallet that is ready refuses: %v", time.Since(begun), err)
			default:
				faulttest.Refused(s.T, err, fault.DaemonStale)
				refused++
			}
		}
		if signed < 20 || refused < 10 {
			s.T.Errorf("%d were signed, %d refused", signed, refused)
		}
	})
}
