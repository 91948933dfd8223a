package payment_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// The disk fails in the middle of the commit, and stays away while the daemon is lost and comes back: the journal may not
// have the payment, so nothing of it is sent, over no connection. What its caller is told in the end is what happens.
func TestWhatTheJournalMayNotHaveIsNotSentOverANewConnection(t *testing.T) {
	t.Parallel()
	faults := new(storetest.Faults)
	p := newPlace(t)
	p.book = func() *store.Store {
		book, err := sqlite.Options{Between: faults.Between}.Open(filepath.Join(p.dir, sqlite.Name))
		testwallet.Must(t, err)
		return book
	}
	relay := testwallet.RelayTo(t, p.url)
	p.url = relay.URL
	s := p.sit()
	s.mineUntil(s.Pay("alice", "bobby", "1", "").TransactionID, payment.InBlock)
	var err error
	for tries := 0; ; tries++ {
		faults.AwaitRest()
		faults.ArmAt("COMMIT", 1, true)
		_, err = s.Payments.Spend(s.Ctx, txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer), payment.Sending{Broadcast: true, Key: "rent"})
		if fault.CodeOf(err) != fault.File || tries == 10 { // else the commit of something else failed, and nothing was sent
			break
		}
		faults.Disarm()
		s.Mine()
	}
	if e := faulttest.Refused(t, err, fault.OutcomeUnknown); !e.Unsettled {
		t.Errorf("told as %v", e)
	}
	before, err := s.Client.Current()
	testwallet.Must(t, err)
	relay.HangUp(false)
	for now := before; now.Same(before) || err != nil; now, err = s.Client.Current() {
		time.Sleep(time.Millisecond)
	}
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	for range 3 {
		_, err = p.box.Mine()
		testwallet.Must(t, err)
		time.Sleep(20 * time.Millisecond) // in which it would be sent
	}
	if faults.Disarm() != "COMMIT" {
		t.Error("the commit did not fail")
	}
	s.Mine()
	s.Mine()
	// The caller asks again. The journal has the payment or not, and either way it is paid once.
	for range 40 {
		sent, err := s.keyed("rent", nil)
		if err == nil {
			s.mineUntil(sent.TransactionID, payment.Irreversible)
			s.bobbyGot(t, 2)
			return
		}
		if e, ok := errors.AsType[*fault.Error](err); ok && e.RequestKey == fault.KeyNew {
			s.Mine()
			s.bobbyGot(t, 1) // told as never sent
			return
		}
		s.Mine()
	}
	t.Error("it was never answered")
}
