package payment_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"

	"github.com/jackc/pgx/v5"
)

// servers is a place whose wallets share a store, each as a server of its own.
type servers struct {
	*place
	url  string
	line *storetest.Relay // of the server that sat down last
}

func newServers(t *testing.T) *servers {
	t.Helper()
	t.Parallel() // with others of its kind, which mostly wait for leases
	c := storetest.Start(t)
	p := newPlace(t)
	alone := p.sit()
	id := alone.Vault.Journal()
	alone.end()
	s := &servers{place: p, url: c.Database()}
	testwallet.Must(t, postgres.Options{MayLose: true}.Init(t.Context(), s.url, id, nil))
	p.book = func() *store.Store {
		s.line = c.Relay()
		o := postgres.Options{Folder: testwallet.Folder(t), MayLose: true, Lease: time.Second}
		book, err := o.Open(t.Context(), s.line.URL(t, s.url))
		testwallet.Must(t, err)
		return book
	}
	return s
}

// eventually looks until it is true: no event tells of the store.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(testwallet.Patience); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s never came", what)
		}
	}
}

// forget makes the store one that lacks a payment, and the commits since.
func (s *servers) forget(id ledger.TransactionID) {
	s.t.Helper()
	c, err := pgx.Connect(s.t.Context(), s.url)
	testwallet.Must(s.t, err)
	for _, statement := range []string{
		`DELETE FROM payments WHERE id = '` + id.String() + `'`, `UPDATE servers SET mark = 1, nonce = 'before'`,
	} {
		_, err := c.Exec(s.t.Context(), statement)
		testwallet.Must(s.t, err)
	}
	testwallet.Must(s.t, c.Close(s.t.Context()))
}

// Whichever server is asked under a key, and all at once, there is one payment and one answer.
func TestServersWithOneKeyPayOnce(t *testing.T) {
	p := newServers(t)
	all := []*sitting{p.sit(), p.sit(), p.sit()}
	const keys = 12
	var wg sync.WaitGroup
	var ids [keys][]ledger.TransactionID
	for i := range ids {
		ids[i] = make([]ledger.TransactionID, len(all))
		for n, s := range all {
			wg.Go(func() {
				paid, err := s.keyed("order "+string(rune('a'+i)), nil)
				if err != nil {
					t.Error(err)
					return
				}
				ids[i][n] = paid.TransactionID
			})
		}
	}
	wg.Wait()
	for i, of := range ids {
		for n, s := range all {
			if of[n] != of[0] {
				t.Errorf("key %d: %v", i, of)
			}
			if got, err := s.Payments.Get(s.Ctx, of[0].String()); err != nil || got.RequestKey == "" {
				t.Errorf("key %d at server %d: %+v (%v)", i, n, got, err)
			}
		}
	}
	all[0].Mine()
	all[0].bobbyGot(t, keys)
}

// What a server had written when it was cut off from the store, another one sends and follows; it does not undo that when it is back.
func TestAServerTakesOver(t *testing.T) {
	p := newServers(t)
	p.idle = true
	gone := p.sit()
	line := p.line
	e := gone.prepare()
	line.Cut()
	p.idle = false
	next := p.sit()
	eventually(t, "the payment", func() bool { return next.Payments.Read(e.ID) != nil })
	eventually(t, "the broadcast", func() bool { return next.Payments.Read(e.ID).State == payment.Sent })
	next.mineUntil(e.ID, payment.Irreversible)
	line.Mend()
	eventually(t, "the store", func() bool { return gone.journal.Fault() == nil })
	if got, err := gone.Payments.SendEntry(gone.Ctx, gone.built()); err != nil {
		t.Errorf("the server that is back does not pay: %+v, %v", got, err)
	}
	kept, err := next.journal.Get(next.Ctx, e.ID)
	testwallet.Must(t, err)
	if kept.State != store.Irreversible || kept.Owner != next.journal.Server() {
		t.Errorf("it is %+v", kept)
	}
}

