package payment_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"

	"github.com/jackc/pgx/v5"
)

// do has the database changed behind everybody's back.
func (s *servers) do(statements ...string) {
	s.t.Helper()
	c, err := pgx.Connect(s.t.Context(), s.url)
	testwallet.Must(s.t, err)
	for _, statement := range statements {
		_, err := c.Exec(s.t.Context(), statement)
		testwallet.Must(s.t, err)
	}
	testwallet.Must(s.t, c.Close(s.t.Context()))
}

// count asks the database for a number.
func (s *servers) count(query string) (n int) {
	s.t.Helper()
	c, err := pgx.Connect(s.t.Context(), s.url)
	testwallet.Must(s.t, err)
	testwallet.Must(s.t, c.QueryRow(s.t.Context(), query).Scan(&n))
	testwallet.Must(s.t, c.Close(s.t.Context()))
	return n
}

// lose makes the store one that lacks a payment of a server that is gone, and a commit of each other one.
func (s *servers) lose(id ledger.TransactionID) {
	s.t.Helper()
	s.do(`DELETE FROM payments WHERE id = '`+id.String()+`'`, `DELETE FROM token_spent`,
		`UPDATE servers SET mark = mark - 1, nonce = 'before' WHERE expires_at > 0`)
}

// mineUntilFree makes blocks until the store is not held any more.
func (s *servers) mineUntilFree(of *sitting) {
	s.t.Helper()
	eventually(s.t, "the end of the hold", func() bool {
		s.now.Forward(5 * time.Second)
		of.Mine()
		return payment.NotReady(of.Payments) == ""
	})
}

// lost has a server pay under a key, end, and the store forget it; another one is there, which never followed it: it is final, so
// nobody takes it over, and what follows it after the search follows what was found.
func (s *servers) lost(key string) (paid *txbuild.Signed, heir *sitting) {
	s.t.Helper()
	gone := s.sit()
	_, err := gone.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true, Key: "kept"})
	testwallet.Must(s.t, err)
	paid, err = gone.Transfer(seven(), payment.Sending{Broadcast: true, Key: key})
	testwallet.Must(s.t, err)
	gone.mineUntil(paid.TransactionID, payment.Irreversible)
	gone.end()
	heir = s.sit()
	heir.Pay("alice", "bobby", "2", "")
	heir.Mine()
	s.lose(paid.TransactionID)
	eventually(s.t, "the hold", func() bool { return payment.NotReady(heir.Payments) != "" })
	return paid, heir
}

