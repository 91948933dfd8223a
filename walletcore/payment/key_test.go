package payment_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

func (s *sitting) keyed(key string, change func(*txbuild.TransferParams)) (*txbuild.Signed, error) {
	req := testwallet.OneDCT()
	req.Memo = "for order 77"
	if change != nil {
		change(&req)
	}
	return s.Transfer(req, payment.Sending{Broadcast: true, Key: key})
}

// A key is refused where nothing would keep it, and a dry run refuses the key of another payment.
func TestARequestKeyIsOfABroadcast(t *testing.T) {
	s := newPlace(t).sit()
	_, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Key: "order 77"})
	faulttest.Refused(t, err, fault.RequestKey)
	_, err = s.keyed("order 77", nil)
	testwallet.Must(t, err)
	_, err = s.Transfer(testwallet.OneDCT(), payment.Sending{Key: "order 77"})
	faulttest.Refused(t, err, fault.RequestKey)
	rent := testwallet.OneDCT()
	rent.Memo = "for order 77"
	how := payment.Sending{Broadcast: true, Key: "order 77"}
	_, err = s.Payments.Export(s.Ctx, txbuild.NewRequest("transfer", rent, txbuild.Transfer), 3600, how)
	faulttest.Refused(t, err, fault.RequestKey)
	_, err = s.Payments.DryRun(s.Ctx, txbuild.NewRequest("transfer", rent, txbuild.Transfer), how)
	if e := faulttest.Refused(t, err, fault.RequestKey); e.RequestKey != fault.KeySame || !strings.Contains(e.Hint, "pays nothing") {
		t.Errorf("a dry run of what was made is told as %q, %q, %q", e.Message, e.Hint, e.RequestKey)
	}
	rent.Amount = "2"
	_, err = s.Payments.DryRun(s.Ctx, txbuild.NewRequest("transfer", rent, txbuild.Transfer), how)
	faulttest.Refused(t, err, fault.RequestKey)
}

func TestARequestKeyPaysOnceInEveryState(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	first, err := s.keyed("order 77", nil)
	testwallet.Must(t, err)
	same := func(when string) {
		t.Helper()
		again, err := s.keyed("order 77", nil)
		if err != nil || again.TransactionID != first.TransactionID {
			t.Errorf("%s: another payment, %+v, %v", when, again, err)
		}
	}
	same("sent")
	s.mineUntil(first.TransactionID, payment.InBlock)
	same("in a block")
	s.mineUntil(first.TransactionID, payment.Irreversible)
	same("irreversible")
	s.end()
	s = p.sit()
	same("after a restart")
	for what, change := range map[string]func(*txbuild.TransferParams){
		"amount": func(r *txbuild.TransferParams) { r.Amount = "2" }, "memo": func(r *txbuild.TransferParams) { r.Memo = "for order 78" },
		"recipient": func(r *txbuild.TransferParams) { r.To = "carol" }, "no memo": func(r *txbuild.TransferParams) { r.Memo = "" },
		"a memo for all": func(r *txbuild.TransferParams) { r.Plain = true }, "asset": func(r *txbuild.TransferParams) { r.Asset = "ALX.GOLD" },
	} {
		_, err := s.keyed("order 77", change)
		if e := faulttest.Refused(t, err, fault.RequestKey); strings.Contains(e.Error(), first.TransactionID.String()) ||
			!strings.Contains(e.Hint, "get_payment order 77") {
			t.Errorf("another %s is told as %q", what, e.Message)
		}
	}
	same("by its id")
	other, err := s.keyed("order 78", nil)
	if err != nil || other.TransactionID == first.TransactionID {
		t.Errorf("another key gave %+v, %v", other, err)
	}
	s.mineUntil(other.TransactionID, payment.InBlock)
	s.bobbyGot(t, 2)
}

// Names and ids of the same account, asset and amount are the same request.
func TestARequestKeyComparesWhatIsDone(t *testing.T) {
	s := newPlace(t).sit()
	first, err := s.keyed("a", nil)
	testwallet.Must(t, err)
	again, err := s.keyed("a", func(r *txbuild.TransferParams) {
		r.To, r.Amount, r.Asset = s.Account("bobby").ID.String(), "1.00", ledger.CoreAsset.String()
	})
	if err != nil || again.TransactionID != first.TransactionID {
		t.Errorf("got %+v, %v", again, err)
	}
}

