package walletcore

import (
	"strings"
	"testing"
	"time"

	"billfold/sandbox"
	"billfold/walletcore/fault"
)

// A daemon that is stale, frozen or missing is said to be so within two seconds, by
// info and by what /readyz asks.
func TestWhatIsWrongWithTheDaemonIsToldSoon(t *testing.T) {
	t.Parallel() // it waits
	box := ledgerOf(t, sandbox.Options{})
	s := watched(t, box)
	if info, err := s.wallet.View.Chain.Info(s.ctx); err != nil || info.NotReady != nil || s.wallet.View.Chain.NotReady() != "" {
		t.Fatalf("%+v, %v, %q", info, err, s.wallet.View.Chain.NotReady())
	}
	must(t, box.SetBlockTime(time.Hour)) // from now on the age of its head counts
	s.within2s("stale", func() bool { return strings.Contains(s.wallet.View.Chain.NotReady(), "is stale: its newest block, #") })
	if info, err := s.wallet.View.Chain.Info(s.ctx); err != nil || info.NotReady == nil ||
		*info.NotReady != s.wallet.View.Chain.NotReady() {
		t.Errorf("%+v, %v", info, err)
	}
	box.Delay(time.Minute)
	s.wallet.View.Chain.Forget()
	begun := time.Now()
	_, err := s.wallet.View.Chain.Info(s.ctx)
	if e := refused(t, err, fault.DaemonAway); !strings.Contains(e.Message, "does not answer") || time.Since(begun) > 2*time.Second {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
	s.within2s("frozen", func() bool { return strings.Contains(s.wallet.View.Chain.NotReady(), "does not answer") })
	if _, err := s.wallet.View.Chain.Info(s.ctx); err == nil {
		t.Error("a frozen daemon answered")
	}
}

func (s *stage) within2s(what string, is func() bool) {
	s.t.Helper()
	begun := time.Now()
	for !is() {
		if time.Since(begun) > 2*time.Second {
			s.t.Fatalf("%s: it says %q", what, s.wallet.View.Chain.NotReady())
		}
		time.Sleep(5 * time.Millisecond)
	}
}
