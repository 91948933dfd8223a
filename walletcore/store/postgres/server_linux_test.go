package postgres_test

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const lease = time.Second

// server opens the store as the server of a folder.
func server(t *testing.T, folder, url string) *store.Store {
	t.Helper()
	s, err := postgres.Options{Folder: folder, Server: filepath.Base(folder), MayLose: true, Lease: lease}.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// initialised is a new database with an empty store.
func initialised(t *testing.T, c *storetest.Cluster) string {
	t.Helper()
	url := c.Database()
	if err := (postgres.Options{MayLose: true}).Init(t.Context(), url, store.NewID(), nil); err != nil {
		t.Fatal(err)
	}
	return url
}

func payment(n uint32, key string) store.Entry {
	e := store.Entry{Key: key, State: store.Prepared, Bytes: []byte{1}, Expiration: 1_800_000_000,
		Prepared: time.UnixMilli(1_800_000_000_000 + int64(n)).UTC()}
	binary.BigEndian.PutUint32(e.ID[:], n)
	return e
}

// eventually tries until it is true; a lease takes its time.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

func TestServers(t *testing.T) {
	c := storetest.Start(t)
	for name, test := range map[string]func(*testing.T, *storetest.Cluster){
		"a server that is gone":           testTakeOver,
		"a server that ends":              testEnd,
		"a commit without an answer":      testSettle,
		"a store that is away":            testAway,
		"a note in an unanswered commit":  testNote,
		"a store that forgot":             testForgot,
		"a store that forgot, at a start": testForgotAtStart,
		"older copies, one after another": testOlderCopies,
		"a folder that was copied":        testCopiedFolder,
		"a copy that has the place":       testTakenPlace,
		"a copy that ends":                testPlaceIsFree,
		"a commit before a copy came":     testCommitBeforeACopy,
		"the clock is set":                testClock,
		"servers that ended":              testEnded,
		"claims":                          testClaims,
		"a limit of two servers":          testLimit,
		"no store":                        testNoStore,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, c)
		})
	}
}

// The payments of a server that is cut off go to another, and it can say nothing of them any more.
func testTakeOver(t *testing.T, c *storetest.Cluster) {
	ctx, url, line := t.Context(), initialised(t, c), c.Relay()
	a, b := server(t, t.TempDir(), line.URL(t, url)), server(t, t.TempDir(), url)
	sent := payment(2, "")
	if err := errors.Join(a.Journal.Add(ctx, payment(1, "k")), a.Journal.Add(ctx, sent)); err != nil {
		t.Fatal(err)
	}
	sent.State = store.Sent
	if err := a.Journal.Update(ctx, sent); err != nil {
		t.Fatal(err)
	}
	if took, err := b.Journal.TakeOver(ctx); took || err != nil {
		t.Fatalf("the payments of a server that lives are taken over: %v", err)
	}
	line.Cut()
	eventually(t, "nothing is taken over", func() bool {
		took, err := b.Journal.TakeOver(ctx)
		return took && err == nil
	})
	open, err := b.Journal.Open(ctx)
	if err != nil || len(open) != 2 || open[0].State != store.Unknown || open[1].State != store.Sent ||
		open[0].Owner != b.Journal.Server() {
		t.Fatalf("%+v (%v)", open, err)
	}
	line.Mend()
	rejected := payment(1, "k")
	rejected.State = store.Rejected
	eventually(t, "the server does not come back", func() bool {
		err := a.Journal.Update(ctx, rejected)
		refused, ok := errors.AsType[*store.RefusedError](err)
		return ok && len(refused.IDs) == 1
	})
	if got, err := b.Journal.ByKey(ctx, "k"); err != nil || got.State != store.Unknown {
		t.Errorf("it is %+v (%v)", got, err)
	}
	if open, err := a.Journal.Open(ctx); len(open) != 0 || err != nil {
		t.Errorf("it still follows %+v (%v)", open, err)
	}
	if err := a.Journal.Add(ctx, payment(3, "k3")); err != nil {
		t.Errorf("it makes none any more: %v", err)
	}
}

// A server that ends leaves its payments to the others at once.
func testEnd(t *testing.T, c *storetest.Cluster) {
	ctx, url, folder := t.Context(), initialised(t, c), t.TempDir()
	a, b := server(t, folder, url), server(t, t.TempDir(), url)
	if err := errors.Join(a.Journal.Add(ctx, payment(1, "")), a.Close()); err != nil {
		t.Fatal(err)
	}
	if took, err := b.Journal.TakeOver(ctx); !took || err != nil {
		t.Errorf("its payments are left behind (%v)", err)
	}
	if err := server(t, folder, url).Journal.Add(ctx, payment(2, "")); err != nil {
		t.Error(err)
	}
}

