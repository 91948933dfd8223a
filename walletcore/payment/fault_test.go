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
	"billfold/walletcore/database"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// built is a payment of 1 DCT to bobby, signed, as send takes it.
func (s *sitting) built() *payment.Entry {
	s.T.Helper()
	made, err := s.Build.Build(s.Ctx, txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer), false)
	testwallet.Must(s.T, err)
	testwallet.Must(s.T, s.Build.Complete(s.Ctx, made, true))
	signed, err := s.Build.Sign(s.Ctx, made)
	testwallet.Must(s.T, err)
	return s.Payments.EntryOf(signed, txbuild.Review{}, "")
}

func TestNothingIsSentThatCannotBeWrittenDown(t *testing.T) {
	t.Run("closed", func(t *testing.T) {
		s := newPlace(t).sit()
		s.mineUntil(s.Pay("alice", "bobby", "1", "").TransactionID, payment.InBlock) // what was open has been read by now
		testwallet.Must(t, s.kept.Close())
		sendsNothing(t, s.Wallet)
	})
	t.Run("no folder", func(t *testing.T) {
		folder := filepath.Join(testwallet.Folder(t), "none")
		book, err := sqlite.Open(filepath.Join(folder, "payments.db"))
		testwallet.Must(t, err)
		t.Cleanup(func() { testwallet.Must(t, book.Close()) })
		box := testwallet.Ledger(t, sandbox.Options{})
		s := testwallet.Connect(t, filepath.Join(testwallet.Folder(t), "wallet.keys"), box.URL(),
			func(cfg *walletcore.Config) { cfg.Store = book })
		s.Box = box
		testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
		s.Hold("alice")
		s.Mine()
		sendsNothing(t, s)
		testwallet.Must(t, os.MkdirAll(folder, 0o700))
		before := s.DCT("bobby")
		s.Pay("alice", "bobby", "1", "") // the folder is there now
		s.Mine()
		if got := s.DCT("bobby") - before; got != 1_0000_0000 {
			t.Errorf("bobby got %d", got)
		}
	})
}

// sendsNothing tries to pay where the journal cannot be written.
func sendsNothing(t *testing.T, s *testwallet.Wallet) {
	t.Helper()
	before, known := heldOnLedger(s, "bobby"), len(s.Payments.Recent())
	_, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
	if e := faulttest.Refused(t, err, fault.File); !strings.Contains(e.Message+e.Hint, "not sent") &&
		!strings.Contains(e.Hint, "nothing was signed") {
		t.Errorf("told as %q", e)
	}
	d, err := s.Payments.Prepare(
		s.Ctx,
		txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer),
	) // needs the store where nothing of the parties was pinned yet
	if err == nil {
		_, err = s.Payments.Send(s.Ctx, d)
	}
	faulttest.Refused(t, err, fault.File)
	if len(s.Payments.Recent()) != known {
		t.Error("what was not sent is on the list")
	}
	s.Mine()
	if heldOnLedger(s, "bobby") != before {
		t.Error("it was sent")
	}
}

// heldOnLedger returns an account's balance of DCT, read without the wallet.
func heldOnLedger(s *testwallet.Wallet, name string) int64 {
	s.T.Helper()
	who, err := s.Client.LookupAccountNames(s.Ctx, []string{name})
	testwallet.Must(s.T, err)
	held, err := s.Client.GetAccountBalances(s.Ctx, who[0].ID, ledger.CoreAsset)
	testwallet.Must(s.T, err)
	return held[0].Amount
}

// busyJournal keeps everybody from writing to the journal until the function it gives
// is called.
func (p *place) busyJournal() (free func()) {
	p.t.Helper()
	db, err := database.Open(filepath.Join(p.dir, "payments.db"), database.Durable)
	testwallet.Must(p.t, err)
	tx, err := db.Begin()
	testwallet.Must(p.t, err)
	free = sync.OnceFunc(func() {
		testwallet.Must(p.t, tx.Rollback())
		testwallet.Must(p.t, db.Close())
	})
	p.t.Cleanup(free)
	return free
}

