package payment_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
)

// place is a wallet's folder with the ledger it pays on: wallets begin and end
// there, one after another or side by side.
type place struct {
	t   testing.TB
	dir string
	box *sandbox.Sandbox
	now *clock
	url string

	idle   bool             // nothing follows the chain yet, as in the first moment of a run
	wallet func() time.Time // the wallet's clock, which its ledger's must fit; nil: the ledger has a clock of its own
}

// newPlace has the keystore of alice.
func newPlace(t testing.TB) *place { return newPlaceOn(t, nil) }

// newPlaceOn is newPlace on a chain of its own.
func newPlaceOn(t testing.TB, genesis *sandbox.Genesis) *place {
	t.Helper()
	now := newClock()
	box := ledgerOf(t, sandbox.Options{Genesis: genesis, Now: now.now})
	p := &place{t: t, dir: t.TempDir(), box: box, now: now, url: box.URL()}
	s := p.sit()
	must(t, s.wallet.Vault.Create(s.ctx, password))
	s.importKey("alice", keyOf("alice"))
	s.mine()
	s.end()
	return p
}

// sitting is one run of the wallet.
type sitting struct {
	*stage
	journal *store.Journal
	kept    *store.Store
	end     func() // as a program ends: nothing is left running
}

// sit starts the wallet, unlocked once it has a password.
func (p *place) sit() *sitting {
	p.t.Helper()
	s := p.sitAway()
	must(p.t, s.client.WaitOnline(s.ctx))
	return s
}

// sitAway is sit without waiting for the daemon.
func (p *place) sitAway() *sitting {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	p.t.Cleanup(cancel)
	client := daemonclient.New(daemonclient.Config{URL: p.url, MinBackoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond})
	book, err := sqlite.Open(filepath.Join(p.dir, "payments.db"))
	must(p.t, err)
	w, err := walletcore.Open(
		walletcore.Config{
			Path:     filepath.Join(p.dir, "wallet.keys"),
			Keystore: cheap(),
			Daemon:   client,
			Store:    book,
			OwnClock: p.wallet == nil,
			Now:      p.wallet,
		},
	)
	must(p.t, err)
	if !w.Vault.IsNew() {
		must(p.t, w.Vault.Unlock(ctx, password))
	}
	stopClient := run(p.t, client.Run)
	follow := w.Run
	if p.idle {
		follow = func(ctx context.Context) error { <-ctx.Done(); return nil }
	}
	stopWallet := run(p.t, follow)
	ended := false
	end := func() {
		if stopWallet(); ended {
			return
		}
		stopClient()
		must(p.t, book.Close())
		ended = true
	}
	p.t.Cleanup(end)
	return &sitting{&stage{t: p.t, ctx: ctx, box: p.box, client: client, wallet: w}, book.Journal, book, end}
}

// prepare writes a payment of 1 DCT to bobby down, as far as a program gets that
// ends right then.
func (s *sitting) prepare() *payment.Entry {
	s.t.Helper()
	p := s.built()
	must(s.t, s.wallet.Payments.WriteEntry(s.ctx, p))
	return p
}

// settled waits for the state and gives the payment.
func (s *sitting) settled(id ledger.TransactionID, state payment.State) payment.Info {
	s.t.Helper()
	var got payment.Info
	s.until("the state "+state.String(), func() (there bool) {
		p, err := s.wallet.Payments.Get(s.ctx, id.String())
		must(s.t, err)
		got = p
		return p.State == state.String()
	})
	return got
}

// mineUntil makes blocks until the payment has the state.
func (s *sitting) mineUntil(id ledger.TransactionID, state payment.State) payment.Info {
	s.t.Helper()
	for range 50 {
		p, err := s.wallet.Payments.Get(s.ctx, id.String())
		must(s.t, err)
		if p.State == state.String() {
			return p
		}
		head := s.mine().Num()
		s.until("the look-up", func() bool { return s.wallet.Payments.LookedUp(id, head) })
	}
	s.t.Fatalf("it never became %s: %+v", state, s.payment(id))
	return payment.Info{}
}

