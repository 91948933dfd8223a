package payment_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
)

// place is a wallet's folder with the ledger it pays on: wallets begin and end
// there, one after another or side by side.
type place struct {
	t   testing.TB
	dir string
	box *sandbox.Sandbox
	now *testwallet.Clock
	url string

	book      func() *store.Store                               // how its store is opened; nil: a file in the folder
	idle      bool                                              // nothing follows the chain yet, as in the first moment of a run
	recovered func(string, []payment.FoundPayment) store.Change // see walletcore.Config; nil: none

	clock func() time.Time // the wallet's clock, which its ledger's must fit; nil: the ledger has a clock of its own
}

// newPlace has the keystore of alice.
func newPlace(t testing.TB) *place { return newPlaceOn(t, nil) }

// newPlaceOn is newPlace on a chain of its own.
func newPlaceOn(t testing.TB, genesis *sandbox.Genesis) *place {
	t.Helper()
	now := testwallet.NewClock()
	box := testwallet.Ledger(t, sandbox.Options{Genesis: genesis, Now: now.Now})
	p := &place{t: t, dir: testwallet.Folder(t), box: box, now: now, url: box.URL()}
	s := p.sit()
	testwallet.Must(t, s.Vault.Create(s.Ctx, testwallet.Password))
	s.ImportKey("alice", testwallet.Key("alice"))
	s.Mine()
	s.end()
	return p
}

// sitting is one run of the wallet.
type sitting struct {
	*testwallet.Wallet
	journal *store.Journal
	kept    *store.Store
	end     func() // as a program ends: nothing is left running
}

// sit starts the wallet, unlocked once it has a testwallet.Password.
func (p *place) sit() *sitting {
	p.t.Helper()
	s := p.sitAway()
	testwallet.Must(p.t, s.Client.WaitOnline(s.Ctx))
	for !p.idle && !s.Payments.Compared() && s.Payments.JournalFault() == nil && s.Ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	return s
}

// sitAway is sit without waiting for the daemon.
func (p *place) sitAway() *sitting {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testwallet.Patience)
	p.t.Cleanup(cancel)
	client := daemonclient.New(daemonclient.Config{URL: p.url, MinBackoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond})
	book := p.openBook()
	w, err := walletcore.Open(
		walletcore.Config{
			Path:     filepath.Join(p.dir, "wallet.keys"),
			Keystore: testwallet.CheapKeys(),
			Daemon:   client,
			Store:    book,
			OwnClock: p.clock == nil,
			Now:      p.clock,

			Recovered: p.recovered,
		},
	)
	testwallet.Must(p.t, err)
	if !w.Vault.IsNew() {
		testwallet.Must(p.t, w.Vault.Unlock(ctx, testwallet.Password))
	}
	stopClient := testwallet.Run(p.t, client.Run)
	follow := w.Run
	if p.idle {
		follow = func(ctx context.Context) error { <-ctx.Done(); return nil }
	}
	stopWallet := testwallet.Run(p.t, follow)
	ended := false
	end := func() {
		if stopWallet(); ended {
			return
		}
		stopClient()
		testwallet.Must(p.t, book.Close())
		ended = true
	}
	p.t.Cleanup(end)
	return &sitting{&testwallet.Wallet{T: p.t, Ctx: ctx, Box: p.box, Client: client, Wallet: w}, book.Journal, book, end}
}

// openBook opens the store.
func (p *place) openBook() *store.Store {
	p.t.Helper()
	if p.book != nil {
		return p.book()
	}
	book, err := sqlite.Open(filepath.Join(p.dir, "payments.db"))
	testwallet.Must(p.t, err)
	return book
}

// prepare writes a payment of 1 DCT to bobby down, as far as a program gets that
// ends right then.
func (s *sitting) prepare() *payment.Entry {
	s.T.Helper()
	p := s.built()
	testwallet.Must(s.T, s.Payments.WriteEntry(s.Ctx, p))
	return p
}

// waitFor waits for the state and gives the payment.
func (s *sitting) waitFor(id ledger.TransactionID, state payment.State) payment.Info {
	s.T.Helper()
	var got payment.Info
	defer func() {
		if s.T.Failed() {
			s.T.Logf("the payment as it is: %+v; the status: %+v", got, s.Status())
		}
	}()
	s.Until("the state "+state.String(), func() (there bool) {
		p, err := s.Payments.Get(s.Ctx, id.String())
		testwallet.Must(s.T, err)
		got = p
		return p.State == state.String()
	})
	return got
}