func TestTheFirstFailureIsRemembered(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	testwallet.Must(t, p.box.RefuseBroadcast(10, "not today"))
	_, err := s.keyed("a", nil)
	first := faulttest.Refused(t, err, fault.DaemonRefused)
	_, err = s.keyed("a", nil)
	if e := faulttest.Refused(t, err, fault.DaemonRefused); string(e.Data) != string(first.Data) || len(e.Data) == 0 {
		t.Errorf("the daemon's error is %s, and was %s", e.Data, first.Data)
	}
	s.end()
	s = p.sit()
	repeated := func() *fault.Error {
		t.Helper()
		_, err = s.keyed("a", nil)
		e := faulttest.Refused(t, err, fault.DaemonRefused)
		if !strings.Contains(e.Message, "not today") || strings.Count(e.Message, "refused") != 1 || !strings.Contains(string(e.Data), `"code":10,"name":"assert_exception"`) {
			t.Errorf("it is told as %q, the daemon's error as %s", e.Message, e.Data)
		}
		return e
	}
	repeated()
	got, err := s.Payments.Get(s.Ctx, "a")
	if err != nil || got.State != "unknown" {
		t.Errorf("by its key: %+v, %v", got, err)
	}
	p.now.Forward(time.Minute)
	s.mineUntil(got.TransactionID, payment.Rejected)
	if e := repeated(); e.Unsettled {
		t.Errorf("it is proven, and told as %q", e)
	}
	s.end()

	s = p.sit() // one that was prepared under a key, cannot be sent, and expires
	pay := s.prepare()
	pay.Transaction().Signatures[0][9] ^= 1
	pay.ID, pay.Key = otherID(t, pay.Transaction()), "b"
	testwallet.Must(t, s.Payments.WriteEntry(s.Ctx, pay))
	s.end()
	s = p.sit()
	s.waitFor(pay.ID, payment.Unknown)
	again := func() error {
		_, err := s.Payments.Spend(
			s.Ctx,
			txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer),
			payment.Sending{Broadcast: true, Key: "b"},
		)
		return err
	}
	faulttest.Refused(t, again(), fault.OutcomeUnknown)
	p.now.Forward(time.Minute)
	s.mineUntil(pay.ID, payment.Expired)
	faulttest.Refused(t, again(), fault.Expired)
}

// A program that fails to pay under a key knows from the error which key it may use next. That a daemon is away
// can mean both: nothing is recorded, or what is recorded was never sent.
func TestAnErrorSaysWhichKeyMayBeUsedNext(t *testing.T) {
	p := newPlace(t)
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	s := p.sit()
	refused := func(err error, code fault.Code, next fault.KeyUse) {
		t.Helper()
		if e := faulttest.Refused(t, err, code); e.RequestKey != next {
			t.Errorf("%q says %q of its key, want %q", e, e.RequestKey, next)
		}
	}
	first, err := s.keyed("paid", nil)
	testwallet.Must(t, err)
	s.mineUntil(first.TransactionID, payment.InBlock)

	// The connection is lost while the payment is written down.
	free := p.busyJournal()
	told := make(chan error, 1)
	go func() {
		_, err := s.keyed("order 1", nil)
		told <- err
	}()
	for len(s.Payments.Recent()) < 2 {
		time.Sleep(time.Millisecond)
	}
	r.HangUp(true)
	s.Until("the loss of the line", func() bool { return s.Status().Daemon == walletcore.DaemonOffline })
	free()
	refused(<-told, fault.NeverSent, fault.KeyNew)
	_, err = s.keyed("order 1", nil)
	refused(err, fault.NeverSent, fault.KeyNew)

	// Without a daemon nothing is recorded.
	_, err = s.keyed("order 2", nil)
	refused(err, fault.DaemonAway, fault.KeySame)
	r.Set(func(r *testwallet.Relay) { r.Down = false })
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	_, err = s.keyed("order 1", nil)
	refused(err, fault.NeverSent, fault.KeyNew)
	_, err = s.keyed("paid", func(r *txbuild.TransferParams) { r.Amount = "2" })
	refused(err, fault.RequestKey, fault.KeyTaken)
	_, err = s.keyed("order 3", func(r *txbuild.TransferParams) { r.Amount = "no amount" })
	refused(err, fault.BadAmount, fault.KeySame)
	for _, never := range []string{strings.Repeat("k", store.LongestKey+1), "a\x00b", "\xff"} { // repeated, it would never be paid
		_, err = s.keyed(never, nil)
		refused(err, fault.RequestKey, fault.KeyNew)
	}
	_, err = s.keyed("", func(r *txbuild.TransferParams) { r.Amount = "no amount" })
	refused(err, fault.BadAmount, "")
	for _, key := range []string{"order 2", "order 3", "a new one instead of order 1"} {
		paid, err := s.keyed(key, nil)
		testwallet.Must(t, err)
		s.mineUntil(paid.TransactionID, payment.InBlock)
	}
	s.bobbyGot(t, 4)
}

