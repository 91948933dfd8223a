package walletcore_test

import (
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/sandbox"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
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
