package walletcore

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/sandbox"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
)

// watched is a wallet whose daemon's head is looked at, and which has a journal.
func watched(t *testing.T, box *sandbox.Sandbox) *stage {
	t.Helper()
	book, err := sqlite.Open(filepath.Join(t.TempDir(), "payments.db"))
	must(t, err)
	t.Cleanup(func() { must(t, book.Close()) })
	client := daemonclient.New(daemonclient.Config{URLs: []string{box.URL()}, ProbeInterval: 10 * time.Millisecond, OwnClock: true})
	run(t, client.Run)
	s := connect(t, filepath.Join(t.TempDir(), "wallet.keys"), box.URL(), func(c *Config) { c.Daemon, c.Store = client, book })
	s.client, s.box = client, box
	must(t, client.WaitOnline(s.ctx))
	must(t, s.wallet.Vault.Create(s.ctx, password))
	s.importKey("alice", keyOf("alice"))
	return s
}

// A daemon that is behind gets no payment, in words of its own, and the request
// key is still good when it has caught up.
func TestAStaleDaemonGetsNoPayment(t *testing.T) {
	s := watched(t, ledgerOf(t, sandbox.Options{BlockTime: time.Hour})) // its first block is days old
	if now := s.wallet.Status(); !now.Stale || now.OwnClock || now.Daemon != DaemonOnline {
		t.Errorf("the status is %+v", now)
	}
	req, how := build.TransferParams{
		From: "alice", To: "bobby", Amount: "1", Asset: "DCT",
	}, payment.Sending{
		Broadcast: true,
		Key:       "order 77",
	}
	_, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", req, build.Transfer), how)
	e := refused(t, err, fault.DaemonStale)
	if !strings.Contains(e.Message, s.box.URL()+" is ") || !strings.Contains(e.Message, " days behind: its newest block is #") ||
		!strings.Contains(e.Hint, "--daemon-url") {
		t.Errorf("it is told as %q (%q)", e.Message, e.Hint)
	}
	draft, err := s.wallet.Payments.Prepare(s.ctx, build.NewRequest("transfer", req, build.Transfer))
	must(t, err)
	_, err = s.wallet.Payments.Send(s.ctx, draft)
	refused(t, err, fault.DaemonStale)
	if _, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", req, build.Transfer), payment.Sending{}); err != nil {
		t.Errorf("what is not sent is not signed: %v", err)
	}
	if list, err := s.wallet.Payments.List(s.ctx, 10); err != nil || len(list) != 0 {
		t.Errorf("written down were %+v, %v", list, err)
	}
	s.mine()
	s.until("the end of it", func() bool { return !s.wallet.Status().Stale })
	_, err = s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", req, build.Transfer), how)
	must(t, err)
}

// A ledger whose blocks are made when asked for is not behind, however long
// nobody asked.
func TestALedgerOnDemandIsNeverStale(t *testing.T) {
	s := watched(t, ledgerOf(t, sandbox.Options{}))
	if now := s.wallet.Status(); now.Stale || !now.OwnClock || time.Since(now.HeadTime.Time()) < 24*time.Hour {
		t.Errorf("the status is %+v", now)
	}
	s.pay("alice", "bobby", "1", "")
	s.mine()
	must(t, s.box.SetBlockTime(time.Hour))
	s.until("a clock of this world", func() bool { return !s.wallet.Status().OwnClock })
}

func TestRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{
		61 * time.Second: "61 seconds", 119 * time.Second: "119 seconds", 2 * time.Minute: "2 minutes", 119 * time.Minute: "119 minutes",
		2 * time.Hour: "2 hours", 47 * time.Hour: "47 hours", 48 * time.Hour: "2 days", 3000 * time.Hour: "125 days",
	} {
		if got := fault.Roughly(d); got != want {
			t.Errorf("%v is %q", d, got)
		}
	}
}

// A head in the future is reported as such, not as one that is behind.
func TestADaemonOfTheFutureIsToldAsSuch(t *testing.T) {
	stale := &daemonclient.StaleError{URL: "ws://node:1", Age: -3 * time.Hour}
	e := fault.Daemon("transfer", &daemonclient.UnavailableError{URL: stale.URL, Err: stale})
	if e.Code != fault.DaemonStale || !strings.Contains(e.Message, "ws://node:1 says that its newest block #0 is 3 hours in the future") ||
		!strings.Contains(e.Hint, "nothing was sent; check this machine's clock") {
		t.Errorf("it is told as %q (%q)", e.Message, e.Hint)
	}
}
