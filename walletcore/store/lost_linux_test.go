package store_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
)

// failovers returns the number of failovers that TestFailoverLosesNothing tries; FAILOVERS sets another.
func failovers(t *testing.T) int {
	text := os.Getenv("FAILOVERS")
	if text == "" {
		return 2
	}
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

// With a synchronous standby nothing that was confirmed is lost, and nobody is held.
func TestFailoverLosesNothing(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	all := []*server{newServer(t, c, url), newServer(t, c, url)}
	stop := make(chan struct{})
	var standby *storetest.Cluster
	standby = c.Standby(true)
	l := begin(t, stop, 8, all...)
	for n := range failovers(t) {
		if n > 0 {
			c.Remove()
			c, standby = standby, standby.Standby(true)
		}
		before := l.next.Load()
		until(t, func() bool { return l.next.Load() > before+50 })
		time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
		c.Kill()
		standby.Promote()
		for _, s := range all {
			s.line.To(standby)
		}
		for _, s := range all {
			until(t, func() bool { return s.Journal.Fault() == nil })
		}
	}
	close(stop)
	kept := l.compare(t, all[1].Store)
	t.Logf("%d payments, %d failovers", kept, failovers(t))
	for _, s := range all { // nobody is held
		until(t, func() bool { return s.Journal.Fault() == nil })
	}
}

// A standby that lagged takes over: each server that lost something notices, and nothing new is paid.
func TestLossIsNoticed(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	standby := c.Standby(false)
	all := []*server{newServer(t, c, url), newServer(t, c, url)}
	for n, s := range all {
		must(t, s.Journal.Add(t.Context(), entry(uint32(n+1))))
	}
	standby.WaitCaughtUp(c)
	standby.Stop()
	lost := entry(10)
	lost.Key = "lost"
	must(t, all[0].Journal.Add(t.Context(), lost))
	must(t, all[1].Journal.Add(t.Context(), entry(11)))
	c.Kill()
	standby.Restart()
	standby.Promote()
	for _, s := range all {
		s.line.To(standby)
	}
	noticed(t, all...)
	for n, s := range all {
		again := entry(uint32(20 + n))
		again.Key = "lost"
		if err := s.outcome(t.Context(), again); err == nil {
			t.Error("a key whose payment was lost was paid again")
		}
	}
}

// After a promotion nobody pays, not even who lacks nothing, before every server that lived has compared its mark.
func TestAPromotionHoldsUntilAllHaveCompared(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	standby := c.Standby(true)
	complete, away := newServer(t, c, url), newServer(t, c, url)
	ended := newServer(t, c, url)
	must(t, ended.Close()) // in good order: nobody waits for it
	for n, s := range []*server{complete, away} {
		must(t, s.outcome(t.Context(), entry(uint32(n+1))))
	}
	away.line.Cut()
	c.Kill()
	standby.Promote()
	complete.line.To(standby)
	until(t, func() bool {
		hold, err := complete.Journal.Hold(t.Context())
		return err == nil && hold.Why != ""
	})
	held, ok := errors.AsType[*store.HeldError](complete.outcome(t.Context(), entry(10)))
	if !ok {
		t.Fatal("it paid, and nobody has asked the other server")
	}
	t.Log(held)
	time.Sleep(shortLease) // nor is it enough that the other one's lease is over
	if complete.outcome(t.Context(), entry(11)) == nil {
		t.Error("it paid without the other server")
	}
	away.line.To(standby)
	away.line.Mend()
	for n, s := range []*server{complete, away} {
		until(t, func() bool { return s.outcome(t.Context(), entry(uint32(n+20))) == nil })
	}
}

// noticed waits until every server holds new payments, and says that something was lost.
func noticed(t *testing.T, all ...*server) {
	t.Helper()
	for _, s := range all {
		until(t, func() bool {
			lost, is := errors.AsType[*store.LostError](s.Journal.Fault())
			return is && lost.Why != ""
		})
		t.Log(s.Journal.Fault())
		if err := s.outcome(t.Context(), entry(99)); err == nil {
			t.Error("it paid all the same")
		}
	}
}

// A copy of earlier days, put in the place of the database, is noticed by servers that run and by those that start.
func TestARestoredBackupIsNoticed(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	runs, starts := newServer(t, c, url), newServer(t, c, url)
	for n, s := range []*server{runs, starts} {
		must(t, s.Journal.Add(t.Context(), entry(uint32(n+1))))
	}
	name := c.Name(url)
	kick := "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'"
	away := func(do ...string) {
		t.Helper()
		for _, s := range []*server{runs, starts} {
			s.line.Cut()
		}
		c.Admin(append([]string{kick}, do...)...)
		for _, s := range []*server{runs, starts} {
			s.line.Mend()
		}
	}
	away("CREATE DATABASE backup TEMPLATE " + name + " OWNER billfold")
	for n, s := range []*server{runs, starts} {
		until(t, func() bool { return s.outcome(t.Context(), entry(uint32(n+10))) == nil })
	}
	must(t, starts.Close())
	away("DROP DATABASE "+name, "ALTER DATABASE backup RENAME TO "+name)
	noticed(t, runs)
	started, err := starts.options().Open(t.Context(), starts.url)
	if err == nil {
		defer started.Close()
		if started.Journal.Fault() == nil {
			t.Error("a server started on a copy of earlier days")
		}
		err = started.Journal.Add(t.Context(), entry(50))
	}
	if t.Log(err); err == nil {
		t.Error("it paid")
	}
}

// A copied folder is another program that takes itself for the same server: one of the two does not pay.
func TestACopiedFolderIsNoticed(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	s := newServer(t, c, url)
	must(t, s.Journal.Add(t.Context(), entry(1)))
	copied := t.TempDir()
	must(t, os.RemoveAll(copied))
	must(t, os.CopyFS(copied, os.DirFS(s.folder)))
	other := postgres.Options{Folder: copied, MayLose: true, Lease: shortLease}
	ctx, cancel := context.WithTimeout(t.Context(), shortLease/2)
	defer cancel()
	if beside, err := other.Open(ctx, url); err == nil {
		_ = beside.Close()
		t.Error("it started beside the server whose folder it copied")
	} else {
		t.Log(err)
	}
	must(t, s.Journal.Add(t.Context(), entry(2)))
	must(t, s.Close())
	instead, err := other.Open(t.Context(), url) // a server that moved
	must(t, err)
	defer instead.Close()
	must(t, instead.Journal.Add(t.Context(), entry(3)))
	again, cancel := context.WithTimeout(t.Context(), shortLease/2)
	defer cancel()
	if beside, err := s.options().Open(again, url); err == nil {
		_ = beside.Close()
		t.Error("it started beside its copy")
	}
}

// A server that stood still while a copy of it took its place writes nothing more: neither what it had begun, nor anything new.
func TestAServerWhosePlaceIsTakenIsFenced(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	s := newServer(t, c, url)
	must(t, s.Journal.Add(t.Context(), entry(1)))
	copied := t.TempDir()
	must(t, os.RemoveAll(copied))
	must(t, os.CopyFS(copied, os.DirFS(s.folder)))
	s.line.BlackHole(true)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begun, ok := errors.AsType[*store.PendingError](s.Journal.Add(ctx, entry(2)))
	if !ok {
		t.Fatal("it was added through a line that is dead")
	}
	instead, err := postgres.Options{Folder: copied, MayLose: true, Lease: shortLease}.Open(t.Context(), url)
	must(t, err)
	defer instead.Close()
	must(t, instead.Journal.Add(t.Context(), entry(3)))
	s.line.BlackHole(false)
	for n, err := range []error{begun.Outcome(), s.outcome(t.Context(), entry(4))} {
		if t.Log(err); err == nil {
			t.Errorf("payment %d of the server of before was added", n)
		}
	}
	if list, err := instead.Journal.Latest(t.Context(), 10); err != nil || len(list) != 2 {
		t.Error(list, err)
	}
	must(t, instead.Journal.Add(t.Context(), entry(5)))
}

// Another store at the same address is refused by whoever knows the first.
func TestAnotherStoreIsRefused(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	first, second := newStore(t, c), newStore(t, c)
	s := newServer(t, c, first)
	must(t, s.Journal.Add(t.Context(), entry(1)))
	must(t, s.Close())
	other, err := s.options().Open(t.Context(), s.line.URL(t, second))
	if err == nil {
		defer other.Close()
		err = other.Journal.Add(t.Context(), entry(2))
	}
	if t.Log(err); err == nil {
		t.Error("it pays into another store")
	}
	_, err = postgres.Options{MayLose: true, Folder: t.TempDir()}.Open(t.Context(), c.Database())
	if !errors.Is(err, postgres.ErrNoStore) {
		t.Error("an empty database:", err)
	}
	if err := (postgres.Options{MayLose: true}).Init(t.Context(), first, store.NewID(), nil); !errors.Is(err, postgres.ErrStoreThere) {
		t.Error("a store was made twice:", err)
	}
}