const bobbyHad = 830_0000_0000

func (s *sitting) bobbyGot(t testing.TB, dct int64) {
	t.Helper()
	s.wallet.View.Chain.Forget()
	if got := s.dct("bobby") - bobbyHad; got != dct*1_0000_0000 {
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
				must(s.t, s.client.BroadcastTransaction(s.ctx, p.Transaction()))
				return p.ID
			},
			func(*place) {}, payment.Irreversible, 1},
		"sent, in a block meanwhile": {
			func(s *sitting) ledger.TransactionID { return s.pay("alice", "bobby", "1", "").TransactionID },
			func(p *place) { away(p, 40, 0) }, payment.Irreversible, 1},
		"prepared, expired meanwhile": {
			func(s *sitting) ledger.TransactionID { return s.prepare().ID },
			func(p *place) { away(p, 40, time.Minute) }, payment.Expired, 0},
		"prepared, expired later": {
			func(s *sitting) ledger.TransactionID { return s.prepare().ID },
			func(p *place) { away(p, 1, time.Minute) }, payment.Expired, 0},
		"in a block that a fork took, to come in again": {
			func(s *sitting) ledger.TransactionID {
				id := s.pay("alice", "bobby", "1", "").TransactionID
				s.mineUntil(id, payment.InBlock)
				return id
			},
			func(p *place) { fork(p, 1) }, payment.Irreversible, 1},
		"in a block that a fork took with its reference block": {
			func(s *sitting) ledger.TransactionID {
				id := s.pay("alice", "bobby", "1", "").TransactionID
				s.mineUntil(id, payment.InBlock)
				return id
			},
			func(p *place) { fork(p, 2); away(p, 1, time.Minute) }, payment.Expired, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			first := p.sit()
			first.mine()
			first.mine()
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
			if got, err := last.wallet.Payments.Get(last.ctx, id.String()); err != nil || got.State != c.then.String() {
				t.Errorf("the journal keeps %q (%v)", got.State, err)
			}
			if list := last.wallet.Payments.Recent(); len(list) != 0 {
				t.Errorf("what is over is taken up again: %+v", list)
			}
		})
	}
}

// away lets time and blocks pass while no wallet runs.
func away(p *place, blocks int, forward time.Duration) {
	p.t.Helper()
	p.now.forward(forward)
	for range blocks {
		_, err := p.box.Mine()
		must(p.t, err)
	}
}

// fork takes the last blocks from the chain.
func fork(p *place, blocks int) {
	p.t.Helper()
	_, err := p.box.Fork(blocks, false)
	must(p.t, err)
}

// What is signed before the first look at the chain rests on what an earlier run has proven.
func TestAForkTakesTheReferenceBlockOfAFirstMoment(t *testing.T) {
	p := newPlace(t)
	for range 310 { // a chain that is not read from its first block
		_, err := p.box.Mine()
		must(t, err)
	}
	first := p.sit()
	first.mine()
	first.until("a proven block", func() bool { return first.wallet.Status().Irreversible > 0 })
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
	first.mine()
	at := first.wallet.Status().HeadTime.Time()
	id := first.pay("alice", "bobby", "1", "").TransactionID
	first.end()
	for range 19 { // one batch of the follower, whose last blocks are later than its clock allows
		p.box.Mine()
	}
	p.wallet = func() time.Time { return at.Add(10*time.Second - payment.ClockFault) }
	next := p.sit()
	if got := next.settled(id, payment.Irreversible); got.ByNodesWord {
		t.Errorf("it is not proven: %+v", got)
	}
	if head := next.wallet.Status().HeadTime.Time(); head.Before(p.wallet().Add(payment.ClockFault)) {
		t.Errorf("no block is of the future: the head is of %s", head)
	}
}