// mineUntil makes blocks until the payment has the state.
func (s *sitting) mineUntil(id ledger.TransactionID, state payment.State) payment.Info {
	s.T.Helper()
	for range 50 {
		p, err := s.Payments.Get(s.Ctx, id.String())
		testwallet.Must(s.T, err)
		if p.State == state.String() {
			return p
		}
		head := s.Mine().Num()
		s.Until("the look-up", func() bool { return s.Payments.LookedUp(id, head) })
	}
	s.T.Fatalf("it never became %s: %+v", state, s.Payment(id))
	return payment.Info{}
}

const bobbyHad = 830_0000_0000

func (s *sitting) bobbyGot(t testing.TB, dct int64) {
	t.Helper()
	s.View.Chain.Forget()
	if got := s.DCT("bobby") - bobbyHad; got != dct*1_0000_0000 {
		t.Errorf("bobby got %d, want %d DCT", got, dct)
	}
}

// Whatever a program was doing when it ended, the next one finds out, and the
// payment is made once or provably never.
func TestTheNextRunTakesPaymentsUp(t *testing.T) {
	for name, c := range map[string]struct {
		before func(*sitting) ledger.TransactionID // in the first run
		away   func(*place)                        // between the runs
		then   payment.State
		paid   int64
	}{
		"prepared, never sent": {
			func(s *sitting) ledger.TransactionID { return s.prepare().ID },
			func(*place) {}, payment.Irreversible, 1},
		"sent, not noted": {
			func(s *sitting) ledger.TransactionID {
				p := s.prepare()
				testwallet.Must(s.T, s.Client.BroadcastTransaction(s.Ctx, p.Transaction()))
				return p.ID
			},
			func(*place) {}, payment.Irreversible, 1},
		"sent, in a block meanwhile": {
			func(s *sitting) ledger.TransactionID { return s.Pay("alice", "bobby", "1", "").TransactionID },
			func(p *place) { away(p, 40, 0) }, payment.Irreversible, 1},
		"prepared, expired meanwhile": {
			func(s *sitting) ledger.TransactionID { return s.prepare().ID },
			func(p *place) { away(p, 40, time.Minute) }, payment.Expired, 0},
		"prepared, expired later": {
			func(s *sitting) ledger.TransactionID { return s.prepare().ID },
			func(p *place) { away(p, 1, time.Minute) }, payment.Expired, 0},
		"in a block that a fork took, to come in again": {
			func(s *sitting) ledger.TransactionID {
				id := s.Pay("alice", "bobby", "1", "").TransactionID
				s.mineUntil(id, payment.InBlock)
				return id
			},
			func(p *place) { fork(p, 1) }, payment.Irreversible, 1},
		"in a block that a fork took with its reference block": {
			func(s *sitting) ledger.TransactionID {
				id := s.Pay("alice", "bobby", "1", "").TransactionID
				s.mineUntil(id, payment.InBlock)
				return id
			},
			func(p *place) { fork(p, 2); away(p, 1, time.Minute) }, payment.Expired, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			first := p.sit()
			first.Mine()
			first.Mine()
			id := c.before(first)
			first.end()
			c.away(p)
			next := p.sit()
			got := next.mineUntil(id, c.then)
			if c.then == payment.Expired && (got.Reason == "" || got.BlockNum != 0) ||
				c.then == payment.Irreversible && got.BlockNum == 0 {
				t.Errorf("it is %+v", got)
			}
			next.bobbyGot(t, c.paid)
			next.end()
			last := p.sit()
			if got, err := last.Payments.Get(last.Ctx, id.String()); err != nil || got.State != c.then.String() {
				t.Errorf("the journal keeps %q (%v)", got.State, err)
			}
			if list := last.Payments.Recent(); len(list) != 0 {
				t.Errorf("what is over is taken up again: %+v", list)
			}
		})
	}
}

// away lets time and blocks pass while no wallet runs.
func away(p *place, blocks int, forward time.Duration) {
	p.t.Helper()
	p.now.Forward(forward)
	for range blocks {
		_, err := p.box.Mine()
		testwallet.Must(p.t, err)
	}
}

