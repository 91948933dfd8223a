package payment_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"billfold/sandbox"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
)

// A wallet sends nothing to a daemon whose chain is not the ledger, from its first answer on, says why and how it ends, and trusts
// again once that has happened: each of the ways in and out, one after another.
func TestDistrustOfAChainEnds(t *testing.T) {
	genesis := testwallet.Genesis(t)
	p := newPlaceOn(t, genesis)
	copied := testwallet.Ledger(t, sandbox.Options{Genesis: genesis, Now: p.now.Now})
	head := uint32(0) // of copied
	mine := func(blocks int) {
		t.Helper()
		for range blocks {
			id, err := copied.Mine()
			testwallet.Must(t, err)
			head = id.Num()
		}
	}
	relay, sent := testwallet.RelayTo(t, p.box.URL()), new(atomic.Int64) // broadcasts to copied
	p.url = relay.URL
	s := p.sit()
	to := func(box *sandbox.Sandbox) {
		relay.Set(func(r *testwallet.Relay) {
			r.To, r.Seen = box.URL(), func(request string) {
				if box == copied && strings.Contains(request, "broadcast_transaction") {
					sent.Add(1)
				}
			}
		})
		relay.HangUp(false)
	}
	refused := func(as fault.Code, because string) {
		t.Helper()
		s.Until(because, func() bool { return strings.Contains(s.View.Chain.NotReady(), because) })
		if why := s.View.Chain.NotReady(); !strings.Contains(why, "it ends when ") || s.Status().Doubt != why {
			t.Errorf("it says %q, and the screen %q", why, s.Status().Doubt)
		}
		_, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
		faulttest.Refused(t, err, as)
		if sent.Load() > 0 {
			t.Error("something was sent")
		}
	}
	trusted := func() {
		t.Helper()
		s.Until("trust", func() bool { return s.View.Chain.NotReady() == "" })
	}

	for range 6 {
		s.Mine()
	}
	paid := s.Pay("alice", "bobby", "1", "") // an open payment: the blocks are read anew over each connection, from its first on
	trusted()
	mine(3)
	for s.View.Chain.Proven() <= head {
		s.Mine()
	}
	to(copied)
	refused(fault.DaemonStale, "the daemon's newest block is #3")
	to(p.box)
	trusted()                                             // it has the proven block
	s.mineUntil(paid.TransactionID, payment.Irreversible) // its block, which only this chain has

	to(copied)
	refused(fault.DaemonStale, "the daemon's newest block is #3")
	for s.View.Chain.Proven() > head { // each of its blocks
		mine(1)
		s.Until("the block", func() bool { return s.Status().Head >= head })
		_, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
		if err == nil || sent.Load() > 0 {
			t.Fatalf("it pays through a chain with %d blocks of %d", head, s.View.Chain.Proven())
		}
	}
	refused(fault.DaemonContradicts, "lacks block")
	mine(5)
	refused(fault.DaemonContradicts, "lacks block")
	to(p.box)
	for range 8 { // blocks that link to the proven one, and are proven themselves
		s.Mine()
	}
	trusted()

	mine(20) // more than are proven by now
	to(copied)
	refused(fault.DaemonContradicts, "lacks block")
	found, err := s.kept.Anchors.ForgetAnchor(s.Ctx, s.Client.Status().ChainID) // as billfold pins forget miners does
	if err != nil || !found {
		t.Fatal(found, err)
	}
	mine(1)
	trusted()
}

// A wallet that starts while its daemon is below what it knows to be proven knows that from the daemon's first answer.
func TestAStartBelowWhatIsProven(t *testing.T) {
	genesis := testwallet.Genesis(t)
	p := newPlaceOn(t, genesis)
	s := p.sit()
	for range 40 {
		s.Mine()
	}
	s.Until("more is proven than the copy has", func() bool { return s.View.Chain.Proven() > 9 })
	s.end()
	copied := testwallet.Ledger(t, sandbox.Options{Genesis: genesis, Now: p.now.Now})
	for range 9 {
		_, err := copied.Mine()
		testwallet.Must(t, err)
	}
	p.url = copied.URL()
	next := p.sitAway()
	testwallet.Must(t, next.Client.WaitOnline(next.Ctx))
	_, err := next.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
	if err == nil {
		t.Fatal("it pays through a daemon below what is proven")
	}
	next.Until("the reason", func() bool { return strings.Contains(next.View.Chain.NotReady(), "the daemon's newest block is #9") })
}
