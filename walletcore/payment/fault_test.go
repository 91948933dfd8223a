package payment_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/build"
	"billfold/walletcore/database"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
)

// built is a payment of 1 DCT to bobby, signed, as send takes it.
func (s *sitting) built() *payment.Entry {
	s.t.Helper()
	made, err := s.wallet.Build.Build(s.ctx, build.NewRequest("transfer", oneDCT, build.Transfer), false)
	must(s.t, err)
	must(s.t, s.wallet.Build.Complete(s.ctx, made, true))
	signed, err := s.wallet.Build.Sign(s.ctx, made)
	must(s.t, err)
	return s.wallet.Payments.EntryOf(signed, build.Review{}, "")
}

func TestNothingIsSentThatCannotBeWrittenDown(t *testing.T) {
	t.Run("closed", func(t *testing.T) {
		s := newPlace(t).sit()
		s.mineUntil(s.pay("alice", "bobby", "1", "").TransactionID, payment.InBlock) // what was open has been read by now
		must(t, s.kept.Close())
		s.sendsNothing(t)
	})
	t.Run("no folder", func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "none")
		book, err := sqlite.Open(filepath.Join(folder, "payments.db"))
		must(t, err)
		t.Cleanup(func() { must(t, book.Close()) })
		box := ledgerOf(t, sandbox.Options{})
		s := connect(t, filepath.Join(t.TempDir(), "wallet.keys"), box.URL(), func(cfg *walletcore.Config) { cfg.Store = book })
		s.box = box
		must(t, s.client.WaitOnline(s.ctx))
		s.hold("alice")
		s.sendsNothing(t)
		must(t, os.MkdirAll(folder, 0o700))
		before := s.dct("bobby")
		s.pay("alice", "bobby", "1", "") // the folder is there now
		s.mine()
		if got := s.dct("bobby") - before; got != 1_0000_0000 {
			t.Errorf("bobby got %d", got)
		}
	})
}

// sendsNothing tries to pay where the journal cannot be written.
func (s *stage) sendsNothing(t *testing.T) {
	t.Helper()
	before, known := s.heldOnLedger("bobby"), len(s.wallet.Payments.Recent())
	_, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", oneDCT, build.Transfer), payment.Sending{Broadcast: true})
	if e := refused(t, err, fault.File); !strings.Contains(e.Message+e.Hint, "not sent") &&
		!strings.Contains(e.Hint, "nothing was signed") {
		t.Errorf("told as %q", e)
	}
	d, err := s.wallet.Payments.Prepare(
		s.ctx,
		build.NewRequest("transfer", oneDCT, build.Transfer),
	) // needs the store where nothing of the parties was pinned yet
	if err == nil {
		_, err = s.wallet.Payments.Send(s.ctx, d)
	}
	refused(t, err, fault.File)
	if len(s.wallet.Payments.Recent()) != known {
		t.Error("what was not sent is on the list")
	}
	s.mine()
	if s.heldOnLedger("bobby") != before {
		t.Error("it was sent")
	}
}

// heldOnLedger is what an account holds of DCT, without the wallet.
func (s *stage) heldOnLedger(name string) int64 {
	s.t.Helper()
	who, err := s.client.LookupAccountNames(s.ctx, []string{name})
	must(s.t, err)
	held, err := s.client.GetAccountBalances(s.ctx, who[0].ID, ledger.CoreAsset)
	must(s.t, err)
	return held[0].Amount
}

// busyJournal keeps everybody from writing to the journal until the function it gives
// is called.
func (p *place) busyJournal() (free func()) {
	p.t.Helper()
	db, err := database.Open(filepath.Join(p.dir, "payments.db"), database.Durable)
	must(p.t, err)
	tx, err := db.Begin()
	must(p.t, err)
	free = sync.OnceFunc(func() {
		must(p.t, tx.Rollback())
		must(p.t, db.Close())
	})
	p.t.Cleanup(free)
	return free
}

// A journal so slow that the payment has expired before it is written down: the
// caller hears of that, not of a payment that is on its way.
func TestAPaymentThatExpiredWhileItWasWrittenDownIsToldSo(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	s.pay("alice", "bobby", "1", "") // there is a journal
	free := p.busyJournal()
	type answer struct {
		payment.Payment
		err error
	}
	told := make(chan answer, 1)
	pay := s.built()
	go func() {
		got, err := s.wallet.Payments.SendEntry(s.ctx, pay)
		told <- answer{got, err}
	}()
	for s.wallet.Payments.Find(pay.ID) == nil {
		time.Sleep(time.Millisecond)
	}
	p.now.forward(time.Minute)
	for s.wallet.Payments.Read(pay.ID).State != payment.Expired {
		s.mine()
	}
	free()
	got := <-told
	if e := refused(t, got.err, fault.Expired); got.State != payment.Expired || !strings.Contains(e.Message, pay.ID.String()) {
		t.Errorf("it is %s, told as %q", got.State, e.Message)
	}
	s.bobbyGot(t, 1)
}