// fork takes the last blocks from the chain.
func fork(p *place, blocks int) {
	p.t.Helper()
	_, err := p.box.Fork(blocks, false)
	testwallet.Must(p.t, err)
}

// What is signed before the first look at the chain rests on what an earlier run has proven.
func TestAForkTakesTheReferenceBlockOfAFirstMoment(t *testing.T) {
	p := newPlace(t)
	for range 310 { // a chain that is not read from its first block
		_, err := p.box.Mine()
		testwallet.Must(t, err)
	}
	first := p.sit()
	first.Mine()
	first.Until("a proven block", func() bool { return first.Status().Irreversible > 0 })
	first.end()
	p.idle = true
	second := p.sit()
	id := second.prepare().ID
	second.end()
	p.idle = false
	fork(p, 1)
	away(p, 1, time.Minute)
	next := p.sit()
	next.mineUntil(id, payment.Expired)
	next.bobbyGot(t, 0)
}

// A daemon with blocks of the future: what comes before them counts.
func TestBlocksOfTheFutureHoldUpNothing(t *testing.T) {
	p := newPlace(t)
	first := p.sit()
	first.Mine()
	at := first.Status().HeadTime.Time()
	id := first.Pay("alice", "bobby", "1", "").TransactionID
	first.end()
	for range 19 { // one batch of the follower, whose last blocks are later than its clock allows
		p.box.Mine()
	}
	p.clock = func() time.Time { return at.Add(10*time.Second - payment.ClockFault) }
	next := p.sit()
	if got := next.waitFor(id, payment.Irreversible); got.ByNodesWord {
		t.Errorf("it is not proven: %+v", got)
	}
	if head := next.Status().HeadTime.Time(); head.Before(p.clock().Add(payment.ClockFault)) {
		t.Errorf("no block is of the future: the head is of %s", head)
	}
}

func TestARunWithoutADaemonKnowsItsPayments(t *testing.T) {
	p := newPlace(t)
	first := p.sit()
	id := first.prepare().ID
	first.end()
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	r.Set(func(r *testwallet.Relay) { r.Down = true })
	next := p.sitAway()
	if got := next.waitFor(id, payment.Unknown); got.Reason == "" {
		t.Errorf("it is %+v", got)
	}
	if got, err := next.Payments.Wait(next.Ctx, id.String(), "in_block", 0); err != nil || got.State != "unknown" {
		t.Errorf("waited: %+v (%v)", got, err)
	}
	r.Set(func(r *testwallet.Relay) { r.Down = false })
	next.waitFor(id, payment.Sent)
	next.mineUntil(id, payment.Irreversible)
	next.bobbyGot(t, 1)
}

// An outcome on another chain is none: the payment waits for its own.
func TestPaymentsOfAnotherChainAreLeftAlone(t *testing.T) {
	p := newPlace(t)
	first := p.sit()
	pay := first.prepare()
	first.end()
	genesis, err := sandbox.DemoGenesis(time.Now().Add(-time.Hour))
	testwallet.Must(t, err)
	other := newPlaceOn(t, genesis)
	other.now.Forward(time.Minute)
	book, err := sqlite.Open(filepath.Join(other.dir, "payments.db"))
	testwallet.Must(t, err)
	e, err := pay.JournalEntry()
	testwallet.Must(t, err)
	testwallet.Must(t, book.Journal.Add(t.Context(), e))
	testwallet.Must(t, book.Close())
	s := other.sit()
	for range 40 {
		s.Mine()
	}
	if got := s.Payments.Read(pay.ID); got == nil || got.State != payment.Unknown || got.Head != 0 {
		t.Errorf("it was looked for on a chain it is not of: %+v", got)
	}
}

// The same operation in the same block, after a restart: it differs in its
// expiration from the first, and both are paid.
func TestTheSamePaymentAgainAfterARestart(t *testing.T) {
	p := newPlace(t)
	first := p.sit()
	one := first.Pay("alice", "bobby", "1", "")
	first.end()
	next := p.sit()
	two := next.Pay("alice", "bobby", "1", "")
	if one.TransactionID == two.TransactionID {
		t.Fatal("two payments are one transaction")
	}
	next.end()
	again := p.sit()
	d := again.Prepare(testwallet.OneDCT())
	three, err := again.Payments.Send(again.Ctx, d)
	testwallet.Must(t, err)
	again.mineUntil(three.ID, payment.Irreversible)
	again.bobbyGot(t, 3)
}