// A payment that the store forgot and no server remembers is found on the ledger; then the hold ends by itself. Who repeats its key is
// refused until somebody claims it, and then answered with it.
func TestTheHoldEndsByItself(t *testing.T) {
	p := newServers(t)
	var recorded []string
	p.recovered = func(why string, found []payment.FoundPayment) store.Change {
		for _, f := range found {
			recorded = append(recorded, f.ID.String())
		}
		return store.Change{Apply: func(store.Tx) (refusal, failure error) { return nil, nil }}
	}
	paid, heir := p.lost("lost")
	_, err := heir.Transfer(seven(), payment.Sending{Broadcast: true, Key: "lost"})
	if err == nil {
		t.Fatal("a lost key is paid again while the store is held")
	}
	if _, err := heir.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true, Key: "kept"}); err != nil {
		t.Errorf("while the store is held, a repetition of what it has is answered %v", err)
	}
	_, err = heir.Payments.Get(heir.Ctx, "lost")
	if no := faulttest.Refused(t, err, fault.File); !strings.Contains(no.Message, "is not known") {
		t.Errorf("while the store is held, a key is answered %v", no)
	}
	p.mineUntilFree(heir)
	found, err := heir.journal.Get(heir.Ctx, paid.TransactionID)
	if err != nil || found.Origin != store.Found || found.Key != "" {
		t.Fatalf("it was not found: %+v (%v)", found, err)
	}
	if len(recorded) != 1 || recorded[0] != paid.TransactionID.String() {
		t.Errorf("recorded is %q", recorded)
	}
	sum, _, err := heir.kept.Limits.Spent(heir.Ctx, store.Spend{Token: "any", Asset: ledger.CoreAsset}, time.Now())
	if want := int64(7_0000_0000); err != nil || sum < want {
		t.Errorf("%d counts against limits (%v)", sum, err)
	}
	_, err = heir.Payments.Get(heir.Ctx, "lost")
	if no := faulttest.Refused(t, err, fault.NoSuchPayment); !strings.Contains(no.Hint, "it may be one of them") {
		t.Errorf("a key that was lost is answered %v", no)
	}
	heir.mineUntil(paid.TransactionID, payment.Irreversible) // it is followed
	_, err = heir.Transfer(seven(), payment.Sending{Broadcast: true, Key: "lost"})
	no := faulttest.Refused(t, err, fault.RequestKey)
	if no.RequestKey != fault.KeySame || !strings.Contains(no.Message, paid.TransactionID.String()) {
		t.Errorf("a repetition is answered %+v", no)
	}
	if _, err := heir.Transfer(seven(), payment.Sending{Broadcast: true}); err == nil {
		t.Error("the same is paid without a key")
	}
	o := postgres.Options{MayLose: true}
	claim := func(key string) error {
		return o.Claim(t.Context(), p.url, false, store.Claim{Key: key, ID: paid.TransactionID.String()})
	}
	if err := claim("kept"); !errors.Is(err, store.ErrKeyTaken) {
		t.Errorf("another payment's key is claimed: %v", err)
	}
	o.MayLose = false // a claim needs no standby
	for range 2 {     // the second time it is done already
		testwallet.Must(t, claim("lost"))
	}
	undone, err := o.Unclaim(t.Context(), p.url, "lost", "", false)
	if err != nil || undone != paid.TransactionID.String() {
		t.Errorf("what nobody asked for is taken back: %s, %v", undone, err)
	}
	eventually(t, "that it is unclaimed again", func() bool {
		list, _, err := heir.journal.Unclaimed(heir.Ctx)
		return err == nil && len(list) == 1
	})
	eventually(t, "that it is missed again", func() bool { // a server that has not heard of it refuses the payment as one of a moment ago
		_, err := heir.Transfer(seven(), payment.Sending{Broadcast: true, Key: "lost"})
		if err == nil {
			t.Fatal("without its claim it is paid again")
		}
		return fault.CodeOf(err) == fault.RequestKey
	})
	testwallet.Must(t, claim("lost"))
	again, err := heir.Transfer(seven(), payment.Sending{Broadcast: true, Key: "lost"})
	if err != nil || again.TransactionID != paid.TransactionID {
		t.Errorf("a repetition of what was claimed is answered %+v, %v", again, err)
	}
	if _, err := o.Unclaim(t.Context(), p.url, "lost", "", false); !errors.Is(err, store.ErrAnswered) {
		t.Errorf("a claim that somebody was answered by is taken back: %v", err)
	}
	p.do(`UPDATE payments SET origin = 2 WHERE request_key = 'lost'`) // as if nobody had been answered
	if got, err := heir.Payments.Get(heir.Ctx, "lost"); err != nil || got.RequestKey != "lost" {
		t.Errorf("under its key it is %+v, %v", got, err)
	}
	if _, err := o.Unclaim(t.Context(), p.url, "lost", "", false); !errors.Is(err, store.ErrAnswered) {
		t.Errorf("a claim that somebody has read of is taken back: %v", err)
	}
	if err := claim(""); !errors.Is(err, store.ErrNotFoundPayment) {
		t.Errorf("it is claimed twice: %v", err)
	}
	eventually(t, "that nothing is unclaimed", func() bool {
		list, _, err := heir.journal.Unclaimed(heir.Ctx)
		return err == nil && len(list) == 0
	})
	eventually(t, "a payment that was compared with what is known now", func() bool {
		_, err = heir.Transfer(seven(), payment.Sending{Broadcast: true, Key: "new"})
		return err == nil
	})
}

// What a server signed for others to send was never a payment of the store: it is on the ledger, and not listed as lost.
func TestWhatWasOnlySignedIsNotLost(t *testing.T) {
	p := newServers(t)
	signer := p.sit()
	only := testwallet.OneDCT()
	only.Amount = "3" // another than what is paid beside it, which would be the very same transaction in the same second
	signed, err := signer.Transfer(only, payment.Sending{})
	testwallet.Must(t, err)
	testwallet.Must(t, signer.Client.BroadcastTransaction(signer.Ctx, &signed.SignedTransaction))
	paid, heir := p.lost("lost")
	p.mineUntilFree(heir)
	list, _, err := heir.journal.Unclaimed(heir.Ctx)
	if err != nil || len(list) != 1 || list[0].ID != paid.TransactionID {
		t.Errorf("found as lost are %+v (%v), and only %s is", list, err, paid.TransactionID)
	}
}

