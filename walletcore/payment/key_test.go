package payment_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
)

func (s *sitting) keyed(key string, change func(*build.TransferParams)) (*build.Signed, error) {
	req := oneDCT
	req.Memo = "for order 77"
	if change != nil {
		change(&req)
	}
	return s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", req, build.Transfer), payment.Sending{Broadcast: true, Key: key})
}

func TestARequestKeyPaysOnceInEveryState(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	first, err := s.keyed("order 77", nil)
	must(t, err)
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
	for what, change := range map[string]func(*build.TransferParams){
		"amount": func(r *build.TransferParams) { r.Amount = "2" }, "memo": func(r *build.TransferParams) { r.Memo = "for order 78" },
		"recipient": func(r *build.TransferParams) { r.To = "carol" }, "no memo": func(r *build.TransferParams) { r.Memo = "" },
		"a memo for all": func(r *build.TransferParams) { r.Plain = true }, "asset": func(r *build.TransferParams) { r.Asset = "ALX.GOLD" },
	} {
		_, err := s.keyed("order 77", change)
		if e := refused(t, err, fault.RequestKey); strings.Contains(e.Error(), first.TransactionID.String()) ||
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
	must(t, err)
	again, err := s.keyed("a", func(r *build.TransferParams) {
		r.To, r.Amount, r.Asset = s.account("bobby").ID.String(), "1.00", ledger.CoreAsset.String()
	})
	if err != nil || again.TransactionID != first.TransactionID {
		t.Errorf("got %+v, %v", again, err)
	}
}

func TestTheFirstFailureIsRemembered(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	must(t, p.box.RefuseBroadcast(10, "not today"))
	_, err := s.keyed("a", nil)
	refused(t, err, fault.DaemonRefused)
	_, err = s.keyed("a", nil)
	refused(t, err, fault.DaemonRefused)
	s.end()
	s = p.sit()
	_, err = s.keyed("a", nil)
	if e := refused(t, err, fault.DaemonRefused); !strings.Contains(e.Message, "not today") {
		t.Errorf("it is told as %q", e.Message)
	}
	got, err := s.wallet.Payments.Get(s.ctx, "a")
	if err != nil || got.State != "unknown" {
		t.Errorf("by its key: %+v, %v", got, err)
	}
	p.now.forward(time.Minute)
	s.mineUntil(got.TransactionID, payment.Rejected)
	_, err = s.keyed("a", nil)
	if e := refused(t, err, fault.DaemonRefused); e.Unsettled {
		t.Errorf("it is proven, and told as %q", e)
	}
	s.end()

	s = p.sit() // one that was prepared under a key, cannot be sent, and expires
	pay := s.prepare()
	pay.Transaction().Signatures[0][9] ^= 1
	pay.ID, pay.Key = ledger.TransactionID{7}, "b"
	must(t, s.wallet.Payments.WriteEntry(s.ctx, pay))
	s.end()
	s = p.sit()
	s.settled(pay.ID, payment.Unknown)
	again := func() error {
		_, err := s.wallet.Payments.Spend(
			s.ctx,
			build.NewRequest("transfer", oneDCT, build.Transfer),
			payment.Sending{Broadcast: true, Key: "b"},
		)
		return err
	}
	refused(t, again(), fault.OutcomeUnknown)
	p.now.forward(time.Minute)
	s.mineUntil(pay.ID, payment.Expired)
	refused(t, again(), fault.Expired)
}

func TestManyCallersWithOneKeyPayOnce(t *testing.T) {
	s := newPlace(t).sit()
	const callers = 32
	var wg sync.WaitGroup
	infos, errs := make([]*build.Signed, callers), make([]error, callers)
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
	if s.wallet.Payments.HeldKeys() != 0 {
		t.Error("locks of keys are kept for ever")
	}
}

// Two programs with one wallet, as a server and a call from the shell.
func TestTwoProgramsWithOneKeyPayOnce(t *testing.T) {
	p := newPlace(t)
	one, two := p.sit(), p.sit()
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
	one.mine()
	two.mine()
	for i := range ids[0] {
		if a, b := ids[0][i], ids[1][i]; a != b && a != (ledger.TransactionID{}) && b != (ledger.TransactionID{}) {
			t.Errorf("one key, two payments: %s, %s", a, b)
		}
	}
	one.bobbyGot(t, int64(len(ids[0])))
}

func TestAKeyThatIsInUseIsWaitedForNoLongerThanAsked(t *testing.T) {
	s := newPlace(t).sit()
	unlock, err := s.wallet.Payments.LockKey(s.ctx, "a")
	must(t, err)
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	_, err = s.wallet.Payments.Spend(
		ctx,
		build.NewRequest("transfer", oneDCT, build.Transfer),
		payment.Sending{Broadcast: true, Key: "a"},
	)
	if code := fault.CodeOf(err); code != fault.Canceled {
		t.Errorf("got %v", err)
	}
	unlock()
	_, err = s.wallet.Payments.Spend(
		s.ctx,
		build.NewRequest("transfer", oneDCT, build.Transfer),
		payment.Sending{Broadcast: true, Key: "a"},
	)
	must(t, err)
}

func TestKeysThatCannotBeUsed(t *testing.T) {
	s := newPlace(t).sit()
	_, err := s.keyed(strings.Repeat("x", payment.LongestKey+1), nil)
	refused(t, err, fault.RequestKey)
	bare := open(t, "alice") // without a journal
	_, err = bare.wallet.Payments.Spend(
		bare.ctx,
		build.NewRequest("transfer", oneDCT, build.Transfer),
		payment.Sending{Broadcast: true, Key: "a"},
	)
	refused(t, err, fault.RequestKey)
	if len(s.wallet.Payments.Recent())+len(bare.wallet.Payments.Recent()) != 0 {
		t.Error("something was sent")
	}
}

func TestRegisteringAnAccountTwiceUnderOneKey(t *testing.T) {
	s := newPlace(t).sit()
	key := keyOf("alice").Public()
	register := func(name, request string) (*build.Signed, error) {
		return s.wallet.Payments.Spend(
			s.ctx,
			build.NewRequest(
				"register_account",
				build.RegisterAccountParams{Name: name, Owner: key, Active: key, Registrar: "alice"},
				build.RegisterAccount,
			),
			payment.Sending{Broadcast: true, Key: request},
		)
	}
	first, err := register("newcomer-1", "a")
	must(t, err)
	for range 3 {
		again, err := register("newcomer-1", "a")
		if err != nil || again.TransactionID != first.TransactionID {
			t.Fatalf("got %+v, %v", again, err)
		}
		s.mine() // then the name is taken, by this very request
	}
	_, err = register("newcomer-2", "a")
	refused(t, err, fault.RequestKey)
	_, err = register("newcomer-1", "b")
	refused(t, err, fault.AccountExists)
}

func TestIdsComeBeforeKeysThatLookLikeThem(t *testing.T) {
	s := newPlace(t).sit()
	first, err := s.keyed("a", nil)
	must(t, err)
	second, err := s.keyed(first.TransactionID.String(), nil)
	must(t, err)
	got, err := s.wallet.Payments.Get(s.ctx, first.TransactionID.String())
	if err != nil || got.TransactionID != first.TransactionID || second.TransactionID == first.TransactionID {
		t.Errorf("found %s (%v)", got.TransactionID, err)
	}
	if _, err := s.journal.ByKey(s.ctx, "nothing"); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}

// Whoever has to agree is asked once for one payment: not again for a request
// that is repeated, and again after a no, which leaves nothing behind.
func TestARepeatedRequestAsksNobodyAgain(t *testing.T) {
	s := newPlace(t).sit()
	asked, answer := 0, error(&fault.Error{Code: fault.Denied, Op: "transfer", Message: "no"})
	how := payment.Sending{Broadcast: true, Key: "order 77", Approve: func(_ context.Context, r build.Review) error {
		if asked++; r.Amount != 1_0000_0000 || r.To.Name != "bobby" {
			t.Errorf("asked for %+v", r)
		}
		return answer
	}}
	_, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", oneDCT, build.Transfer), how)
	refused(t, err, fault.Denied)
	_, err = s.wallet.Payments.Get(s.ctx, how.Key)
	refused(t, err, fault.NoSuchPayment)
	answer = nil
	first, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", oneDCT, build.Transfer), how)
	must(t, err)
	again, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", oneDCT, build.Transfer), how)
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
	r := relayTo(t, p.url)
	p.url = r.url
	s := p.sit()
	first, err := s.keyed("order 77", nil)
	must(t, err)
	s.mineUntil(first.TransactionID, payment.Irreversible)
	must(t, p.box.RefuseBroadcast(10, "not today"))
	_, err = s.keyed("order 78", nil)
	refused(t, err, fault.DaemonRefused)
	s.end()
	r.hangUp(true)
	s = p.sitAway()
	again, err := s.keyed("order 77", nil)
	if err != nil || again.TransactionID != first.TransactionID {
		t.Errorf("without a daemon: %+v, %v", again, err)
	}
	_, err = s.keyed("order 78", nil)
	refused(t, err, fault.DaemonRefused)
	_, err = s.keyed("order 79", nil) // a line that is cut at once may look like nonsense
	if err == nil || strings.Contains(err.Error(), "get_payment") {
		t.Errorf("a new request is told as %v", err)
	}
	inOtherWords := func(r *build.TransferParams) { r.From, r.Amount = "1.2.16", "1.0" }
	another := func(r *build.TransferParams) { r.Amount = "2" }
	for _, change := range []func(*build.TransferParams){inOtherWords, another} {
		_, err := s.keyed("order 77", change)
		e := refused(t, err, fault.DaemonAway)
		if strings.Contains(e.Error(), first.TransactionID.String()) || !strings.Contains(e.Hint, "get_payment order 77") {
			t.Errorf("it is told as %q (%q)", e.Message, e.Hint)
		}
	}
	r.set(func(r *relay) { r.down = false })
	must(t, s.client.WaitOnline(s.ctx))
	if again, err := s.keyed("order 77", inOtherWords); err != nil || again.TransactionID != first.TransactionID {
		t.Errorf("in other words: %+v, %v", again, err)
	}
	_, err = s.keyed("order 77", another)
	refused(t, err, fault.RequestKey)
	s.bobbyGot(t, 1)
}