// An open payment that the store calls this server's is followed, however it came to be so: it may come back from a server that is gone
// while this one lets it go.
func TestAnOpenPaymentOfTheStoreIsFollowed(t *testing.T) {
	p := newServers(t)
	p.idle = true
	other := p.sit()
	e := other.prepare()
	p.idle = false
	s := p.sit()
	c, err := pgx.Connect(t.Context(), p.url)
	testwallet.Must(t, err)
	_, err = c.Exec(t.Context(), `UPDATE payments SET owner = $1`, s.journal.Server())
	testwallet.Must(t, errors.Join(err, c.Close(t.Context())))
	eventually(t, "the broadcast", func() bool { now := s.Payments.Read(e.ID); return now != nil && now.State == payment.Sent })
	s.mineUntil(e.ID, payment.Irreversible)
	eventually(t, "the outcome in the store", func() bool {
		kept, err := s.journal.Get(s.Ctx, e.ID)
		return err == nil && kept.State == store.Irreversible
	})
	c, err = pgx.Connect(t.Context(), p.url)
	testwallet.Must(t, err)
	_, err = c.Exec(t.Context(), `UPDATE payments SET state = 'in_block'`) // a state that the database lost
	testwallet.Must(t, errors.Join(err, c.Close(t.Context())))
	eventually(t, "the outcome once more", func() bool {
		kept, err := s.journal.Get(s.Ctx, e.ID)
		return err == nil && kept.State == store.Irreversible
	})
}

// A payment that is taken over is in a block that the heir read before it knew of it. It is found there, and not sent again: a node
// that forgot it would take it a second time.
func TestWhatIsTakenOverIsFoundInBlocksThatWereRead(t *testing.T) {
	p := newServers(t)
	heir := p.sit()
	own, err := heir.keyed("the heir's own", nil) // the run begins with it
	testwallet.Must(t, err)
	gone := p.sit()
	line := p.line
	theirs, err := gone.keyed("of the one that goes", nil)
	testwallet.Must(t, err)
	heir.Mine()
	for _, s := range []*sitting{heir, gone} {
		id := map[*sitting]ledger.TransactionID{heir: own.TransactionID, gone: theirs.TransactionID}[s]
		eventually(t, "the block", func() bool { return s.Payments.Read(id).State == payment.InBlock })
	}
	gone.end()
	line.Cut()
	testwallet.Must(t, heir.Box.Kill(0, 0)) // it has forgotten what is in its blocks
	eventually(t, "the payment", func() bool {
		kept, err := heir.journal.Get(heir.Ctx, theirs.TransactionID)
		return err == nil && kept.Owner == heir.journal.Server() && heir.Payments.Read(kept.ID) != nil
	})
	heir.mineUntil(theirs.TransactionID, payment.Irreversible)
	heir.bobbyGot(t, 2)
}

// A server that has lost its daemon for long leaves its payments to one that has one, and follows new ones when it is back.
func TestAServerWithoutADaemonHandsOver(t *testing.T) {
	p := newServers(t)
	direct := p.place.url
	ledger := testwallet.RelayTo(t, direct)
	p.place.url = ledger.URL
	blind := p.sit()
	p.place.url = direct
	paid, err := blind.keyed("of the one that is blind", nil)
	testwallet.Must(t, err)
	ledger.HangUp(true)
	heir := p.sit()
	eventually(t, "the hand-over", func() bool {
		kept, err := heir.journal.Get(heir.Ctx, paid.TransactionID)
		return err == nil && kept.Owner == heir.journal.Server() && heir.Payments.Read(kept.ID) != nil
	})
	heir.mineUntil(paid.TransactionID, payment.Irreversible)
	ledger.HangUp(false)
	testwallet.Must(t, blind.Client.WaitOnline(blind.Ctx))
	eventually(t, "that all follow", func() bool {
		at, err := postgres.Options{MayLose: true}.Status(t.Context(), p.url)
		return err == nil && len(at.Servers) == 2 && at.Servers[0].Follows && at.Servers[1].Follows
	})
	again, err := blind.keyed("another", nil)
	testwallet.Must(t, err)
	blind.mineUntil(again.TransactionID, payment.Irreversible)
	if kept, err := heir.journal.Get(heir.Ctx, again.TransactionID); err != nil || kept.Owner != blind.journal.Server() {
		t.Errorf("the server that has a daemon again does not follow its own: %+v (%v)", kept, err)
	}
	heir.bobbyGot(t, 2)
}

