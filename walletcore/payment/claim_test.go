package payment_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// The journal is gone, and with it that a request key was used: nothing is paid.
func TestALostJournalSpendsNothing(t *testing.T) {
	for name, harm := range map[string]func(p *place){
		"removed": func(p *place) {
			found, err := filepath.Glob(filepath.Join(p.dir, "payments.db*"))
			testwallet.Must(p.t, err)
			for _, path := range found {
				testwallet.Must(p.t, os.Remove(path))
			}
		},
		"removed with its mark": func(p *place) {
			found, err := filepath.Glob(filepath.Join(p.dir, "payments.db*"))
			testwallet.Must(p.t, err)
			for _, path := range append(found, filepath.Join(p.dir, sqlite.MarkName)) {
				testwallet.Must(p.t, os.Remove(path))
			}
		},
		"another's": func(p *place) {
			other := newPlace(p.t)
			raw, err := os.ReadFile(filepath.Join(other.dir, "payments.db"))
			testwallet.Must(p.t, err)
			testwallet.Must(p.t, os.WriteFile(filepath.Join(p.dir, "payments.db"), raw, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			s := p.sit()
			_, err := s.keyed("rent", nil)
			testwallet.Must(t, err)
			s.Mine()
			if failure := s.Status().JournalFault; failure != "" {
				t.Errorf("a good journal is said to be at fault: %s", failure)
			}
			draft := s.Prepare(testwallet.OneDCT())
			s.end()
			harm(p)
			s = p.sit()
			_, err = s.keyed("rent", nil)
			if e := faulttest.Refused(t, err, fault.File); !e.Journal || !strings.Contains(e.Hint, "billfold journal status") {
				t.Errorf("it is told as %q", e)
			}
			_, err = s.Payments.Send(s.Ctx, draft)
			faulttest.Refused(t, err, fault.File)
			_, err = s.Payments.Prepare(
				s.Ctx,
				txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}, txbuild.Transfer),
			)
			faulttest.Refused(t, err, fault.File) // before anybody reviews it
			if failure := s.Status().JournalFault; !strings.Contains(failure, "the wallet spends nothing") {
				t.Errorf("the status says %q", failure)
			}
			s.Mine()
			s.bobbyGot(t, 1)
			testwallet.Must(t, s.Payments.TakeJournal(s.Ctx))
			if failure := s.Status().JournalFault; failure != "" {
				t.Errorf("it is still said to be at fault: %s", failure)
			}
			s.Pay("alice", "bobby", "1", "")
			s.end()
			s = p.sit()
			s.isNobodys()                    // what the lost one had is found, since nobody has read the ledger
			s.Pay("alice", "bobby", "1", "") // it stays its own
			s.Mine()
			s.bobbyGot(t, 3)
		})
	}
}

// What the lost journal had is found on the ledger, once, and followed on.
func TestALostJournalIsAcceptedAfterReadingTheLedger(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	id := s.Pay("alice", "bobby", "1", "").TransactionID
	s.Mine()
	s.end()
	found, err := filepath.Glob(filepath.Join(p.dir, "payments.db*"))
	testwallet.Must(t, err)
	for _, path := range found {
		testwallet.Must(t, os.Remove(path))
	}
	s = p.sit()
	if at, err := s.Payments.JournalState(s.Ctx); err != nil || at.Lost == nil || at.Written.IsZero() || at.Newest != 0 {
		t.Errorf("it is told as %+v (%v)", at, err)
	}
	head, _, _ := s.View.Chain.Position()
	err = s.Payments.AcceptJournal(s.Ctx, head+1000, true, func(payment.FoundPayment) {})
	if e := faulttest.Refused(t, err, fault.BadParameter); !strings.Contains(e.Message, "no block "+strconv.Itoa(int(head)+1000)+" yet") {
		t.Errorf("a block to come is told as %q", e.Message)
	}
	var got []payment.FoundPayment
	done := make(chan error, 1)
	go func() {
		done <- s.Payments.AcceptJournal(s.Ctx, 1, false, func(f payment.FoundPayment) { got = append(got, f) })
	}()
	select {
	case err := <-done:
		t.Fatalf("it did not wait for what may still come: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	p.now.Forward(time.Minute)
	s.Mine()
	testwallet.Must(t, <-done)
	if len(got) != 1 || got[0].ID != id {
		t.Errorf("found: %+v", got)
	}
	_, err = s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true}) // it may be a repetition
	if e := faulttest.Refused(t, err, fault.RequestKey); !strings.Contains(e.Hint, "billfold journal claim") {
		t.Errorf("it is told as %q", e)
	}
	s.isNobodys()
	s.Pay("alice", "bobby", "1", "")
	s.end()
	s = p.sit()
	s.mineUntil(id, payment.Irreversible)
	s.bobbyGot(t, 2)
	if at, err := s.Payments.JournalState(s.Ctx); err != nil || at.Lost != nil || at.Identity == "" {
		t.Errorf("it is %+v (%v)", at, err)
	}
}