// A journal so slow that the payment has expired before it is recorded: the
// caller hears of that, not of a payment that is on its way.
func TestAPaymentThatExpiredWhileItWasWrittenDownIsToldSo(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	// There is a journal, and what the miners have proven of the ledger's past is in it.
	s.mineUntil(s.Pay("alice", "bobby", "1", "").TransactionID, payment.InBlock)
	free := p.busyJournal()
	type answer struct {
		payment.Payment
		err error
	}
	told := make(chan answer, 1)
	pay := s.built()
	go func() {
		got, err := s.Payments.SendEntry(s.Ctx, pay)
		told <- answer{got, err}
	}()
	for s.Payments.Find(pay.ID) == nil {
		time.Sleep(time.Millisecond)
	}
	p.now.Forward(time.Minute)
	for range 28 { // enough for a proof, and too few for what is proven to be written down, which would wait for the journal
		s.Mine()
	}
	for s.Payments.Read(pay.ID).State != payment.Expired {
		time.Sleep(time.Millisecond)
	}
	free()
	got := <-told
	if e := faulttest.Refused(t, got.err, fault.Expired); got.State != payment.Expired || !strings.Contains(e.Message, pay.ID.String()) {
		t.Errorf("it is %s, told as %q", got.State, e.Message)
	}
	s.bobbyGot(t, 1)
}

// A caller whose time runs out while the payment is being recorded knows nothing:
// the write continues, and what is recorded is sent. Its key stands for it meanwhile.
func TestACallerWhoLeavesWhileItIsWrittenDownKnowsNothing(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	s.Pay("alice", "bobby", "1", "") // there is a journal
	free := p.busyJournal()
	ask := func(ctx context.Context) error {
		_, err := s.Payments.Spend(
			ctx,
			txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer),
			payment.Sending{Broadcast: true, Key: "rent"},
		)
		return err
	}
	ctx, leave := context.WithCancel(s.Ctx)
	defer leave()
	go func() {
		for len(s.Payments.Recent()) < 2 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		leave() // it is being recorded
	}()
	faulttest.Refused(t, ask(ctx), fault.OutcomeUnknown)
	again, stop := context.WithTimeout(s.Ctx, 3*time.Second)
	defer stop()
	faulttest.Refused(t, ask(again), fault.OutcomeUnknown)
	free()
	var id ledger.TransactionID
	s.Until("the journal", func() bool {
		got, err := s.Payments.Get(s.Ctx, "rent")
		id = got.TransactionID
		return err == nil
	})
	s.mineUntil(id, payment.Irreversible)
	s.bobbyGot(t, 2)
	if list := s.Payments.Recent(); len(list) != 2 {
		t.Errorf("it was made %d times", len(list)-1)
	}
}

// A caller who leaves before the payment is recorded leaves nothing behind.
func TestACallerWhoLeavesEarlyHasSentNothing(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	pay := s.built()
	ctx, cancel := context.WithCancel(s.Ctx)
	cancel()
	_, err := s.Payments.SendEntry(ctx, pay)
	faulttest.Refused(t, err, fault.Canceled)
	s.end()
	s = p.sit()
	s.Mine()
	if list, err := s.Payments.List(s.Ctx, 10); err != nil || len(list) != 0 {
		t.Errorf("the journal has %+v (%v)", list, err)
	}
	s.bobbyGot(t, 0)
}

func TestACallerWhoLeavesAfterTheBytesKnowsNothing(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	pay := s.built()
	p.box.Delay(testwallet.Patience)
	ctx, cancel := context.WithTimeout(s.Ctx, 500*time.Millisecond)
	defer cancel()
	got, err := s.Payments.SendEntry(ctx, pay)
	if e := faulttest.Refused(t, err, fault.OutcomeUnknown); got.State != payment.Unknown || !strings.Contains(e.Message, pay.ID.String()) {
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
	r := testwallet.RelayTo(t, p.url)
	direct := p.url
	p.url = r.URL
	s := p.sit()
	s.mineUntil(s.Pay("alice", "bobby", "1", "").TransactionID, payment.InBlock) // what was open has been read by now
	pay := s.built()
	testwallet.Must(t, p.box.RefuseBroadcast(10, "not today"))
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			if strings.Contains(answer, "not today") {
				_ = s.kept.Close()
			}
			return answer
		}
	})
	got, err := s.Payments.SendEntry(s.Ctx, pay)
	if !faulttest.Refused(t, err, fault.DaemonRefused).Unsettled || got.State != payment.Unknown {
		t.Errorf("it is %s, told as %v", got.State, err)
	}
	s.end()
	p.url = direct
	s = p.sit()
	s.mineUntil(pay.ID, payment.Irreversible)
	s.bobbyGot(t, 2)
}