// Whatever becomes of a COMMIT on its way, the caller is told the truth.
func testSettle(t *testing.T, c *storetest.Cluster) {
	ctx, url, line := t.Context(), initialised(t, c), c.Relay()
	a := server(t, t.TempDir(), line.URL(t, url))
	n := uint32(0)
	for range 5 {
		for _, fault := range []storetest.CommitFault{storetest.LoseCommit, storetest.CutCommit, storetest.LoseAnswer} {
			n++
			line.Break(fault, 1)
			if err := a.Journal.Add(ctx, payment(n, "")); err != nil {
				t.Errorf("fault %v: %v", fault, err)
			}
			if _, err := a.Journal.Get(ctx, payment(n, "").ID); err != nil {
				t.Errorf("fault %v: it was not written: %v", fault, err)
			}
		}
	}
	if got := line.Cancels(); got != 0 {
		t.Errorf("%d statements were cancelled", got)
	}
}

// What was not confirmed before the store went away is known once it is back.
func testAway(t *testing.T, c *storetest.Cluster) {
	ctx, url, line := t.Context(), initialised(t, c), c.Relay()
	a := server(t, t.TempDir(), line.URL(t, url))
	if err := a.Journal.Add(ctx, payment(1, "")); err != nil {
		t.Fatal(err)
	}
	for n, fault := range []storetest.CommitFault{storetest.LoseCommit, storetest.LoseAnswer} {
		one := payment(uint32(n)+10, "")
		var left *store.PendingError
		eventually(t, "the fault never meets the payment", func() (pending bool) {
			line.Break(fault, 1)
			line.When(storetest.AtCommit, line.Cut)
			err := a.Journal.Add(ctx, one)
			if left, pending = errors.AsType[*store.PendingError](err); pending {
				return true
			}
			if err == nil {
				t.Fatalf("fault %v: the payment was written", fault)
			}
			line.Mend() // the fault met the empty commit by which a server finds out whether it can write again
			eventually(t, "the store stays away", func() bool { return a.Journal.Fault() == nil })
			return false
		})
		if err := a.Journal.Add(ctx, payment(uint32(n)+20, "")); err == nil || errors.Is(err, left) {
			t.Errorf("the next one is answered %v", err)
		}
		if a.Journal.Fault() == nil {
			t.Error("the store is well, it says")
		}
		line.Mend()
		err := left.Outcome()
		if _, missing := a.Journal.Get(ctx, one.ID); (err == nil) != (missing == nil) {
			t.Errorf("fault %v: it says %v, and the store %v", fault, err, missing)
		}
		eventually(t, "the store stays away", func() bool { return a.Journal.Fault() == nil })
	}
}

// What nobody waits for, and an unanswered commit did not keep, is in the next one; the server goes on, and ends.
func testNote(t *testing.T, c *storetest.Cluster) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	url, line := initialised(t, c), c.Relay()
	a := server(t, t.TempDir(), line.URL(t, url))
	if err := a.Journal.Add(ctx, payment(1, "")); err != nil {
		t.Fatal(err)
	}
	line.Break(storetest.LoseCommit, 1)
	line.When(storetest.AtCommit, line.Cut)
	note := a.Audit.Append(func(_ store.Tx, last store.AuditRecord) (store.AuditRecord, error) {
		return store.AuditRecord{Number: last.Number + 1, Text: "noted", Hash: "h"}, nil
	}, nil)
	if err := a.Audit.Note(note); err != nil {
		t.Fatal(err)
	}
	left, ok := errors.AsType[*store.PendingError](a.Journal.Add(ctx, payment(2, "")))
	if !ok {
		t.Fatal("the commit was answered")
	}
	line.Mend()
	_ = left.Outcome() // either
	eventually(t, "the store stays away", func() bool { return a.Journal.Fault() == nil })
	if err := a.Journal.Add(ctx, payment(3, "")); err != nil {
		t.Fatal(err)
	}
	records := 0
	if err := a.Audit.Records(ctx, func(store.AuditRecord) error { records++; return nil }); err != nil || records != 1 {
		t.Errorf("there are %d records (%v)", records, err)
	}
	if err := a.Journal.Add(ctx, payment(4, "")); err != nil {
		t.Errorf("the server stands still: %v", err)
	}
}

