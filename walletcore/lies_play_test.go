package walletcore_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
)

// play tries lies on a wallet that meanwhile makes so many payments, reads and
// deposits, and judges the results.
func (s *scene) play(lies []lie, operations int) {
	first := slices.ContainsFunc(lies, func(l lie) bool { return l.first })
	shown := map[ledger.TransactionID]payment.Info{}
	if !first {
		s.begin(true)
		s.meet()
		s.pay(false) // still pending when the lies begin
		s.pay(false)
	}
	var tellers []teller
	tell := func(these bool) {
		for _, l := range lies {
			if l.first == these {
				tellers = append(tellers, l.tell(s))
			}
		}
		s.liar.lie(compose(tellers))
	}
	if tell(true); first { // what a wallet can only notice later, such as another chain's id, is told later
		s.begin(false)
	}
	tell(false)
	s.operate(operations/2, shown)
	s.reopen()
	s.operate(operations-operations/2, shown)
	s.pass()
	s.observe(shown)
	s.judgeMust(lies)
	s.beHonest()
	s.conclude(shown)
	s.judge(shown)
	s.closing()
}

// meet lets the wallet see the accounts it will pay, and the assets it will pay with.
func (s *scene) meet() {
	s.bounded("the first reads", func(ctx context.Context) {
		for _, name := range []string{"alice", "bobby", "carol", "merchant-7"} {
			if _, err := s.wallet.View.Accounts.Get(ctx, name); err != nil {
				s.t.Error(err)
			}
		}
		for symbol := range payable {
			if _, err := s.wallet.View.Assets.Get(ctx, symbol); err != nil {
				s.t.Error(err)
			}
		}
	})
	for _, to := range []string{"carol", "merchant-7"} {
		r := s.payTo(to, false)
		if r.err != nil {
			s.t.Errorf("before any lie: %v", r.err)
		}
	}
	s.fund()
	s.mine(1)
}

// operate makes n operations while the daemon lies.
func (s *scene) operate(n int, shown map[ledger.TransactionID]payment.Info) {
	for _, read := range reads {
		if s.late() {
			break
		}
		s.bounded("a read", func(ctx context.Context) { read(s, ctx) })
	}
	for i := range n {
		if s.late() {
			break
		}
		switch s.luck.IntN(8) {
		case 0, 1:
			s.readOne()
		case 2:
			s.takeDeposits()
		default:
			s.pay(true)
		}
		if i%8 == 5 {
			s.fund()
		}
		if i%4 == 3 {
			s.mine(1)
		}
		if i%16 == 15 {
			s.observe(shown)
		}
	}
	s.takeDeposits()
	s.observe(shown)
}

// pass lets enough time pass on the ledger that everything would expire, while the
// daemon lies.
func (s *scene) pass() {
	s.mine(10)
	time.Sleep(quiet)
	s.takeDeposits()
	s.mine(20)
	time.Sleep(quiet)
	s.takeDeposits()
}

// quiet is the longest time that a wallet takes to notice changes.
const quiet = 60 * time.Millisecond

// beHonest ends the lies. The wallet is not restarted.
func (s *scene) beHonest() {
	s.liar.lie(nil)
	s.mu.Lock()
	later := s.later
	s.later = nil
	s.mu.Unlock()
	for _, do := range later {
		do()
	}
}

// settleTime bounds how long it takes with an honest daemon until everything is settled.
const settleTime = 20 * time.Second

// conclude continues until every payment has its outcome and another one goes through.
func (s *scene) conclude(shown map[ledger.TransactionID]payment.Info) {
	end := time.Now().Add(settleTime)
	s.mine(2)
	var honest *request
	for honest = s.pay(false); honest.err != nil && time.Now().Before(end); honest = s.pay(false) {
		time.Sleep(20 * time.Millisecond)
	}
	if honest.err != nil {
		s.found.hang("the wallet with an honest daemon: " + brief(honest.err))
		return
	}
	for s.unsettled() > 0 {
		if time.Now().After(end) {
			s.found.hang("the settling of payments, which left " + s.namesUnsettled())
			return
		}
		s.mine(1)
		time.Sleep(2 * time.Millisecond)
	}
	s.observe(shown)
}

// namesUnsettled lists the payments that are still pending.
func (s *scene) namesUnsettled() (text string) {
	s.bounded("list_payments", func(ctx context.Context) {
		list, err := s.wallet.Payments.List(ctx, 1000)
		text = fmt.Sprintf("%+v: %v", s.wallet.Status(), err)
		for _, p := range list {
			if p.State != "irreversible" && p.State != "expired" && p.State != "rejected" {
				text += fmt.Sprintf("; %s %s, %s, expires %s", p.TransactionID, p.State, p.Reason, p.Expiration)
			}
		}
	})
	return text
}

// unsettled counts the payments that are still pending.
func (s *scene) unsettled() (n int) {
	s.bounded("list_payments", func(ctx context.Context) {
		list, err := s.wallet.Payments.List(ctx, 1000)
		if err != nil {
			n = 1
		}
		for _, p := range list {
			switch p.State {
			case "irreversible", "expired", "rejected":
			default:
				n++
			}
		}
	})
	return n
}

// judgeMust compares the result of a lie that was told alone with its line in the table.
func (s *scene) judgeMust(lies []lie) {
	if len(lies) != 1 {
		return
	}
	for _, r := range s.requests {
		if r.lied {
			s.judgeOne(r, lies[0].must)
		}
	}
}

func (s *scene) judgeOne(r *request, m outcome) {
	wrong := ""
	switch m {
	case passes:
		switch fault.CodeOf(r.err) {
		case fault.DaemonAway, fault.Canceled, fault.OutcomeUnknown: // a busy machine
		default:
			if r.err != nil {
				wrong = "it was not made"
			}
		}
	case refused:
		if len(r.made) > 0 || r.err == nil {
			wrong = "it was signed and sent"
		}
	case unknown:
		if len(r.made) > 0 && (r.err == nil || r.toldNever()) {
			wrong = "its outcome was told"
		}
	}
	if wrong != "" {
		s.found.add(&s.found.must, "payment %d (must be: %s): %s: %v", r.n, m, wrong, r.err)
	}
}
