package walletcore_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// watched returns a wallet with a journal that checks the age of its daemon's head.
func watched(t *testing.T, box *sandbox.Sandbox) *testwallet.Wallet {
	t.Helper()
	book, err := sqlite.Open(filepath.Join(testwallet.Folder(t), "payments.db"))
	testwallet.Must(t, err)
	t.Cleanup(func() { testwallet.Must(t, book.Close()) })
	client := daemonclient.New(daemonclient.Config{URLs: []string{box.URL()}, ProbeInterval: 10 * time.Millisecond, OwnClock: true})
	testwallet.Run(t, client.Run)
	s := testwallet.On(t, box, box.URL(), func(c *walletcore.Config) { c.Daemon, c.Store = client, book })
	s.Hold("alice")
	return s
}

// A daemon that is behind gets no payment. The error names the reason, and the request
// key can still be used once the daemon has caught up.
func TestStaleDaemonGetsNoPayment(t *testing.T) {
	s := watched(t, testwallet.Ledger(t, sandbox.Options{BlockTime: time.Hour})) // its first block is days old
	if now := s.Status(); !now.Stale || now.OwnClock || now.Daemon != walletcore.DaemonOnline {
		t.Errorf("the status is %+v", now)
	}
	req, how := txbuild.TransferParams{
		From: "alice", To: "bobby", Amount: "1", Asset: "DCT",
	}, payment.Sending{
		Broadcast: true,
		Key:       "order 77",
	}
	_, err := s.Transfer(req, how)
	e := faulttest.Refused(t, err, fault.DaemonStale)
	if !strings.Contains(e.Message, s.Box.URL()+" is ") || !strings.Contains(e.Message, " days behind: its newest block is #") ||
		!strings.Contains(e.Hint, "--daemon-url") {
		t.Errorf("it is told as %q (%q)", e.Message, e.Hint)
	}
	draft, err := s.Payments.Prepare(s.Ctx, txbuild.NewRequest("transfer", req, txbuild.Transfer))
	testwallet.Must(t, err)
	_, err = s.Payments.Send(s.Ctx, draft)
	faulttest.Refused(t, err, fault.DaemonStale)
	_, err = s.Transfer(req, payment.Sending{}) // whoever holds a signed transaction can send it
	faulttest.Refused(t, err, fault.DaemonStale)
	if list, err := s.Payments.List(s.Ctx, 10); err != nil || len(list) != 0 {
		t.Errorf("written down were %+v, %v", list, err)
	}
	s.Mine()
	s.Until("the end of it", func() bool { return !s.Status().Stale })
	_, err = s.Transfer(req, how)
	testwallet.Must(t, err)
}

// A ledger that produces blocks only on demand is not behind, however long it produces
// none.
func TestLedgerOnDemandIsNeverStale(t *testing.T) {
	s := watched(t, testwallet.Ledger(t, sandbox.Options{}))
	if now := s.Status(); now.Stale || !now.OwnClock || time.Since(now.HeadTime.Time()) < 24*time.Hour {
		t.Errorf("the status is %+v", now)
	}
	s.Pay("alice", "bobby", "1", "")
	s.Mine()
	testwallet.Must(t, s.Box.SetBlockTime(time.Hour))
	s.Until("a clock of this world", func() bool { return !s.Status().OwnClock })
}