// Bytes that are not those of their payment, as of a file that changed on its disk, are told as that and never as what was paid.
func TestBytesOfAnotherPaymentAreNotItsOutcome(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	pay, err := s.prepare().JournalEntry()
	testwallet.Must(t, err)
	var tx ledger.SignedTransaction
	testwallet.Must(t, codec.Unpack(pay.Bytes, &tx))
	tx.Operations[0].Body.(*ledger.TransferObsoleteOp).Amount.Amount++
	pay.Bytes, err = tx.Pack()
	testwallet.Must(t, err)
	pay.ID[0]++ // beside the one that is there
	pay.Key = "altered"
	testwallet.Must(t, s.journal.Add(s.Ctx, pay))
	for _, name := range []string{pay.Key, pay.ID.String()} {
		_, err := s.Payments.Get(s.Ctx, name)
		if e := faulttest.Refused(t, err, fault.File); !strings.Contains(e.Message, "its bytes are those of transaction") {
			t.Error(e)
		}
	}
	_, err = s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true, Key: pay.Key})
	faulttest.Refused(t, err, fault.File)
}

// A row that cannot be read keeps nobody else from being followed.
func TestADamagedEntryDoesNotStopTheOthers(t *testing.T) {
	p := newPlace(t)
	first := p.sit()
	good := first.prepare()
	bad, err := good.JournalEntry()
	testwallet.Must(t, err)
	bad.ID, bad.Bytes = ledger.TransactionID{1}, []byte{1, 2, 3}
	testwallet.Must(t, first.journal.Add(first.Ctx, bad))
	first.end()
	next := p.sit()
	next.mineUntil(good.ID, payment.Irreversible)
	_, err = next.Payments.Get(next.Ctx, bad.ID.String())
	faulttest.Refused(t, err, fault.File)
	next.end()
	if open, err := p.sit().journal.Open(t.Context()); err != nil || len(open) != 1 || open[0].ID != bad.ID {
		t.Errorf("still open are %+v (%v)", open, err)
	}
}

// After a restart open payments have the names that the wallet keeps, without a
// daemon; those that it does not keep come with one.
func TestPaymentsHaveNamesAfterARestart(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	s.Pay("alice", "bobby", "1", "")
	s.end()
	url := p.url
	p.url = "ws://127.0.0.1:1"
	s = p.sitAway()
	s.Until("the payment", func() bool { return len(s.Payments.Recent()) == 1 })
	if r := s.Payments.Recent()[0].Review; r.From.Name != "alice" || r.To.Name != "bobby" {
		t.Errorf("without a daemon it goes from %v to %v", r.From, r.To)
	}
	s.end()
	p.forgetPins()
	s = p.sitAway()
	s.Until("the payment", func() bool { return len(s.Payments.Recent()) == 1 })
	if r := s.Payments.Recent()[0].Review; r.From.Name != "alice" || r.To.Name != r.To.ID.String() {
		t.Errorf("with the key file alone it goes from %v to %v", r.From, r.To)
	}
	s.end()
	p.url = url
	s = p.sit()
	s.Until("the name", func() bool {
		all := s.Payments.Recent()
		return len(all) == 1 && all[0].Review.To.Name == "bobby"
	})
}

// When a payment was seen to be irreversible is known after a restart as it was before.
func TestWhenAPaymentBecameIrreversibleIsKept(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	paid := s.Pay("alice", "bobby", "1", "")
	id, err := paid.ID()
	testwallet.Must(t, err)
	s.mineUntil(id, payment.Irreversible)
	was := s.Payment(id).Final
	s.end()
	s = p.sit()
	if now := payment.FinalAt(s.Ctx, s.Payments, id); was.IsZero() || !now.Equal(was) {
		t.Errorf("it was irreversible at %v, and after a restart at %v", was, now)
	}
	if at := payment.FinalAt(s.Ctx, s.Payments, ledger.TransactionID{1}); !at.IsZero() {
		t.Errorf("a payment of others was irreversible at %v", at)
	}
}