// What the keys paid before the store was made was never in it, and is not found as lost.
func TestWhatIsOlderThanTheStoreIsNotLost(t *testing.T) {
	p := newServers(t)
	shared := p.book
	p.book = nil
	alone := p.sit()
	older, err := alone.keyed("older", nil)
	testwallet.Must(t, err)
	alone.mineUntil(older.TransactionID, payment.Irreversible)
	for range 30 { // more than the head that a payment names may be wrong by
		alone.Mine()
	}
	alone.end()
	p.book = shared
	paid, heir := p.lost("lost")
	p.mineUntilFree(heir)
	if _, err := heir.journal.Get(heir.Ctx, paid.TransactionID); err != nil {
		t.Errorf("what was lost was not found: %v", err)
	}
	if found, err := heir.journal.Get(heir.Ctx, older.TransactionID); err == nil {
		t.Errorf("found as lost is %+v", found)
	}
}

// A server that comes back while the ledger is searched may lack more than was known: that is searched for as well before the hold ends.
func TestMoreIsMissingThanWasKnown(t *testing.T) {
	p := newServers(t)
	shared := p.book
	p.book = nil
	alone := p.sit()
	older, err := alone.keyed("older", nil)
	testwallet.Must(t, err)
	alone.mineUntil(older.TransactionID, payment.Irreversible)
	for range 30 {
		alone.Mine()
	}
	alone.end()
	p.book = shared
	away := p.sit()
	line := p.line
	paid, heir := p.lost("lost")
	line.Cut()
	p.do(`INSERT INTO held_for (server) VALUES ('` + away.journal.Server() + `') ON CONFLICT DO NOTHING`)
	known, err := heir.journal.Hold(heir.Ctx)
	testwallet.Must(t, err)
	isFound := func(id ledger.TransactionID) {
		t.Helper()
		eventually(t, "what the store lacks", func() bool {
			p.now.Forward(5 * time.Second)
			heir.Mine()
			_, err := heir.journal.Get(heir.Ctx, id)
			return err == nil
		})
	}
	isFound(paid.TransactionID)
	p.do(`UPDATE store_meta SET held_from = 1`, `DELETE FROM held_for`)
	if err := heir.journal.EndHold(heir.Ctx, known); !errors.Is(err, store.ErrStillHeld) {
		t.Errorf("a search from block %d on ends a hold from block 1 on: %v", known.From, err)
	}
	isFound(older.TransactionID)
	line.Mend()
	p.mineUntilFree(heir)
}

// While somebody who lived is waited for, nothing ends the hold but a person.
func TestTheHoldWaitsForAServerThatIsGone(t *testing.T) {
	p := newServers(t)
	away := p.sit()
	line := p.line
	paid, heir := p.lost("lost")
	line.Cut()
	p.do(`INSERT INTO held_for (server) VALUES ('` + away.journal.Server() + `') ON CONFLICT DO NOTHING`)
	for end, found := time.Now().Add(testwallet.Patience), 0; found < 40 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		p.now.Forward(5 * time.Second)
		heir.Mine()
		if _, err := heir.journal.Get(heir.Ctx, paid.TransactionID); err == nil {
			found++ // and on, until the search is over
		}
	}
	if err := heir.Payments.CheckJournal(heir.Ctx); err == nil || !strings.Contains(err.Error(), "billfold store status says how it ends") {
		t.Errorf("what is checked while it is held says %v", err)
	}
	if payment.NotReady(heir.Payments) == "" {
		t.Fatal("nobody knows what that server had paid, and the hold ended")
	}
	line.Mend()
	p.mineUntilFree(heir)
}

