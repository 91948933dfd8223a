package postgres_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"

	"github.com/jackc/pgx/v5"
)

// copied opens the store in the place of another server, once the lease of that one has ended.
func copied(t *testing.T, folder, url string) *store.Store {
	t.Helper()
	other := t.TempDir()
	raw, err := os.ReadFile(filepath.Join(folder, postgres.MarkName))
	if err == nil {
		err = os.WriteFile(filepath.Join(other, postgres.MarkName), raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := postgres.Options{Folder: other, Server: filepath.Base(folder), MayLose: true, Lease: lease}.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// do changes the database behind the servers' backs.
func do(t *testing.T, url, statement string) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), url)
	if err == nil {
		_, err = c.Exec(t.Context(), statement)
		err = errors.Join(err, c.Close(context.WithoutCancel(t.Context())))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A server whose place a copy of its folder took writes nothing while that one lives. Once it has gone the server begins anew, and
// follows what the other has left.
func testPlaceIsFree(t *testing.T, c *storetest.Cluster) {
	ctx, url, folder, line := t.Context(), initialised(t, c), t.TempDir(), c.Relay()
	a := server(t, folder, line.URL(t, url))
	if err := a.Journal.Add(ctx, payment(1, "")); err != nil {
		t.Fatal(err)
	}
	line.Cut()
	b := copied(t, folder, url)
	line.Mend()
	if err := b.Journal.Add(ctx, payment(2, "")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the fault", func() bool { return errors.Is(a.Journal.Fault(), store.ErrPlaceTaken) })
	if _, err := a.Cursors.Advance(ctx, 17, store.Cursor{Block: 5}); !errors.Is(err, store.ErrPlaceTaken) {
		t.Errorf("a cursor is moved without a place: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the place", func() bool { return a.Journal.Fault() == nil })
	if err := a.Journal.Add(ctx, payment(3, "")); err != nil {
		t.Errorf("with its place it writes: %v", err)
	}
	if took, err := a.Journal.TakeOver(ctx); !took || err != nil {
		t.Errorf("it is not told to look for what the other left: %v", err)
	}
	if took, err := a.Journal.TakeOver(ctx); took || err != nil {
		t.Errorf("it is told so twice: %v", err)
	}
	if open, err := a.Journal.Open(ctx); err != nil || len(open) != 3 {
		t.Errorf("it follows %d payments (%v)", len(open), err)
	}
}

// A commit that was made and not confirmed is not denied because another program has the place since.
func testCommitBeforeACopy(t *testing.T, c *storetest.Cluster) {
	ctx, url, folder, line := t.Context(), initialised(t, c), t.TempDir(), c.Relay()
	a := server(t, folder, line.URL(t, url))
	if err := a.Journal.Add(ctx, payment(1, "")); err != nil {
		t.Fatal(err)
	}
	var left [2]*store.PendingError
	for n, fault := range []storetest.CommitFault{storetest.LoseAnswer, storetest.LoseCommit} {
		if n > 0 {
			a = server(t, folder, line.URL(t, url))
		}
		line.Break(fault, 1)
		line.When(storetest.AtCommit, line.Cut)
		open, is := errors.AsType[*store.PendingError](a.Journal.Add(ctx, payment(uint32(n)+10, "")))
		if !is {
			t.Fatal("it was answered")
		}
		left[n] = open
		b := copied(t, folder, url)
		if err := b.Journal.Add(ctx, payment(uint32(n)+20, "")); err != nil {
			t.Fatal(err)
		}
		line.Mend()
		err := left[n].Outcome()
		if _, missing := b.Journal.Get(ctx, payment(uint32(n)+10, "").ID); (err == nil) != (missing == nil) {
			t.Errorf("fault %v: it says %v, and the store %v", fault, err, missing)
		}
		if err := errors.Join(b.Close(), a.Close()); err != nil && !errors.Is(err, fs.ErrClosed) {
			t.Fatal(err)
		}
	}
}

// Whichever way the clock of the database is set, servers go on within a moment, and what a dead one left is taken over.
func testClock(t *testing.T, c *storetest.Cluster) {
	ctx := t.Context()
	for name, change := range map[string]string{"forward": "- 10800000", "back": "+ 10800000"} {
		t.Run(name, func(t *testing.T) {
			url, line := initialised(t, c), c.Relay()
			a, b, dead := server(t, t.TempDir(), url), server(t, t.TempDir(), url), server(t, t.TempDir(), line.URL(t, url))
			for n, s := range []*store.Store{a, b, dead} {
				if err := s.Journal.Add(ctx, payment(uint32(n)+1, "")); err != nil {
					t.Fatal(err)
				}
			}
			line.Cut()
			do(t, url, `UPDATE servers SET expires_at = expires_at `+change) // as a clock that was set leaves it
			for n, s := range []*store.Store{a, b} {
				eventually(t, "a server goes on", func() bool { return s.Journal.Add(ctx, payment(uint32(n)+10, "")) == nil })
			}
			eventually(t, "a take-over", func() bool {
				took, err := a.Journal.TakeOver(ctx)
				if err != nil || !took {
					return false
				}
				open, err := a.Journal.Open(ctx)
				return err == nil && strings.Contains(ids(open), payment(3, "").ID.String())
			})
			all, err := (postgres.Options{MayLose: true}).Status(ctx, url)
			if err != nil || !all.Servers[0].Alive || !all.Servers[1].Alive {
				t.Errorf("the servers are %+v (%v)", all.Servers, err)
			}
		})
	}
}

func ids(list []store.Entry) (text string) {
	for i := range list {
		text += list[i].ID.String() + " "
	}
	return text
}

// A server that ended in good order is not one that is gone.
func testEnded(t *testing.T, c *storetest.Cluster) {
	url, line := initialised(t, c), c.Relay()
	servers := func() []postgres.Server {
		at, err := postgres.Options{MayLose: true}.Status(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		return at.Servers
	}
	if list := servers(); list == nil || len(list) > 0 {
		t.Errorf("of nobody there is %v", list)
	}
	ends, gone := server(t, t.TempDir(), url), server(t, t.TempDir(), line.URL(t, url))
	line.Cut()
	before := time.Now().Add(-time.Minute)
	if err := ends.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "one is gone, the other ended", func() bool {
		ended, missing := 0, 0
		for _, s := range servers() {
			if s.Ended != nil && s.Ended.After(before) && !s.Alive {
				ended++
			} else if !s.Alive {
				missing++
			}
		}
		return ended == 1 && missing == 1
	})
	_ = gone.Journal
}

// Claims are made all or none; each that cannot be is named.
func testClaims(t *testing.T, c *storetest.Cluster) {
	ctx, url := t.Context(), initialised(t, c)
	s := server(t, t.TempDir(), url)
	for n := range uint32(3) {
		found := payment(n, "")
		found.Origin, found.State = store.Found, store.Irreversible
		if err := s.Journal.Add(ctx, found); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Journal.Add(ctx, payment(9, "made")); err != nil {
		t.Fatal(err)
	}
	id := func(n uint32) string { return payment(n, "").ID.String() }
	o := postgres.Options{}
	err := o.Claim(ctx, url, false, store.Claim{Key: "a", ID: id(0), Line: 1}, store.Claim{Key: "made", ID: id(1), Line: 2},
		store.Claim{Key: "b", ID: id(7), Line: 4}, store.Claim{Key: "a", ID: id(2), Line: 5},
		store.Claim{Key: "c", ID: id(9), Line: 6})
	if !errors.Is(err, store.ErrKeyTaken) || !errors.Is(err, store.ErrNotFoundPayment) || !errors.Is(err, store.ErrOwnPayment) ||
		strings.Contains(err.Error(), "line 1") {
		t.Errorf("it says %v", err)
	}
	for _, line := range []string{"line 2: ", "line 4: ", "line 5: ", "line 6: "} {
		if !strings.Contains(err.Error(), line) {
			t.Errorf("it says nothing of %s%v", line, err)
		}
	}
	good := []store.Claim{{Key: "a", ID: id(0), Line: 1}, {ID: id(1), Line: 2}}
	if err := o.Claim(ctx, url, true, good...); err != nil {
		t.Error(err)
	}
	if list, err := s.Journal.Found(ctx); err != nil || len(list) != 3 {
		t.Errorf("nothing was claimed yet, and %d are left (%v)", len(list), err)
	}
	if err := o.Claim(ctx, url, false, good...); err != nil {
		t.Error(err)
	}
	if list, err := s.Journal.Found(ctx); err != nil || len(list) != 1 {
		t.Errorf("%d are left (%v)", len(list), err)
	}
	for _, x := range []struct {
		key, id string
		want    error
	}{
		{"made", "", store.ErrNotClaimed}, {"", id(2), store.ErrNotClaimed}, {"", id(0), store.ErrNotClaimed},
		{"", id(1), nil}, {"a", "", nil},
	} {
		if _, err := o.Unclaim(ctx, url, x.key, x.id, false); !errors.Is(err, x.want) {
			t.Errorf("%q %q is taken back: %v", x.key, x.id, err)
		}
	}
	if list, err := s.Journal.Found(ctx); err != nil || len(list) != 3 {
		t.Errorf("everything was taken back, and %d are left (%v)", len(list), err)
	}
}