// Whatever is lost, no block that is later than the one which the state of the journal names is accepted without a word, on a long
// chain and on a young one; that one and any before are.
func TestAcceptBeginsNoLaterThanTheLoss(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	for range 60 {
		p.now.Forward(5 * time.Second)
		s.Mine()
	}
	s.Pay("alice", "bobby", "1", "")
	s.Mine()
	s.end()
	older := folderOf(t, p.dir)
	s = p.sit()
	lost := s.Pay("alice", "bobby", "2", "").TransactionID
	for range 30 {
		p.now.Forward(5 * time.Second)
		s.Mine()
	}
	s.end()
	for name, data := range older {
		if strings.HasPrefix(name, "payments.db") {
			testwallet.Must(t, os.WriteFile(filepath.Join(p.dir, name), data, 0o600))
		}
	}
	s = p.sit()
	at, err := s.Payments.JournalState(s.Ctx)
	if err != nil || at.Lost == nil || at.From < 2 {
		t.Fatalf("it is %+v (%v)", at, err)
	}
	none := func(f payment.FoundPayment) { t.Errorf("found %+v", f) }
	for _, from := range []uint32{at.From + 1, at.From + 21, at.From + 40} {
		e := faulttest.Refused(t, s.Payments.AcceptJournal(s.Ctx, from, false, none), fault.BadParameter)
		if want := "--from-block " + strconv.Itoa(int(at.From)); !strings.Contains(e.Hint, want) || !strings.Contains(e.Hint, "--later") {
			t.Errorf("from block %d: %q does not name %q", from, e, want)
		}
	}
	if s.Payments.JournalFault() == nil {
		t.Error("a journal that was refused is accepted")
	}
	s.end()
	p.breaksEvery(45, "get_block") // which does not end it
	s = p.sit()
	found := 0
	done := make(chan error, 1)
	go func() {
		done <- s.Payments.AcceptJournal(s.Ctx, at.From, false, func(f payment.FoundPayment) {
			if f.ID == lost {
				found++
			}
		})
	}()
	for ended := false; !ended; { // it waits for a block that is too late for what was signed before it began
		select {
		case err := <-done:
			if ended = true; err != nil || found != 1 {
				t.Errorf("it ends with %v, and %d were found", err, found)
			}
		case <-time.After(20 * time.Millisecond):
			p.now.Forward(5 * time.Second)
			s.Mine()
		}
	}
}

// Where the blocks may begin that a lost journal is made good from is never after the loss.
func TestALostJournalNamesABlockToBeginAt(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	older, foreign, missing := &store.LostError{
		Kind: store.Older,
	}, &store.LostError{
		Kind: store.Foreign,
	}, &store.LostError{
		Kind: store.Missing,
	}
	for name, c := range map[string]struct {
		at   payment.JournalState
		want uint32
	}{
		"good":                     {payment.JournalState{Newest: 900, Proved: 900, Written: now}, 0},
		"an older copy":            {payment.JournalState{Lost: older, Newest: 900, Proved: 99_000, Written: now}, 880},
		"an old copy of few":       {payment.JournalState{Lost: older, Newest: 3}, 1},
		"another's":                {payment.JournalState{Lost: foreign, Newest: 900, Proved: 99_000, Written: now.Add(-time.Hour)}, 99_000 - 720 - 17_280},
		"missing":                  {payment.JournalState{Lost: missing, Proved: 99_000, Written: now.Add(-10 * time.Second)}, 99_000 - 2 - 17_280},
		"missing on a young chain": {payment.JournalState{Lost: missing, Proved: 50, Written: now.Add(-time.Hour)}, 1},
		"nothing is known":         {payment.JournalState{Lost: missing, Proved: 50}, 0},
	} {
		if c.at.ChooseFrom(now); c.at.From != c.want {
			t.Errorf("%s: it is %d, not %d", name, c.at.From, c.want)
		}
		named := c.at.From
		if c.at.ChooseFrom(now.Add(11 * time.Hour)); c.at.Latest < named { // the command that was named is run later
			t.Errorf("%s: block %d was named, and %d is the latest some hours later", name, named, c.at.Latest)
		}
	}
}

// isNobodys has a person say of everything that was found that no request is repeated for it.
func (s *sitting) isNobodys() {
	s.T.Helper()
	list, err := s.journal.Found(s.Ctx)
	testwallet.Must(s.T, err)
	if len(list) == 0 {
		s.T.Fatal("nothing was found")
	}
	for _, e := range list {
		testwallet.Must(s.T, s.journal.ClaimFound(s.Ctx, false, store.Claim{ID: e.ID.String()}))
	}
	_, err = s.journal.Hold(s.Ctx) // seen at once
	testwallet.Must(s.T, err)
}