// A caller whose time runs out while the payment is being written down knows nothing:
// the write goes on, and what is written down is sent. Its key stands for it meanwhile.
func TestACallerWhoLeavesWhileItIsWrittenDownKnowsNothing(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	s.pay("alice", "bobby", "1", "") // there is a journal
	free := p.busyJournal()
	ask := func() error {
		ctx, cancel := context.WithTimeout(s.ctx, 100*time.Millisecond)
		defer cancel()
		_, err := s.wallet.Payments.Spend(
			ctx,
			build.NewRequest("transfer", oneDCT, build.Transfer),
			payment.Sending{Broadcast: true, Key: "rent"},
		)
		return err
	}
	refused(t, ask(), fault.OutcomeUnknown)
	refused(t, ask(), fault.OutcomeUnknown)
	free()
	var id ledger.TransactionID
	s.until("the journal", func() bool {
		got, err := s.wallet.Payments.Get(s.ctx, "rent")
		id = got.TransactionID
		return err == nil
	})
	s.mineUntil(id, payment.Irreversible)
	s.bobbyGot(t, 2)
	if list := s.wallet.Payments.Recent(); len(list) != 2 {
		t.Errorf("it was made %d times", len(list)-1)
	}
}

// A caller who leaves before the payment is written down leaves nothing behind.
func TestACallerWhoLeavesEarlyHasSentNothing(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	pay := s.built()
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	_, err := s.wallet.Payments.SendEntry(ctx, pay)
	refused(t, err, fault.Canceled)
	s.end()
	s = p.sit()
	s.mine()
	if list, err := s.wallet.Payments.List(s.ctx, 10); err != nil || len(list) != 0 {
		t.Errorf("the journal has %+v (%v)", list, err)
	}
	s.bobbyGot(t, 0)
}

func TestACallerWhoLeavesAfterTheBytesKnowsNothing(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	pay := s.built()
	p.box.Delay(patience)
	ctx, cancel := context.WithTimeout(s.ctx, 500*time.Millisecond)
	defer cancel()
	got, err := s.wallet.Payments.SendEntry(ctx, pay)
	if e := refused(t, err, fault.OutcomeUnknown); got.State != payment.Unknown || !strings.Contains(e.Message, pay.ID.String()) {
		t.Errorf("it is %+v, told as %q", got, e.Message)
	}
	p.box.Delay(0)
	s.end() // the line stays slow: begin anew
	s = p.sit()
	s.mineUntil(pay.ID, payment.Irreversible)
	s.bobbyGot(t, 1)
}

// An answer that says refused, where the journal cannot keep it: the next run
// would send the bytes, so nobody may be told that nothing was spent.
func TestARefusalThatCannotBeWrittenDownIsNone(t *testing.T) {
	p := newPlace(t)
	r := relayTo(t, p.url)
	direct := p.url
	p.url = r.url
	s := p.sit()
	pay := s.built()
	must(t, p.box.RefuseBroadcast(10, "not today"))
	r.set(func(r *relay) {
		r.swap = func(answer string) string {
			if strings.Contains(answer, "not today") {
				_ = s.kept.Close()
			}
			return answer
		}
	})
	got, err := s.wallet.Payments.SendEntry(s.ctx, pay)
	if !refused(t, err, fault.DaemonRefused).Unsettled || got.State != payment.Unknown {
		t.Errorf("it is %s, told as %v", got.State, err)
	}
	s.end()
	p.url = direct
	s = p.sit()
	s.mineUntil(pay.ID, payment.Irreversible)
	s.bobbyGot(t, 1)
}

// A daemon that says no and passes the payment on all the same: blocks are right.
func TestABlockIsRightAgainstARefusal(t *testing.T) {
	p := newPlace(t)
	r := relayTo(t, p.url)
	p.url = r.url
	s := p.sit()
	pay := s.built()
	var once sync.Once
	r.set(func(r *relay) {
		r.swap = func(answer string) string {
			if strings.Contains(answer, `"result":null`) {
				once.Do(func() { answer = refuseSending(answer) })
			}
			return answer
		}
	})
	got, err := s.wallet.Payments.SendEntry(s.ctx, pay)
	if e := refused(t, err, fault.DaemonRefused); !e.Unsettled || strings.Contains(e.Error(), "nothing was spent") ||
		got.State != payment.Unknown {
		t.Errorf("it is %s, told as %v", got.State, err)
	}
	s.mineUntil(pay.ID, payment.InBlock)
	s.mineUntil(pay.ID, payment.Irreversible)
	s.end()
	if got, err := p.sit().wallet.Payments.Get(t.Context(), pay.ID.String()); err != nil || got.State != "irreversible" ||
		got.Reason != "" {
		t.Errorf("the journal has %+v (%v)", got, err)
	}
}

