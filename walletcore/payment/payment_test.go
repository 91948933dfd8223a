package payment_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

func reaches(s *testwallet.Wallet, id ledger.TransactionID, state payment.State) payment.Payment {
	s.T.Helper()
	s.Until("the payment's state", func() bool { return s.Payment(id).State == state })
	return s.Payment(id)
}

func TestPaymentIsFollowedToIrreversible(t *testing.T) {
	s := testwallet.Open(t, "alice")
	p, err := s.Payments.Send(s.Ctx, s.Prepare(testwallet.OneDCT()))
	testwallet.Must(t, err)
	if p.State != payment.Sent || p.Sent.IsZero() || p.Expiration == 0 {
		t.Errorf("after sending it is %+v", p)
	}
	block := s.Mine()
	in := reaches(s, p.ID, payment.InBlock)
	if in.Block != block.Num() || in.TrxInBlock != 0 || in.InBlock.IsZero() {
		t.Errorf("it is in block %d, mined was %d", in.Block, block.Num())
	}
	for s.Payment(p.ID).State == payment.InBlock {
		head := s.Mine().Num()
		s.Until("the look-up", func() bool { return s.Payment(p.ID).Head >= head })
	}
	done := reaches(s, p.ID, payment.Irreversible)
	if done.Last < done.Block || done.Reason != "" {
		t.Errorf("final is %+v", done)
	}
}

// The daemon had the bytes: its refusal is told at once, and is the outcome once it
// is proven.
func TestRejectedPaymentSaysWhy(t *testing.T) {
	s, _, now := testwallet.OpenBehindRelay(t)
	d := s.Prepare(txbuild.TransferParams{From: "alice", To: "bobby", Amount: "12000", Asset: "DCT"})
	s.Pay("alice", "carol", "1000", "")
	s.Mine()
	p, err := s.Payments.Send(s.Ctx, d)
	e := faulttest.Refused(t, err, fault.InsufficientBalance)
	if p.State != payment.Unknown || p.Reason == "" || len(e.Data) == 0 || !e.Unsettled || !strings.Contains(e.Hint, "may still happen") {
		t.Errorf("it is %+v, told as %v, the daemon's words %s", p, e, e.Data)
	}
	now.Forward(time.Minute)
	for s.Payment(p.ID).State == payment.Unknown {
		s.Mine()
	}
	if got := s.Payment(p.ID); got.State != payment.Rejected || got.Reason != p.Reason {
		t.Errorf("the list has it as %s: %s", got.State, got.Reason)
	}
}

// Of a ledger that is part of this program nobody else has the bytes.
func TestARefusalOfTheOwnSandboxIsOne(t *testing.T) {
	box := testwallet.Ledger(t, sandbox.Options{})
	path := filepath.Join(testwallet.Folder(t), "wallet.keys")
	s := testwallet.Connect(t, path, box.URL(), func(cfg *walletcore.Config) { cfg.Sandbox = true })
	s.Box = box
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	s.Hold("alice")
	s.Mine()
	testwallet.Must(t, box.RefuseBroadcast(10, "not today"))
	p, err := s.Payments.Send(s.Ctx, s.Prepare(testwallet.OneDCT()))
	if faulttest.Refused(t, err, fault.DaemonRefused).Unsettled || p.State != payment.Rejected {
		t.Errorf("it is %s, told as %v", p.State, err)
	}
}

// The line breaks after the daemon took the transaction, before it said so.
func TestUnknownOutcomeIsFoundInABlock(t *testing.T) {
	s, r, _ := testwallet.OpenBehindRelay(t)
	d := s.Prepare(testwallet.OneDCT())
	r.Set(func(r *testwallet.Relay) { r.Cut = "broadcast_transaction" })
	p, err := s.Payments.Send(s.Ctx, d)
	e := faulttest.Refused(t, err, fault.OutcomeUnknown)
	if p.State != payment.Unknown || p.Taken || !strings.Contains(e.Error(), p.ID.String()) {
		t.Errorf("it is %+v, told as %q", p, e)
	}
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	block := s.Mine()
	if got := reaches(s, p.ID, payment.InBlock); got.Block != block.Num() || got.Reason != "" {
		t.Errorf("found as %+v", got)
	}
	if got := s.DCT("bobby"); got != 831_0000_0000 {
		t.Errorf("bobby has %d", got)
	}
}