// A server that was away remembers a payment that was found meanwhile: it has its request key again.
func TestWhatWasFoundGetsItsKeyBack(t *testing.T) {
	p := newServers(t)
	away := p.sit()
	line := p.line
	paid, err := away.Transfer(seven(), payment.Sending{Broadcast: true, Key: "lost"})
	testwallet.Must(t, err)
	away.mineUntil(paid.TransactionID, payment.InBlock)
	line.Cut()
	heir := p.sit()
	heir.Pay("alice", "bobby", "2", "")
	heir.Mine()
	p.do(`DELETE FROM payments WHERE id = '`+paid.TransactionID.String()+`'`,
		`UPDATE servers SET mark = mark - 1, nonce = 'before', expires_at = 0 WHERE id = '`+away.journal.Server()+`'`,
		`UPDATE servers SET mark = mark - 1, nonce = 'before' WHERE id = '`+heir.journal.Server()+`'`)
	eventually(t, "the hold", func() bool { return payment.NotReady(heir.Payments) != "" })
	p.mineUntilFree(heir)
	if _, err := heir.Transfer(seven(), payment.Sending{Broadcast: true, Key: "lost"}); err == nil {
		t.Fatal("it was paid again")
	}
	p.do(`CREATE SEQUENCE tried`, // counts although what tried is rolled back
		`CREATE FUNCTION keep_out() RETURNS trigger AS $$ BEGIN PERFORM nextval('tried'); RAISE 'not now'; END $$ LANGUAGE plpgsql`,
		`CREATE TRIGGER keep_out BEFORE UPDATE OF request_key ON payments FOR EACH ROW EXECUTE FUNCTION keep_out()`)
	line.Mend()
	eventually(t, "a try that fails", func() bool { return p.count(`SELECT last_value FROM tried`) > 3 })
	p.do(`DROP TRIGGER keep_out ON payments`)
	eventually(t, "the key", func() bool {
		kept, err := heir.journal.ByKey(heir.Ctx, "lost")
		return err == nil && kept.ID == paid.TransactionID
	})
	p.mineUntilFree(heir)
	again, err := heir.Transfer(seven(), payment.Sending{Broadcast: true, Key: "lost"})
	if err != nil || again.TransactionID != paid.TransactionID {
		t.Errorf("a repetition is answered %+v, %v", again, err)
	}
}

// A server that stood still during a hold has compared a payment with what was known before: it is not made.
func TestAPaymentOfBeforeTheHoldIsNotMade(t *testing.T) {
	p := newServers(t)
	s := p.sit()
	_, before, err := s.journal.Unclaimed(s.Ctx)
	testwallet.Must(t, err)
	p.do(`UPDATE store_meta SET generation = generation + 1`)
	e := store.Entry{ID: ledger.TransactionID{1}, State: store.Prepared, Bytes: []byte{1}, Prepared: time.Now(), FoundGeneration: before}
	if _, held := errors.AsType[*store.HeldError](s.journal.Add(s.Ctx, e)); !held || before == 0 {
		t.Error("it is made, compared with generation", before)
	}
}

// A copy of earlier days is no failover: how much it lacks nobody knows, and a person ends the hold.
func TestAnOldCopyIsAPersonsBusiness(t *testing.T) {
	p := newServers(t)
	s := p.sit()
	first, err := s.keyed("first", nil)
	testwallet.Must(t, err)
	s.mineUntil(first.TransactionID, payment.InBlock)
	p.line.Cut()
	p.do(`UPDATE servers SET mark = 1, nonce = 'before', expires_at = expires_at - 120000`)
	p.line.Mend()
	eventually(t, "the hold", func() bool {
		hold, err := s.journal.Hold(s.Ctx)
		return err == nil && hold.Why != ""
	})
	if hold, err := s.journal.Hold(s.Ctx); err != nil || hold.Search {
		t.Errorf("it is searched for what an old copy lacks: %+v (%v)", hold, err)
	}
}

// What is being written is none of the payments that a server remembers: written again beside that, it would be made twice, or its key
// would stand for two payments.
func TestWhatIsBeingWrittenIsNotRemembered(t *testing.T) {
	p := newServers(t)
	s := p.sit()
	sent := make(chan error, 1)
	e := s.built()
	p.line.BlackHole(true)
	go func() {
		_, err := s.Payments.SendEntry(s.Ctx, e)
		sent <- err
	}()
	eventually(t, "the payment", func() bool { return s.Payments.Read(e.ID) != nil })
	if n := s.Payments.Remembered(); n != 0 {
		t.Errorf("%d payments are remembered that the store has never had", n)
	}
	p.line.BlackHole(false)
	testwallet.Must(t, <-sent)
	if n := s.Payments.Remembered(); n != 1 {
		t.Errorf("%d payments are remembered of one", n)
	}
}
