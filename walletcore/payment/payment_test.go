package payment_test

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
)

var oneDCT = build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}

// clock is the sandbox's time, set by the test.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Now()} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// openBehindRelay is an unlocked wallet of alice that reaches its ledger through a relay.
func openBehindRelay(t testing.TB) (*stage, *relay, *clock) {
	t.Helper()
	now := newClock()
	box := ledgerOf(t, sandbox.Options{Now: now.now})
	r := relayTo(t, box.URL())
	s := connect(t, filepath.Join(t.TempDir(), "wallet.keys"), r.url, func(cfg *walletcore.Config) { cfg.Now = now.now })
	s.box = box
	must(t, s.client.WaitOnline(s.ctx))
	s.hold("alice")
	return s, r, now
}

func (s *stage) draft(req build.TransferParams) *build.Prepared {
	s.t.Helper()
	d, err := s.wallet.Payments.Prepare(s.ctx, build.NewRequest("transfer", req, build.Transfer))
	must(s.t, err)
	return d
}

func (s *stage) reaches(id ledger.TransactionID, state payment.State) payment.Payment {
	s.t.Helper()
	s.until("the payment's state", func() bool { return s.payment(id).State == state })
	return s.payment(id)
}

func TestPaymentIsFollowedToIrreversible(t *testing.T) {
	s := open(t, "alice")
	p, err := s.wallet.Payments.Send(s.ctx, s.draft(oneDCT))
	must(t, err)
	if p.State != payment.Sent || p.Sent.IsZero() || p.Expiration == 0 {
		t.Errorf("after sending it is %+v", p)
	}
	block := s.mine()
	in := s.reaches(p.ID, payment.InBlock)
	if in.Block != block.Num() || in.TrxInBlock != 0 || in.InBlock.IsZero() {
		t.Errorf("it is in block %d, mined was %d", in.Block, block.Num())
	}
	for s.payment(p.ID).State == payment.InBlock {
		head := s.mine().Num()
		s.until("the look-up", func() bool { return s.payment(p.ID).Head >= head })
	}
	done := s.reaches(p.ID, payment.Irreversible)
	if done.Last < done.Block || done.Reason != "" {
		t.Errorf("final is %+v", done)
	}
}

// The daemon had the bytes: its refusal is told at once, and is the outcome once it
// is proven.
func TestRejectedPaymentSaysWhy(t *testing.T) {
	s, _, now := openBehindRelay(t)
	d := s.draft(build.TransferParams{From: "alice", To: "bobby", Amount: "12000", Asset: "DCT"})
	s.pay("alice", "carol", "1000", "")
	s.mine()
	p, err := s.wallet.Payments.Send(s.ctx, d)
	e := refused(t, err, fault.InsufficientBalance)
	if p.State != payment.Unknown || p.Reason == "" || len(e.Data) == 0 || !e.Unsettled || !strings.Contains(e.Hint, "may still happen") {
		t.Errorf("it is %+v, told as %v, the daemon's words %s", p, e, e.Data)
	}
	now.forward(time.Minute)
	for s.payment(p.ID).State == payment.Unknown {
		s.mine()
	}
	if got := s.payment(p.ID); got.State != payment.Rejected || got.Reason != p.Reason {
		t.Errorf("the list has it as %s: %s", got.State, got.Reason)
	}
}

// Of a ledger that is part of this program nobody else has the bytes.
func TestARefusalOfTheOwnSandboxIsOne(t *testing.T) {
	box := ledgerOf(t, sandbox.Options{})
	s := connect(t, filepath.Join(t.TempDir(), "wallet.keys"), box.URL(), func(cfg *walletcore.Config) { cfg.Sandbox = true })
	s.box = box
	must(t, s.client.WaitOnline(s.ctx))
	s.hold("alice")
	must(t, box.RefuseBroadcast(10, "not today"))
	p, err := s.wallet.Payments.Send(s.ctx, s.draft(oneDCT))
	if refused(t, err, fault.DaemonRefused).Unsettled || p.State != payment.Rejected {
		t.Errorf("it is %s, told as %v", p.State, err)
	}
}