// While the store is away nothing is paid, and what was paid is followed; it is written once the store is back.
func TestTheStoreIsAway(t *testing.T) {
	p := newServers(t)
	s := p.sit()
	first, err := s.keyed("first", nil)
	testwallet.Must(t, err)
	head := s.Mine().Num()
	s.Until("that it is followed", func() bool { return s.Payments.LookedUp(first.TransactionID, head) })
	p.line.Cut()
	eventually(t, "the fault", func() bool { return payment.NotReady(s.Payments) != "" })
	_, err = s.keyed("second", nil)
	if f, ok := errors.AsType[*fault.Error](err); !ok || f.RequestKey != fault.KeySame || !strings.Contains(f.Message, "does not answer") {
		t.Errorf("a payment is answered %v", err)
	}
	s.mineUntil(first.TransactionID, payment.Irreversible)
	p.line.Mend()
	eventually(t, "the store", func() bool { return payment.NotReady(s.Payments) == "" })
	eventually(t, "the state in the store", func() bool {
		kept, err := s.journal.Get(s.Ctx, first.TransactionID)
		return err == nil && kept.State == store.Irreversible
	})
	_, err = s.keyed("second", nil)
	testwallet.Must(t, err)
	s.Mine()
	s.bobbyGot(t, 2)
}

// A store that goes away between the start of a server and its first look at the payments is waited for.
func TestTheStoreGoesAwayAtTheStart(t *testing.T) {
	p := newServers(t)
	p.idle = true
	s := p.sit()
	p.line.Cut()
	testwallet.Run(t, s.Run)
	eventually(t, "the fault", func() bool { return payment.NotReady(s.Payments) != "" })
	p.line.Mend()
	eventually(t, "the store", func() bool { return payment.NotReady(s.Payments) == "" })
	paid, err := s.keyed("first", nil)
	testwallet.Must(t, err)
	s.mineUntil(paid.TransactionID, payment.Irreversible)
	s.bobbyGot(t, 1)
}

// A store that has forgotten payments gets them back from the server that remembers them; nothing new is paid meanwhile.
func TestWhatTheStoreForgotIsWrittenAgain(t *testing.T) {
	p := newServers(t)
	s := p.sit()
	first, err := s.keyed("first", nil)
	testwallet.Must(t, err)
	p.line.Cut()
	p.forget(first.TransactionID)
	p.line.Mend()
	eventually(t, "the hold", func() bool { return strings.Contains(payment.NotReady(s.Payments), "is held: ") })
	eventually(t, "the payment", func() bool {
		kept, err := s.journal.ByKey(s.Ctx, "first")
		return err == nil && kept.ID == first.TransactionID
	})
	if _, err := s.keyed("second", nil); err == nil {
		t.Error("it pays from a store that has forgotten something")
	}
	testwallet.Must(t, s.Payments.TakeJournal(s.Ctx))
	again, err := s.keyed("first", nil)
	if err != nil || again.TransactionID != first.TransactionID {
		t.Errorf("the key is answered %+v, %v", again, err)
	}
	s.Mine()
	s.bobbyGot(t, 1)
}

// A server whose keys belong to another store pays nothing, and is not ready.
func TestAServerOfAnotherStoreIsNotReady(t *testing.T) {
	p := newServers(t)
	p.do(`UPDATE store_meta SET store_id = 'another'`)
	s := p.sit()
	_, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
	no := faulttest.Refused(t, err, fault.File)
	if !strings.Contains(no.Hint, "after the program has ended") { // a server that runs keeps others out of its folder
		t.Errorf("it advises %q", no.Hint)
	}
	if why := payment.NotReady(s.Payments); why != "the store that the servers share is not the one of this wallet: billfold store status says how to go on" {
		t.Errorf("transfer says %v, /readyz %q", no, why)
	}
}