func TestARunWithoutADaemonKnowsItsPayments(t *testing.T) {
	p := newPlace(t)
	first := p.sit()
	id := first.prepare().ID
	first.end()
	r := relayTo(t, p.url)
	p.url = r.url
	r.set(func(r *relay) { r.down = true })
	next := p.sitAway()
	if got := next.settled(id, payment.Unknown); got.Reason == "" {
		t.Errorf("it is %+v", got)
	}
	if got, err := next.wallet.Payments.Wait(next.ctx, id.String(), "in_block", 0); err != nil || got.State != "unknown" {
		t.Errorf("waited: %+v (%v)", got, err)
	}
	r.set(func(r *relay) { r.down = false })
	next.settled(id, payment.Sent)
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
	must(t, err)
	other := newPlaceOn(t, genesis)
	other.now.forward(time.Minute)
	book, err := sqlite.Open(filepath.Join(other.dir, "payments.db"))
	must(t, err)
	e, err := pay.JournalEntry()
	must(t, err)
	must(t, book.Journal.Add(t.Context(), e))
	must(t, book.Close())
	s := other.sit()
	for range 40 {
		s.mine()
	}
	if got := s.wallet.Payments.Read(pay.ID); got == nil || got.State != payment.Unknown || got.Head != 0 {
		t.Errorf("it was looked for on a chain it is not of: %+v", got)
	}
}

// The same operation in the same block, after a restart: it differs in its
// expiration from the first, and both are paid.
func TestTheSamePaymentAgainAfterARestart(t *testing.T) {
	p := newPlace(t)
	first := p.sit()
	one := first.pay("alice", "bobby", "1", "")
	first.end()
	next := p.sit()
	two := next.pay("alice", "bobby", "1", "")
	if one.TransactionID == two.TransactionID {
		t.Fatal("two payments are one transaction")
	}
	next.end()
	again := p.sit()
	d := again.draft(oneDCT)
	three, err := again.wallet.Payments.Send(again.ctx, d)
	must(t, err)
	again.mineUntil(three.ID, payment.Irreversible)
	again.bobbyGot(t, 3)
}

// A row that cannot be read keeps nobody else from being followed.
func TestADamagedEntryDoesNotStopTheOthers(t *testing.T) {
	p := newPlace(t)
	first := p.sit()
	good := first.prepare()
	bad, err := good.JournalEntry()
	must(t, err)
	bad.ID, bad.Bytes = ledger.TransactionID{1}, []byte{1, 2, 3}
	must(t, first.journal.Add(first.ctx, bad))
	first.end()
	next := p.sit()
	next.mineUntil(good.ID, payment.Irreversible)
	_, err = next.wallet.Payments.Get(next.ctx, bad.ID.String())
	refused(t, err, fault.File)
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
	s.pay("alice", "bobby", "1", "")
	s.end()
	url := p.url
	p.url = "ws://127.0.0.1:1"
	s = p.sitAway()
	s.until("the payment", func() bool { return len(s.wallet.Payments.Recent()) == 1 })
	if r := s.wallet.Payments.Recent()[0].Review; r.From.Name != "alice" || r.To.Name != "bobby" {
		t.Errorf("without a daemon it goes from %v to %v", r.From, r.To)
	}
	s.end()
	p.forgetPins()
	s = p.sitAway()
	s.until("the payment", func() bool { return len(s.wallet.Payments.Recent()) == 1 })
	if r := s.wallet.Payments.Recent()[0].Review; r.From.Name != "alice" || r.To.Name != r.To.ID.String() {
		t.Errorf("with the key file alone it goes from %v to %v", r.From, r.To)
	}
	s.end()
	p.url = url
	s = p.sit()
	s.until("the name", func() bool {
		all := s.wallet.Payments.Recent()
		return len(all) == 1 && all[0].Review.To.Name == "bobby"
	})
}