// The program may end between the refusal and the block: the next run looks for
// both, once, and finds that one happened after all and the other did not.
func TestARefusalIsLookedForAfterARestart(t *testing.T) {
	p := newPlace(t)
	r := relayTo(t, p.url)
	direct := p.url
	p.url = r.url
	s := p.sit()
	refusedAt := func(refuse func()) ledger.TransactionID {
		pay := s.built()
		refuse()
		_, err := s.wallet.Payments.SendEntry(s.ctx, pay)
		refused(t, err, fault.DaemonRefused)
		return pay.ID
	}
	never := refusedAt(func() { must(t, p.box.RefuseBroadcast(10, "not today")) })
	passedOn := refusedAt(func() {
		var once sync.Once
		r.set(func(r *relay) {
			r.swap = func(answer string) string {
				if strings.Contains(answer, `"result":null`) {
					once.Do(func() { answer = refuseSending(answer) })
				}
				return answer
			}
		})
	})
	s.end()
	p.url = direct
	_, err := p.box.Mine()
	must(t, err)
	s = p.sit()
	s.settled(passedOn, payment.InBlock)
	if got := s.payment(never); got.State != payment.Unknown {
		t.Errorf("the other became %s", got.State)
	}
	s.mineUntil(passedOn, payment.Irreversible)
	p.now.forward(time.Minute)
	for range 5 {
		s.mine()
	}
	s.until("the proof", func() bool { return len(s.wallet.Payments.OnWatch(p.box.ChainID())) == 0 })
	s.bobbyGot(t, 1)
	s.end()
	s = p.sit()
	if open, err := s.journal.Open(s.ctx); err != nil || len(open) != 0 || len(s.wallet.Payments.Recent()) != 0 {
		t.Errorf("it is looked for for ever: %+v (%v)", open, err)
	}
	if got, err := s.wallet.Payments.Get(s.ctx, never.String()); err != nil || got.State != "rejected" {
		t.Errorf("it became %+v (%v)", got, err)
	}
}

func refuseSending(answer string) string {
	return strings.Replace(
		answer,
		`"result":null`,
		`"error":{"code":1,"message":"no","data":{"code":10,"name":"assert_exception","message":"no","stack":[]}}`,
		1,
	)
}

// A refused payment is looked for no longer than it could get into a block.
func TestARefusalIsWatchedUntilItIsProven(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	must(t, p.box.RefuseBroadcast(10, "not today"))
	pay := s.built()
	if got, err := s.wallet.Payments.SendEntry(s.ctx, pay); !refused(t, err, fault.DaemonRefused).Unsettled ||
		got.State != payment.Unknown {
		t.Errorf("it is %s, told as %v", got.State, err)
	}
	watched := func() int { return len(s.wallet.Payments.OnWatch(p.box.ChainID())) }
	if watched() != 1 {
		t.Fatal("it is not watched")
	}
	p.now.forward(time.Minute)
	for range 5 {
		s.mine()
	}
	s.until("the end of the watch", func() bool { return watched() == 0 })
	if got := s.payment(pay.ID); got.State != payment.Rejected {
		t.Errorf("it became %s", got.State)
	}
}

// held lets a refusal wait until release is closed; seen is closed when it came.
func held(r *relay) (seen, release chan struct{}) {
	seen, release = make(chan struct{}), make(chan struct{})
	var once sync.Once
	r.set(func(r *relay) {
		r.swap = func(answer string) string {
			if strings.Contains(answer, "not today") {
				once.Do(func() { close(seen) })
				<-release
			}
			return answer
		}
	})
	return seen, release
}