func TestResendOfTheSameBytesNeverPaysTwice(t *testing.T) {
	s, r, _ := testwallet.OpenBehindRelay(t)
	d := s.Prepare(testwallet.OneDCT())
	r.Set(func(r *testwallet.Relay) { r.Cut = "broadcast_transaction" })
	p, err := s.Payments.Send(s.Ctx, d)
	faulttest.Refused(t, err, fault.OutcomeUnknown)
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	testwallet.Must(t, s.Payments.Resend(s.Ctx, p.ID)) // as the wallet does by itself
	if got := s.Payment(p.ID); got.State != payment.Sent || !got.Taken || got.Reason != "" {
		t.Errorf("sent again it is %s: %s", got.State, got.Reason)
	}
	s.Mine()
	reaches(s, p.ID, payment.InBlock)
	testwallet.Must(t, s.Payments.Resend(s.Ctx, p.ID))
	s.Mine()
	if got := s.DCT("bobby"); got != 831_0000_0000 || len(s.Payments.Recent()) != 1 {
		t.Errorf("bobby has %d after %d payments", got, len(s.Payments.Recent()))
	}
	faulttest.Refused(t, s.Payments.Resend(s.Ctx, ledger.TransactionID{1}), fault.NoSuchPayment)
}

// What was sent may still happen, whatever happens to the second attempt.
func TestFailedResendLeavesTheOutcomeOpen(t *testing.T) {
	s, r, _ := testwallet.OpenBehindRelay(t)
	d := s.Prepare(testwallet.OneDCT())
	r.Set(func(r *testwallet.Relay) { r.Cut, r.Down = "broadcast_transaction", true })
	p, err := s.Payments.Send(s.Ctx, d)
	faulttest.Refused(t, err, fault.OutcomeUnknown)
	faulttest.Refused(t, s.Payments.Resend(s.Ctx, p.ID), fault.DaemonAway)
	if got := s.Payment(p.ID); got.State != payment.Unknown {
		t.Errorf("it became %d: %s", got.State, got.Reason)
	}
	r.Set(func(r *testwallet.Relay) { r.Down = false })
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	s.Mine()
	reaches(s, p.ID, payment.InBlock)
}

// Only a last irreversible block after the expiration proves that a payment
// never happens.
func TestPaymentExpiresOnlyWhenProven(t *testing.T) {
	s, r, now := testwallet.OpenBehindRelay(t)
	d := s.Prepare(testwallet.OneDCT())
	r.Set(func(r *testwallet.Relay) { r.Lose, r.Down = "broadcast_transaction", true })
	p, err := s.Payments.Send(s.Ctx, d)
	faulttest.Refused(t, err, fault.OutcomeUnknown)
	now.Forward(time.Minute)
	tooLate, err := s.Box.Mine() // the first block after the expiration: nobody takes it now
	testwallet.Must(t, err)
	late := tooLate.Num()
	r.Set(func(r *testwallet.Relay) { r.Down = false })
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	for {
		head := s.Mine()
		s.Until("the look-up", func() bool { return s.Payment(p.ID).Head >= head.Num() })
		got := s.Payment(p.ID)
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
	got := s.Payment(p.ID)
	if got.Last < late || got.Reason == "" || s.DCT("bobby") != 830_0000_0000 {
		t.Errorf("expired at last irreversible block %d, first late block %d: %s", got.Last, late, got.Reason)
	}
}