// A store that lacks what it confirmed is held for all servers, until somebody has looked at it.
func testForgot(t *testing.T, c *storetest.Cluster) {
	ctx, url := t.Context(), initialised(t, c)
	a, b := server(t, t.TempDir(), url), server(t, t.TempDir(), url)
	kept, gone := payment(1, "kept"), payment(2, "gone")
	if err := errors.Join(a.Journal.Add(ctx, kept), a.Journal.Add(ctx, gone)); err != nil {
		t.Fatal(err)
	}
	forget(t, url, a.Journal.Server(), gone)
	eventually(t, "it is not noticed", func() bool { return a.Journal.Fault() != nil && b.Journal.Fault() != nil })
	for _, s := range []*store.Store{a, b} {
		if _, lost := errors.AsType[*store.LostError](s.Journal.Check(ctx, "")); !lost {
			t.Error("the journal calls itself the wallet's own")
		}
		err := s.Journal.Add(ctx, payment(3, "gone"))
		for tries := 0; store.IsAway(err) && tries < 50; tries++ { // a busy machine
			time.Sleep(200 * time.Millisecond)
			err = s.Journal.Add(ctx, payment(3, "gone"))
		}
		if held, ok := errors.AsType[*store.HeldError](err); !ok || held.Why == "" {
			t.Errorf("a new payment is answered %v", err)
		}
	}
	found := gone
	found.State, found.Key = store.InBlock, ""
	kept.State = store.Sent
	if err := errors.Join(b.Journal.Add(ctx, found), a.Journal.Update(ctx, kept)); err != nil {
		t.Errorf("what the ledger has cannot be recorded: %v", err)
	}
	if _, err := b.Journal.Renew(ctx); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it stays held", func() bool { return a.Journal.Fault() == nil && b.Journal.Fault() == nil })
	if err := errors.Join(a.Journal.Add(ctx, payment(5, "")), b.Journal.Add(ctx, payment(6, ""))); err != nil {
		t.Error(err)
	}
}

