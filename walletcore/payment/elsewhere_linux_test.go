package payment_test

import (
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// listening waits until so many servers listen to each other.
func (s *servers) listening(servers int) {
	s.t.Helper()
	eventually(s.t, "that all listen", func() bool {
		return s.count(`SELECT COUNT(*) FROM pg_stat_activity
			WHERE datname = current_database() AND query = 'LISTEN billfold' AND state = 'idle'`) == servers
	})
}

// The second of two equal requests is answered when the first server says what became of it, and need not look.
func TestTheSecondOfTwoRequestsIsWoken(t *testing.T) {
	p := newServers(t)
	p.idle = true
	first := p.sit()
	p.idle = false
	second := p.sit()
	p.listening(2)
	second.Payments.PollRows(time.Hour)
	e := first.built()
	e.Key = "order"
	testwallet.Must(t, first.Payments.WriteEntry(first.Ctx, e))
	type answer struct {
		signed *txbuild.Signed
		err    error
	}
	answered := make(chan answer, 1)
	go func() {
		signed, err := second.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true, Key: "order"})
		answered <- answer{signed, err}
	}()
	eventually(t, "that somebody waits", func() bool { return second.Payments.Waiting() > 0 })
	row, err := e.JournalEntry()
	testwallet.Must(t, err)
	row.State = store.Sent
	testwallet.Must(t, first.journal.Update(first.Ctx, row))
	select {
	case got := <-answered:
		if got.err != nil || got.signed.TransactionID != e.ID {
			t.Errorf("it is answered %+v, %v", got.signed, got.err)
		}
	case <-second.Ctx.Done():
		t.Fatal("it was not woken")
	}
	if second.Payments.Waiting() != 0 {
		t.Error("somebody is still waited for")
	}
}

// A server publishes what others make of their payments, also where nobody told it.
func TestPaymentsOfOtherServersAreEvents(t *testing.T) {
	p := newServers(t)
	other := p.sit()
	here := p.sit()
	line := p.line
	p.listening(2)
	events, stop := here.Payments.Events.Subscribe(event.Payment)
	defer stop()
	hears := func(id ledger.TransactionID, want payment.State) {
		t.Helper()
		for {
			select {
			case e := <-events:
				if known, is := stateHere(here, id); e.Payment == id && is && known == want {
					return
				}
			case <-here.Ctx.Done():
				t.Fatalf("nothing is heard of %s", want)
			}
		}
	}
	paid, err := other.keyed("order", nil)
	testwallet.Must(t, err)
	hears(paid.TransactionID, payment.Sent)
	other.Mine()
	hears(paid.TransactionID, payment.InBlock)
	other.mineUntil(paid.TransactionID, payment.Irreversible)
	hears(paid.TransactionID, payment.Irreversible)

	untold, err := other.keyed("another", nil)
	testwallet.Must(t, err)
	hears(untold.TransactionID, payment.Sent)
	p.do(`UPDATE payments SET state = 'unknown' WHERE id = '` + untold.TransactionID.String() + `'`)
	line.Cut() // and it looks for what it has missed
	line.Mend()
	hears(untold.TransactionID, payment.Unknown)
}

func stateHere(s *sitting, of ledger.TransactionID) (state payment.State, known bool) {
	s.Payments.States(func(id ledger.TransactionID, at payment.State, _ time.Time) {
		if id == of {
			state, known = at, true
		}
	})
	return state, known
}