// The line breaks after the daemon took the transaction, before it said so.
func TestUnknownOutcomeIsFoundInABlock(t *testing.T) {
	s, r, _ := openBehindRelay(t)
	d := s.draft(oneDCT)
	r.set(func(r *relay) { r.cut = "broadcast_transaction" })
	p, err := s.wallet.Payments.Send(s.ctx, d)
	e := refused(t, err, fault.OutcomeUnknown)
	if p.State != payment.Unknown || p.Taken || !strings.Contains(e.Error(), p.ID.String()) {
		t.Errorf("it is %+v, told as %q", p, e)
	}
	must(t, s.client.WaitOnline(s.ctx))
	block := s.mine()
	if got := s.reaches(p.ID, payment.InBlock); got.Block != block.Num() || got.Reason != "" {
		t.Errorf("found as %+v", got)
	}
	if got := s.dct("bobby"); got != 831_0000_0000 {
		t.Errorf("bobby has %d", got)
	}
}

func TestResendOfTheSameBytesNeverPaysTwice(t *testing.T) {
	s, r, _ := openBehindRelay(t)
	d := s.draft(oneDCT)
	r.set(func(r *relay) { r.cut = "broadcast_transaction" })
	p, err := s.wallet.Payments.Send(s.ctx, d)
	refused(t, err, fault.OutcomeUnknown)
	must(t, s.client.WaitOnline(s.ctx))
	must(t, s.wallet.Payments.Resend(s.ctx, p.ID)) // as the wallet does by itself
	if got := s.payment(p.ID); got.State != payment.Sent || !got.Taken || got.Reason != "" {
		t.Errorf("sent again it is %s: %s", got.State, got.Reason)
	}
	s.mine()
	s.reaches(p.ID, payment.InBlock)
	must(t, s.wallet.Payments.Resend(s.ctx, p.ID))
	s.mine()
	if got := s.dct("bobby"); got != 831_0000_0000 || len(s.wallet.Payments.Recent()) != 1 {
		t.Errorf("bobby has %d after %d payments", got, len(s.wallet.Payments.Recent()))
	}
	refused(t, s.wallet.Payments.Resend(s.ctx, ledger.TransactionID{1}), fault.NoSuchPayment)
}

// What was sent may still happen, whatever becomes of the second attempt.
func TestFailedResendLeavesTheOutcomeOpen(t *testing.T) {
	s, r, _ := openBehindRelay(t)
	d := s.draft(oneDCT)
	r.set(func(r *relay) { r.cut, r.down = "broadcast_transaction", true })
	p, err := s.wallet.Payments.Send(s.ctx, d)
	refused(t, err, fault.OutcomeUnknown)
	refused(t, s.wallet.Payments.Resend(s.ctx, p.ID), fault.DaemonAway)
	if got := s.payment(p.ID); got.State != payment.Unknown {
		t.Errorf("it became %d: %s", got.State, got.Reason)
	}
	r.set(func(r *relay) { r.down = false })
	must(t, s.client.WaitOnline(s.ctx))
	s.mine()
	s.reaches(p.ID, payment.InBlock)
}

// Only a last irreversible block after the expiration proves that a payment
// never happens.
func TestPaymentExpiresOnlyWhenProven(t *testing.T) {
	s, r, now := openBehindRelay(t)
	d := s.draft(oneDCT)
	r.set(func(r *relay) { r.lose, r.down = "broadcast_transaction", true })
	p, err := s.wallet.Payments.Send(s.ctx, d)
	refused(t, err, fault.OutcomeUnknown)
	now.forward(time.Minute)
	tooLate, err := s.box.Mine() // the first block after the expiration: nobody takes it now
	must(t, err)
	late := tooLate.Num()
	r.set(func(r *relay) { r.down = false })
	must(t, s.client.WaitOnline(s.ctx))
	for {
		head := s.mine()
		s.until("the look-up", func() bool { return s.payment(p.ID).Head >= head.Num() })
		got := s.payment(p.ID)
		if got.State == payment.Expired {
			break
		}
		if got.State != payment.Unknown {
			t.Fatalf("it became %d", got.State)
		}
		if got.Last > head.Num() {
			t.Fatal("it never expires")
		}
	}
	got := s.payment(p.ID)
	if got.Last < late || got.Reason == "" || s.dct("bobby") != 830_0000_0000 {
		t.Errorf("expired at last irreversible block %d, first late block %d: %s", got.Last, late, got.Reason)
	}
}