// A daemon that says no and passes the payment on all the same: blocks are right.
func TestABlockIsRightAgainstARefusal(t *testing.T) {
	p := newPlace(t)
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	s := p.sit()
	pay := s.built()
	var once sync.Once
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			if strings.Contains(answer, `"result":null`) {
				once.Do(func() { answer = refuseSending(answer) })
			}
			return answer
		}
	})
	got, err := s.Payments.SendEntry(s.Ctx, pay)
	if e := faulttest.Refused(t, err, fault.DaemonRefused); !e.Unsettled || strings.Contains(e.Error(), "nothing was spent") ||
		got.State != payment.Unknown {
		t.Errorf("it is %s, told as %v", got.State, err)
	}
	s.mineUntil(pay.ID, payment.InBlock)
	s.mineUntil(pay.ID, payment.Irreversible)
	s.end()
	if got, err := p.sit().Payments.Get(t.Context(), pay.ID.String()); err != nil || got.State != "irreversible" ||
		got.Reason != "" {
		t.Errorf("the journal has %+v (%v)", got, err)
	}
}

// The program may end between the refusal and the block: the next run looks for
// both, once, and finds that one happened after all and the other did not.
func TestARefusalIsLookedForAfterARestart(t *testing.T) {
	p := newPlace(t)
	r := testwallet.RelayTo(t, p.url)
	direct := p.url
	p.url = r.URL
	s := p.sit()
	refusedAt := func(refuse func()) ledger.TransactionID {
		pay := s.built()
		refuse()
		_, err := s.Payments.SendEntry(s.Ctx, pay)
		faulttest.Refused(t, err, fault.DaemonRefused)
		return pay.ID
	}
	never := refusedAt(func() { testwallet.Must(t, p.box.RefuseBroadcast(10, "not today")) })
	passedOn := refusedAt(func() {
		var once sync.Once
		r.Set(func(r *testwallet.Relay) {
			r.Swap = func(answer string) string {
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
	testwallet.Must(t, err)
	s = p.sit()
	s.waitFor(passedOn, payment.InBlock)
	if got := s.Payment(never); got.State != payment.Unknown {
		t.Errorf("the other became %s", got.State)
	}
	s.mineUntil(passedOn, payment.Irreversible)
	p.now.Forward(time.Minute)
	for range 5 {
		s.Mine()
	}
	s.Until("the proof", func() bool { return len(s.Payments.OnWatch(p.box.ChainID())) == 0 })
	s.bobbyGot(t, 1)
	s.end()
	s = p.sit()
	if open, err := s.journal.Open(s.Ctx); err != nil || len(open) != 0 || len(s.Payments.Recent()) != 0 {
		t.Errorf("it is looked for for ever: %+v (%v)", open, err)
	}
	if got, err := s.Payments.Get(s.Ctx, never.String()); err != nil || got.State != "rejected" {
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
	testwallet.Must(t, p.box.RefuseBroadcast(10, "not today"))
	pay := s.built()
	if got, err := s.Payments.SendEntry(s.Ctx, pay); !faulttest.Refused(t, err, fault.DaemonRefused).Unsettled ||
		got.State != payment.Unknown {
		t.Errorf("it is %s, told as %v", got.State, err)
	}
	watched := func() int { return len(s.Payments.OnWatch(p.box.ChainID())) }
	if watched() != 1 {
		t.Fatal("it is not watched")
	}
	p.now.Forward(time.Minute)
	for range 5 {
		s.Mine()
	}
	s.Until("the end of the watch", func() bool { return watched() == 0 })
	if got := s.Payment(pay.ID); got.State != payment.Rejected {
		t.Errorf("it became %s", got.State)
	}
}

// held lets a refusal wait until release is closed; seen is closed when it came.
func held(r *testwallet.Relay) (seen, release chan struct{}) {
	seen, release = make(chan struct{}), make(chan struct{})
	var once sync.Once
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
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
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	one := p.sit()
	pay := one.built()
	testwallet.Must(t, p.box.RefuseBroadcast(10, "not today"))
	seen, release := held(r)
	outcome := make(chan error, 1)
	go func() {
		_, err := one.Payments.SendEntry(one.Ctx, pay)
		outcome <- err
	}()
	<-seen
	p.url = direct
	two := p.sit() // takes up what is in the journal, as a program does that starts
	two.waitFor(pay.ID, payment.Sent)
	close(release)
	if err := <-outcome; err != nil && !faulttest.Refused(t, err, fault.DaemonRefused).Unsettled {
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
	testwallet.Must(t, p.box.RefuseBroadcast(10, "not today"))
	_, err := s.Payments.SendEntry(s.Ctx, pay)
	faulttest.Refused(t, err, fault.DaemonRefused)
	s.Mine()
	s.Mine()
	if got := s.Payment(pay.ID); got.State != payment.Unknown {
		t.Errorf("it became %s", got.State)
	}
	testwallet.Must(t, s.Payments.Resend(s.Ctx, pay.ID))
	s.mineUntil(pay.ID, payment.Irreversible)
	s.bobbyGot(t, 1)
	faulttest.Refused(t, s.Payments.Resend(s.Ctx, pay.ID), fault.NoSuchPayment)
	faulttest.Refused(t, s.Payments.Resend(s.Ctx, ledger.TransactionID{1}), fault.NoSuchPayment)
}

func TestPayingWithoutADaemonSendsNothing(t *testing.T) {
	p := newPlace(t)
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	s := p.sit()
	pay := s.built()
	r.HangUp(true)
	s.Until("the loss of the line", func() bool { return s.Status().Daemon == walletcore.DaemonOffline })
	_, err := s.Payments.SendEntry(s.Ctx, pay)
	if code := fault.CodeOf(err); code != fault.DaemonAway && code != fault.DaemonGarbage {
		t.Error(err)
	}
	if list, err := s.Payments.List(s.Ctx, 10); err != nil || len(list) != 0 {
		t.Errorf("it left %+v (%v)", list, err)
	}
	r.Set(func(r *testwallet.Relay) { r.Down = false })
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	s.Mine()
	s.bobbyGot(t, 0)
}

// A node that was killed takes the same bytes again, although a block of its holds them. While that
// block cannot be read nothing is sent, not even when a person asks for it.
func TestBytesStayHereWhileTheBlocksOfAForgetfulNodeCannotBeRead(t *testing.T) {
	p := newPlace(t)
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	s := p.sit()
	r.Set(func(r *testwallet.Relay) { r.Swap = withoutBlocks })
	id := s.Pay("alice", "bobby", "1", "").TransactionID
	_, err := p.box.Mine()
	testwallet.Must(t, err)
	before, err := s.Client.Current()
	testwallet.Must(t, err)
	testwallet.Must(t, p.box.Kill(0, 0))
	for now := before; now.Same(before) || err != nil; now, err = s.Client.Current() {
		time.Sleep(time.Millisecond)
	}
	if s.Payments.Resend(s.Ctx, id) == nil {
		t.Error("it was sent without a look at the blocks")
	}
	for range 3 {
		s.Mine()
	}
	r.Set(func(r *testwallet.Relay) { r.Swap = nil })
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
	first := s.Pay("alice", "bobby", "1", "").TransactionID
	_, err := p.box.Mine()
	testwallet.Must(t, err)
	testwallet.Must(t, p.box.Kill(20*time.Millisecond, 0))
	s.waitFor(first, payment.InBlock)
	sent, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
	for fault.CodeOf(err) == fault.DaemonAway { // that the node is down may be seen only now; nothing was sent
		time.Sleep(time.Millisecond)
		sent, err = s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
	}
	testwallet.Must(t, err)
	lost := sent.TransactionID
	_, err = p.box.Mine()
	testwallet.Must(t, err)
	s.waitFor(lost, payment.InBlock)
	testwallet.Must(t, p.box.Kill(20*time.Millisecond, 1)) // the block with the second one is lost, and it is sent again
	s.waitFor(lost, payment.Sent)
	s.mineUntil(lost, payment.Irreversible)
	s.bobbyGot(t, 2)
}

// A database that takes states without an error and does not keep them makes no payment forgotten: it is not told as expired, and its key
// pays no second time. As long as it is so, the wallet is not ready.
func TestAStateThatIsNotKeptIsNotForgotten(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.sit()
	db, err := database.Open(filepath.Join(p.dir, "payments.db"), database.Durable)
	testwallet.Must(t, err)
	defer db.Close()
	do := func(statement string) {
		t.Helper()
		_, err := db.ExecContext(t.Context(), statement)
		testwallet.Must(t, err)
	}
	ready := func(want bool) {
		t.Helper()
		for end := time.Now().Add(testwallet.Patience / 4); (s.kept.Journal.Ready(s.Ctx) == nil) != want; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("ready is not %t", want)
			}
		}
	}
	do(`CREATE TRIGGER silent BEFORE UPDATE ON payments BEGIN SELECT RAISE(IGNORE); END`)
	paid, err := s.keyed("once", nil)
	testwallet.Must(t, err)
	for range 3 {
		p.now.Forward(5 * time.Second)
		s.Mine()
	}
	ready(false)
	do(`DROP TRIGGER silent`)
	for range 20 {
		p.now.Forward(5 * time.Second)
		s.Mine()
	}
	again, err := s.keyed("once", nil)
	testwallet.Must(t, err)
	if info := s.over("once"); again.TransactionID != paid.TransactionID || info.State != payment.Irreversible.String() {
		t.Errorf("it is told %+v, and asked again it is %s", info, again.TransactionID)
	}
	do(`CREATE TRIGGER silent BEFORE INSERT ON payments BEGIN SELECT RAISE(IGNORE); END`)
	ready(false)
	do(`DROP TRIGGER silent`)
	ready(true)
}