// forget makes a store one that lost the last commit of a server.
func forget(t *testing.T, url, id string, e store.Entry) {
	t.Helper()
	db := open(t, url)
	for _, statement := range []string{
		`DELETE FROM payments WHERE id = '` + e.ID.String() + `'`,
		`UPDATE servers SET mark = mark - 1, nonce = 'before' WHERE id = '` + id + `'`,
	} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

func testForgotAtStart(t *testing.T, c *storetest.Cluster) {
	ctx, url, folder := t.Context(), initialised(t, c), t.TempDir()
	a := server(t, folder, url)
	if err := errors.Join(a.Journal.Add(ctx, payment(1, "")), a.Close()); err != nil {
		t.Fatal(err)
	}
	forget(t, url, a.Journal.Server(), payment(1, ""))
	a = server(t, folder, url)
	if _, lost := errors.AsType[*store.LostError](a.Journal.Check(ctx, "")); !lost {
		t.Error("nobody notices")
	}
	if _, held := errors.AsType[*store.HeldError](a.Journal.Add(ctx, payment(2, ""))); !held {
		t.Error("it pays")
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := postgres.Options{Folder: folder, MayLose: true, Lease: lease}.Open(ctx, initialised(t, c))
	if _, lost := errors.AsType[*store.LostError](err); !lost {
		t.Errorf("another store is answered %v", err)
	}
}

func testCopiedFolder(t *testing.T, c *storetest.Cluster) {
	ctx, url, folder, copied := t.Context(), initialised(t, c), t.TempDir(), t.TempDir()
	a := server(t, folder, url)
	if err := a.Journal.Add(ctx, payment(1, "")); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(folder, postgres.MarkName))
	if err == nil {
		err = os.WriteFile(filepath.Join(copied, postgres.MarkName), raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	_, err = postgres.Options{Folder: copied, MayLose: true, Lease: lease, Logger: slog.New(slog.NewTextHandler(&said, nil))}.Open(ctx, url)
	if strings.Count(said.String(), "waiting for the end") != 1 {
		t.Errorf("while it waits it says %q", said.String())
	}
	if runs, is := errors.AsType[*postgres.RunsError](err); !is || runs.Name != filepath.Base(folder) {
		t.Errorf("the copy is answered %v", err)
	}
	if err := a.Journal.Add(ctx, payment(2, "")); err != nil {
		t.Errorf("the copy stopped the original: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := postgres.Options{Folder: folder, MayLose: true, Lease: lease}.Open(ctx, url) // as a command does, which names none
	if err == nil {
		err = again.Close()
	}
	at, failure := postgres.Options{}.Status(ctx, url)
	if err != nil || failure != nil || len(at.Servers) != 1 || at.Servers[0].Name != filepath.Base(folder) {
		t.Errorf("the server is called %+v (%v, %v)", at.Servers, err, failure)
	}
}

// A copy of the folder that began while the server was cut off has its place: the server says so for as long as it runs.
func testTakenPlace(t *testing.T, c *storetest.Cluster) {
	ctx, url, folder, copied, line := t.Context(), initialised(t, c), t.TempDir(), t.TempDir(), c.Relay()
	a := server(t, folder, line.URL(t, url))
	if err := a.Journal.Add(ctx, payment(1, "")); err != nil {
		t.Fatal(err)
	}
	line.Cut()
	eventually(t, "the mark", func() bool {
		raw, err := os.ReadFile(filepath.Join(folder, postgres.MarkName))
		return err == nil && os.WriteFile(filepath.Join(copied, postgres.MarkName), raw, 0o600) == nil
	})
	// It waits for the end of the lease, and has one that a busy machine does not end.
	b, err := postgres.Options{Folder: copied, Server: filepath.Base(folder), MayLose: true, Lease: time.Minute}.Open(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // the store goes away with the test
	line.Mend()
	eventually(t, "the fault", func() bool { return errors.Is(a.Journal.Fault(), store.ErrPlaceTaken) })
	for range 3 {
		time.Sleep(lease / 5) // it looks meanwhile
		if err := a.Journal.Fault(); !errors.Is(err, store.ErrPlaceTaken) {
			t.Errorf("the one without a place says %v", err)
		}
	}
	if err := a.Journal.Add(ctx, payment(2, "")); !errors.Is(err, store.ErrPlaceTaken) {
		t.Errorf("it writes: %v", err)
	}
	if err := b.Journal.Add(ctx, payment(2, "")); err != nil {
		t.Errorf("the one with the place: %v", err)
	}
}

// However many servers count against a limit at once, it is not exceeded.
func testLimit(t *testing.T, c *storetest.Cluster) {
	ctx, url := t.Context(), initialised(t, c)
	over := errors.New("over")
	results := make(chan error)
	const servers, each, fits = 3, 20, 25
	for range servers {
		s := server(t, t.TempDir(), url)
		for range each {
			go func() {
				r := &store.Reservation{Spend: store.Spend{Token: "t", Amount: 2}, Limit: 2 * fits, Over: over}
				results <- s.Limits.Reserve(ctx, nil, r)
			}()
		}
	}
	fine := 0
	for range servers * each {
		switch err := <-results; {
		case err == nil:
			fine++
		case !errors.Is(err, over):
			t.Error(err)
		}
	}
	if fine != fits {
		t.Errorf("%d of %d were counted", fine, fits)
	}
}

func testNoStore(t *testing.T, c *storetest.Cluster) {
	o := postgres.Options{Folder: t.TempDir(), MayLose: true, Lease: lease}
	url := c.Database()
	if _, err := o.Open(t.Context(), url); !errors.Is(err, postgres.ErrNoStore) {
		t.Errorf("without a store: %v", err)
	}
	if err := o.Init(t.Context(), url, "id", nil); err != nil {
		t.Fatal(err)
	}
	if err := o.Init(t.Context(), url, "id", nil); !errors.Is(err, postgres.ErrStoreThere) {
		t.Errorf("a second time: %v", err)
	}
	_, err := postgres.Options{Folder: t.TempDir()}.Open(t.Context(), url)
	if _, unfit := errors.AsType[*postgres.UnfitError](err); !unfit {
		t.Errorf("without a standby: %v", err)
	}
	for text, want := range map[string]string{
		"billfold store mark 1 of one alone\n": "the folder has a store of its own", "": "is damaged", "Dear diary": "is damaged",
	} {
		if err := os.WriteFile(filepath.Join(o.Folder, postgres.MarkName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := o.Open(t.Context(), url); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a folder whose mark is %q is answered %v", text, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o.Folder = t.TempDir()
	if _, err := o.Open(ctx, "postgres://127.0.0.1:1/none"); err == nil {
		t.Error("a database that is not there is taken")
	}
}