func TestManyCallersWithOneKeyPayOnce(t *testing.T) {
	s := newPlace(t).sit()
	const callers = 32
	var wg sync.WaitGroup
	infos, errs := make([]*txbuild.Signed, callers), make([]error, callers)
	for i := range callers {
		wg.Go(func() { infos[i], errs[i] = s.keyed("all of us", nil) })
	}
	wg.Wait()
	for i := range callers {
		if errs[i] != nil || infos[i].TransactionID != infos[0].TransactionID {
			t.Fatalf("caller %d got %+v, %v", i, infos[i], errs[i])
		}
	}
	s.mineUntil(infos[0].TransactionID, payment.InBlock)
	s.bobbyGot(t, 1)
	if s.Payments.HeldKeys() != 0 {
		t.Error("locks of keys are kept for ever")
	}
}

// Two programs with one wallet, as a server and a call from the shell.
func TestTwoProgramsWithOneKeyPayOnce(t *testing.T) {
	p := newPlace(t)
	one, two := p.sit(), p.sit()
	one.Pay("alice", "bobby", "1", "") // there is a journal
	var wg sync.WaitGroup
	var ids [2][8]ledger.TransactionID
	for n, s := range []*sitting{one, two} {
		for i := range ids[n] {
			wg.Go(func() {
				info, err := s.keyed("order "+string(rune('a'+i)), nil)
				if err == nil {
					ids[n][i] = info.TransactionID
				} else if fault.CodeOf(err) != fault.OutcomeUnknown { // the other has just begun
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	one.Mine()
	two.Mine()
	for i := range ids[0] {
		if a, b := ids[0][i], ids[1][i]; a != b && a != (ledger.TransactionID{}) && b != (ledger.TransactionID{}) {
			t.Errorf("one key, two payments: %s, %s", a, b)
		}
	}
	one.bobbyGot(t, int64(len(ids[0]))+1)
}

func TestAKeyThatIsInUseIsWaitedForNoLongerThanAsked(t *testing.T) {
	s := newPlace(t).sit()
	unlock, err := s.Payments.LockKey(s.Ctx, "a")
	testwallet.Must(t, err)
	ctx, cancel := context.WithCancel(s.Ctx)
	cancel()
	_, err = s.Payments.Spend(
		ctx,
		txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer),
		payment.Sending{Broadcast: true, Key: "a"},
	)
	if code := fault.CodeOf(err); code != fault.Canceled {
		t.Errorf("got %v", err)
	}
	unlock()
	_, err = s.Payments.Spend(
		s.Ctx,
		txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer),
		payment.Sending{Broadcast: true, Key: "a"},
	)
	testwallet.Must(t, err)
}

func TestKeysThatCannotBeUsed(t *testing.T) {
	s := newPlace(t).sit()
	_, err := s.keyed(strings.Repeat("x", payment.LongestKey+1), nil)
	faulttest.Refused(t, err, fault.RequestKey)
	bare := testwallet.Open(t, "alice") // without a journal
	_, err = bare.Payments.Spend(
		bare.Ctx,
		txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer),
		payment.Sending{Broadcast: true, Key: "a"},
	)
	faulttest.Refused(t, err, fault.RequestKey)
	if len(s.Payments.Recent())+len(bare.Payments.Recent()) != 0 {
		t.Error("something was sent")
	}
}

func TestRegisteringAnAccountTwiceUnderOneKey(t *testing.T) {
	s := newPlace(t).sit()
	key := testwallet.Key("alice").Public()
	register := func(name, request string) (*txbuild.Signed, error) {
		return s.Payments.Spend(
			s.Ctx,
			txbuild.NewRequest(
				"register_account",
				txbuild.RegisterAccountParams{Name: name, Owner: key, Active: key, Registrar: "alice"},
				txbuild.RegisterAccount,
			),
			payment.Sending{Broadcast: true, Key: request},
		)
	}
	first, err := register("newcomer-1", "a")
	testwallet.Must(t, err)
	for range 3 {
		again, err := register("newcomer-1", "a")
		if err != nil || again.TransactionID != first.TransactionID {
			t.Fatalf("got %+v, %v", again, err)
		}
		s.Mine() // then the name is taken, by this very request
	}
	_, err = register("newcomer-2", "a")
	faulttest.Refused(t, err, fault.RequestKey)
	_, err = register("newcomer-1", "b")
	faulttest.Refused(t, err, fault.AccountExists)
}

func TestNoKeyIsTheIDOfAPayment(t *testing.T) {
	s := newPlace(t).sit()
	first, err := s.keyed("a", nil)
	testwallet.Must(t, err)
	for _, key := range []string{first.TransactionID.String(), strings.ToUpper(first.TransactionID.String())} {
		_, err = s.keyed(key, nil) // which get_payment would answer with the first one
		if e := faulttest.Refused(t, err, fault.RequestKey); e.RequestKey != fault.KeyNew {
			t.Errorf("%s: %q", key, e.RequestKey)
		}
		got, err := s.Payments.Get(s.Ctx, key)
		if err != nil || got.TransactionID != first.TransactionID {
			t.Errorf("found %s (%v)", got.TransactionID, err)
		}
	}
	_, err = s.keyed(strings.Repeat("ab", 20), nil) // the id of no payment of this wallet
	testwallet.Must(t, err)
	if _, err := s.journal.ByKey(s.Ctx, "nothing"); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}

// While a request is carried out, nobody is told that there is no payment under its key.
func TestARequestThatIsCarriedOutIsTold(t *testing.T) {
	s := newPlace(t).sit()
	waited := make(chan error, 1)
	how := payment.Sending{Broadcast: true, Key: "order 77", Approve: func(context.Context, txbuild.Review) error {
		_, err := s.Payments.Get(s.Ctx, "order 77")
		if e := faulttest.Refused(t, err, fault.OutcomeUnknown); e.RequestKey != fault.KeySame {
			t.Errorf("it is told as %+v", e)
		}
		_, err = s.Payments.Wait(s.Ctx, "order 77", "in_block", 0)
		faulttest.Refused(t, err, fault.OutcomeUnknown)
		go func() {
			_, err := s.Payments.Wait(s.Ctx, "order 77", "in_block", 60)
			waited <- err
		}()
		return nil
	}}
	_, err := s.Payments.Get(s.Ctx, "order 77")
	if e := faulttest.Refused(t, err, fault.NoSuchPayment); e.RequestKey != fault.KeySame {
		t.Errorf("before, it is told as %+v", e)
	}
	_, err = s.Transfer(testwallet.OneDCT(), how)
	testwallet.Must(t, err)
	s.Mine()
	testwallet.Must(t, <-waited)
}

// Whoever has to agree is asked once for one payment: not again for a request
// that is repeated, and again after a no, which leaves nothing behind.
func TestARepeatedRequestAsksNobodyAgain(t *testing.T) {
	s := newPlace(t).sit()
	asked, answer := 0, error(&fault.Error{Code: fault.Denied, Op: "transfer", Message: "no"})
	how := payment.Sending{Broadcast: true, Key: "order 77", Approve: func(_ context.Context, r txbuild.Review) error {
		if asked++; r.Amount != 1_0000_0000 || r.To.Name != "bobby" {
			t.Errorf("asked for %+v", r)
		}
		return answer
	}}
	_, err := s.Transfer(testwallet.OneDCT(), how)
	faulttest.Refused(t, err, fault.Denied)
	_, err = s.Payments.Get(s.Ctx, how.Key)
	faulttest.Refused(t, err, fault.NoSuchPayment)
	answer = nil
	first, err := s.Transfer(testwallet.OneDCT(), how)
	testwallet.Must(t, err)
	again, err := s.Transfer(testwallet.OneDCT(), how)
	if err != nil || again.TransactionID != first.TransactionID || asked != 2 {
		t.Errorf("%v, %v, asked %d times", again, err, asked)
	}
	s.mineUntil(first.TransactionID, payment.InBlock)
	s.bobbyGot(t, 1)
}

// The same words need no daemon to be known again, in this run or a later one;
// other words do, and say so.
func TestARepeatedRequestNeedsNoDaemon(t *testing.T) {
	p := newPlace(t)
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	s := p.sit()
	first, err := s.keyed("order 77", nil)
	testwallet.Must(t, err)
	s.mineUntil(first.TransactionID, payment.Irreversible)
	testwallet.Must(t, p.box.RefuseBroadcast(10, "not today"))
	_, err = s.keyed("order 78", nil)
	faulttest.Refused(t, err, fault.DaemonRefused)
	s.end()
	r.HangUp(true)
	s = p.sitAway()
	again, err := s.keyed("order 77", nil)
	if err != nil || again.TransactionID != first.TransactionID {
		t.Errorf("without a daemon: %+v, %v", again, err)
	}
	_, err = s.keyed("order 78", nil)
	faulttest.Refused(t, err, fault.DaemonRefused)
	_, err = s.keyed("order 79", nil) // a line that is cut at once may look like nonsense
	if err == nil || strings.Contains(err.Error(), "get_payment") {
		t.Errorf("a new request is told as %v", err)
	}
	inOtherWords := func(r *txbuild.TransferParams) { r.From, r.Amount = "1.2.16", "1.0" }
	another := func(r *txbuild.TransferParams) { r.Amount = "2" }
	for _, change := range []func(*txbuild.TransferParams){inOtherWords, another} {
		_, err := s.keyed("order 77", change)
		e := faulttest.Refused(t, err, fault.DaemonAway)
		if strings.Contains(e.Error(), first.TransactionID.String()) || !strings.Contains(e.Hint, "get_payment order 77") {
			t.Errorf("it is told as %q (%q)", e.Message, e.Hint)
		}
	}
	r.Set(func(r *testwallet.Relay) { r.Down = false })
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	if again, err := s.keyed("order 77", inOtherWords); err != nil || again.TransactionID != first.TransactionID {
		t.Errorf("in other words: %+v, %v", again, err)
	}
	_, err = s.keyed("order 77", another)
	faulttest.Refused(t, err, fault.RequestKey)
	s.bobbyGot(t, 1)
}

// otherID makes a transaction another one, and returns its id.
func otherID(t *testing.T, tx *ledger.SignedTransaction) ledger.TransactionID {
	t.Helper()
	tx.RefBlockPrefix++
	id, err := tx.ID()
	testwallet.Must(t, err)
	return id
}

// A key that is read from a file with CRLF is not the one that somebody reads, and would pay a second time. No new payment is made under it; one
// that was made before is still found under it, and answers its request.
func TestANewRequestKeyIsWhatSomebodyReads(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	for key, want := range map[string]string{"order–31": "character 6 of the request key is a dash of a word processor (U+2013)", "Bob’s 31": "character 4 of the request key is a quote of a word processor (U+2019)",
		"order-31\u221278": "character 9 of the request key is a dash"} {
		_, err := s.keyed(key, nil)
		if e := faulttest.Refused(t, err, fault.RequestKey); !strings.Contains(e.Message, want) || e.RequestKey != fault.KeyNew {
			t.Errorf("%q: %v, want %s", key, err, want)
		}
	}
	for _, key := range []string{"order-31\r", "order-7 ", " order-7", "order-7\u00a0", "order\u00a07", "order-7\u200b", "\ufefforder-7", "\x01order-7", "  ", "\t", "cafe\u0301"} {
		_, err := s.keyed(key, nil)
		if e := faulttest.Refused(t, err, fault.RequestKey); e.RequestKey != fault.KeyNew || !strings.Contains(e.Message, "character ") {
			t.Errorf("%+q: %v, next key %q", key, err, e.RequestKey)
		}
		_, err = s.Payments.DryRun(s.Ctx, txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer), payment.Sending{Broadcast: true, Key: key})
		faulttest.Refused(t, err, fault.RequestKey)
	}
	for _, key := range []string{"order-31", "order 7", "caf\u00e9"} {
		_, err := s.keyed(key, nil)
		testwallet.Must(t, err)
	}
	pay := s.prepare()
	pay.Transaction().Signatures[0][9] ^= 1
	pay.ID, pay.Key = otherID(t, pay.Transaction()), "order-31\r" // as a version before this rule wrote it
	testwallet.Must(t, s.Payments.WriteEntry(s.Ctx, pay))
	s.end()
	s = p.sit()
	s.waitFor(pay.ID, payment.Unknown)
	if got, err := s.Payments.Get(s.Ctx, pay.Key); err != nil || got.TransactionID != pay.ID {
		t.Errorf("by its key: %+v, %v", got, err)
	}
	_, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true, Key: pay.Key})
	faulttest.Refused(t, err, fault.OutcomeUnknown) // what is known of the first
}
