package payment_test

import (
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
)

// Two programs use one folder, and one is killed wherever it was with a payment. The other one settles what it left: it finds it on the
// ledger, or says that it did not happen, and sends nothing. What the other program follows itself, it settles.
func TestWhatAKilledProgramLeftIsSettledByAnother(t *testing.T) {
	for name, c := range map[string]struct {
		left func(*sitting) ledger.TransactionID // by the program that is killed
		then payment.State
		paid int64
	}{
		"prepared": {func(s *sitting) ledger.TransactionID { return s.prepare().ID }, payment.Expired, 0},
		"sent": {func(s *sitting) ledger.TransactionID {
			p := s.prepare()
			testwallet.Must(s.T, s.Client.BroadcastTransaction(s.Ctx, p.Transaction()))
			return p.ID
		}, payment.Irreversible, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			survivor := p.sit()
			killed := p.sit()
			id := c.left(killed) // nothing of it is on the list of a follower, as if that had ended right then
			killed.end()
			own := survivor.Pay("alice", "carol", "2", "").TransactionID
			for range 40 {
				p.now.Forward(5 * time.Second)
				survivor.Mine()
				if got, err := survivor.Payments.Get(survivor.Ctx, id.String()); err == nil && got.State == c.then.String() {
					break
				}
				time.Sleep(5 * time.Millisecond)
			}
			survivor.waitFor(id, c.then)
			survivor.waitFor(own, payment.Irreversible)
			survivor.bobbyGot(t, c.paid)
			survivor.end()
			next := p.sit()
			next.waitFor(id, c.then)
			next.bobbyGot(t, c.paid)
		})
	}
}

// Of two programs that both live, neither disturbs what the other has under way.
func TestTwoLivingProgramsSettleTheirOwn(t *testing.T) {
	p := newPlace(t)
	one, two := p.sit(), p.sit()
	ids := map[ledger.TransactionID]bool{}
	for range 12 {
		for _, s := range []*sitting{one, two} {
			ids[s.Pay("alice", "bobby", "1", "").TransactionID] = true
		}
		p.now.Forward(5 * time.Second)
		one.Mine()
		two.Until("the head", func() bool { return two.Status().Head >= one.Status().Head })
	}
	for range 12 {
		p.now.Forward(5 * time.Second)
		one.Mine()
	}
	for id := range ids {
		one.waitFor(id, payment.Irreversible)
		two.waitFor(id, payment.Irreversible)
	}
	one.bobbyGot(t, int64(len(ids)))
}