// The first sending is refused while another of the same bytes is under way:
// what became of that one is not known, so nobody is told that nothing was spent.
func TestARefusalIsNoneWhileTheBytesAreOutAgain(t *testing.T) {
	p := newPlace(t)
	direct := p.url
	r := relayTo(t, p.url)
	p.url = r.url
	one := p.sit()
	pay := one.built()
	must(t, p.box.RefuseBroadcast(10, "not today"))
	seen, release := held(r)
	outcome := make(chan error, 1)
	go func() {
		_, err := one.wallet.Payments.SendEntry(one.ctx, pay)
		outcome <- err
	}()
	<-seen
	p.url = direct
	two := p.sit() // takes up what is in the journal, as a program does that starts
	two.settled(pay.ID, payment.Sent)
	close(release)
	if err := <-outcome; err != nil && !refused(t, err, fault.DaemonRefused).Unsettled {
		t.Error(err)
	}
	two.mineUntil(pay.ID, payment.Irreversible)
	one.mineUntil(pay.ID, payment.Irreversible)
	one.bobbyGot(t, 1)
}

// What a daemon refused is not sent again by itself; a person may.
func TestARefusedPaymentIsSentAgainWhenAsked(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	pay := s.built()
	must(t, p.box.RefuseBroadcast(10, "not today"))
	_, err := s.wallet.Payments.SendEntry(s.ctx, pay)
	refused(t, err, fault.DaemonRefused)
	s.mine()
	s.mine()
	if got := s.payment(pay.ID); got.State != payment.Unknown {
		t.Errorf("it became %s", got.State)
	}
	must(t, s.wallet.Payments.Resend(s.ctx, pay.ID))
	s.mineUntil(pay.ID, payment.Irreversible)
	s.bobbyGot(t, 1)
	refused(t, s.wallet.Payments.Resend(s.ctx, pay.ID), fault.NoSuchPayment)
	refused(t, s.wallet.Payments.Resend(s.ctx, ledger.TransactionID{1}), fault.NoSuchPayment)
}

func TestPayingWithoutADaemonSendsNothing(t *testing.T) {
	p := newPlace(t)
	r := relayTo(t, p.url)
	p.url = r.url
	s := p.sit()
	pay := s.built()
	r.hangUp(true)
	s.until("the loss of the line", func() bool { return s.wallet.Status().Daemon == walletcore.DaemonOffline })
	_, err := s.wallet.Payments.SendEntry(s.ctx, pay)
	if code := fault.CodeOf(err); code != fault.DaemonAway && code != fault.DaemonGarbage {
		t.Error(err)
	}
	if list, err := s.wallet.Payments.List(s.ctx, 10); err != nil || len(list) != 0 {
		t.Errorf("it left %+v (%v)", list, err)
	}
	r.set(func(r *relay) { r.down = false })
	must(t, s.client.WaitOnline(s.ctx))
	s.mine()
	s.bobbyGot(t, 0)
}

// A node that was killed takes the same bytes again, although a block of its holds them. While that
// block cannot be read nothing is sent, not even when a person asks for it.
func TestBytesStayHereWhileTheBlocksOfAForgetfulNodeCannotBeRead(t *testing.T) {
	p := newPlace(t)
	r := relayTo(t, p.url)
	p.url = r.url
	s := p.sit()
	r.set(func(r *relay) { r.swap = withoutBlocks })
	id := s.pay("alice", "bobby", "1", "").TransactionID
	_, err := p.box.Mine()
	must(t, err)
	before, err := s.client.Current()
	must(t, err)
	must(t, p.box.Kill(0, 0))
	for now := before; now.Same(before) || err != nil; now, err = s.client.Current() {
		time.Sleep(time.Millisecond)
	}
	if s.wallet.Payments.Resend(s.ctx, id) == nil {
		t.Error("it was sent without a look at the blocks")
	}
	for range 3 {
		s.mine()
	}
	r.set(func(r *relay) { r.swap = nil })
	s.mineUntil(id, payment.Irreversible)
	s.bobbyGot(t, 1)
}

// withoutBlocks answers that there are no blocks.
func withoutBlocks(answer string) string {
	if blockAnswer.MatchString(answer) {
		return regexp.MustCompile(`"result":\{.*\}\}`).ReplaceAllString(answer, `"result":null}`)
	}
	return answer
}

// The same node with blocks that can be read: they hold the payment, and it is not sent.
func TestAForgetfulNodeIsNotPaidTwice(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	first := s.pay("alice", "bobby", "1", "").TransactionID
	_, err := p.box.Mine()
	must(t, err)
	must(t, p.box.Kill(20*time.Millisecond, 0))
	s.settled(first, payment.InBlock)
	lost := s.pay("alice", "bobby", "1", "").TransactionID
	_, err = p.box.Mine()
	must(t, err)
	must(t, p.box.Kill(20*time.Millisecond, 1)) // the block with the second one is lost, and it is sent again
	s.settled(lost, payment.Sent)
	s.mineUntil(lost, payment.Irreversible)
	s.bobbyGot(t, 2)
}
