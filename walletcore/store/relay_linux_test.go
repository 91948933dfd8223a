package store_test

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"billfold/walletcore/storetest"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestARelayBreaksCommits(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	direct := c.Database()
	r := c.Relay()
	url := r.URL(t, direct)
	mustSQL(t, url, "CREATE TABLE kept (n INT)")
	for n, x := range []struct {
		fault   storetest.CommitFault
		told    bool
		written string // "" = either
	}{{0, true, "1"}, {storetest.LoseCommit, false, "0"}, {storetest.LoseAnswer, false, "1"}, {storetest.CutCommit, false, "1"}, {0, true, "1"}} {
		r.Break(x.fault, map[bool]int{true: 1}[x.fault != 0])
		number := strconv.Itoa(n)
		_, err := sql(t.Context(), url, "BEGIN", "INSERT INTO kept VALUES ("+number+")", "COMMIT")
		if told := err == nil; told != x.told && x.fault != storetest.CutCommit { // there the answer may have been on its way already
			t.Errorf("fault %d: told %v", x.fault, err)
		}
		count := "SELECT COUNT(*) FROM kept WHERE n = " + number
		until(t, func() bool { return mustSQL(t, direct, count) == x.written })
	}
	if _, err := sql(t.Context(), url, "/*commit*/ INSERT INTO kept VALUES (100)"); err != nil {
		t.Error(err)
	}
	r.Break(storetest.LoseAnswer, 1)
	if _, err := sql(t.Context(), url, "/*commit*/ INSERT INTO kept VALUES (101)"); err == nil {
		t.Error("the answer came")
	}
	if got := mustSQL(t, direct, "SELECT COUNT(*) FROM kept WHERE n >= 100"); got != "2" {
		t.Error("written are", got)
	}
	if r.Commits() != 7 || r.Cancels() != 0 {
		t.Error(r.Commits(), r.Cancels())
	}
}

func TestARelayIsCutHeldAndMended(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	direct := c.Database()
	r := c.Relay()
	url := r.URL(t, direct)
	var wg sync.WaitGroup
	ask := func(statement string) chan error {
		done := make(chan error, 1)
		wg.Go(func() {
			_, err := sql(t.Context(), url, statement)
			done <- err
		})
		return done
	}
	defer wg.Wait()
	long := ask("SELECT pg_sleep(60)")
	until(t, func() bool {
		return mustSQL(t, direct, "SELECT COUNT(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'") == "1"
	})
	r.Cut()
	if err := <-long; err == nil {
		t.Error("it was not cut")
	}
	if err := <-ask("SELECT 1"); err == nil {
		t.Error("a line that is cut was made")
	}
	r.Mend()
	if err := <-ask("SELECT 1"); err != nil {
		t.Error(err)
	}
	r.BlackHole(true)
	held := ask("SELECT 1")
	select {
	case err := <-held:
		t.Error("nothing is held:", err)
	case <-time.After(50 * time.Millisecond):
	}
	r.BlackHole(false)
	if err := <-held; err != nil {
		t.Error(err)
	}
	r.Delay(100 * time.Millisecond)
	began := time.Now()
	if err := <-ask("SELECT 1"); err != nil || time.Since(began) < 100*time.Millisecond {
		t.Error(err, time.Since(began))
	}
	c.Kill()
	if err := <-ask("SELECT 1"); err == nil {
		t.Error("the relay answers for a cluster that is dead")
	}
	other := storetest.Start(t)
	r.To(other)
	if _, err := sql(t.Context(), r.URL(t, other.Database()), "SELECT 1"); err != nil {
		t.Error(err)
	}
}

func TestARelayTellsOfMoments(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	direct := c.Database()
	r := c.Relay()
	mustSQL(t, direct, "CREATE TABLE kept (n INT)")
	var seen []string
	for at, name := range map[storetest.Moment]string{
		storetest.AtBegin: "begin ", storetest.AtCommit: "commit ", storetest.Committed: "committed ",
	} {
		r.When(at, func() { seen = append(seen, name+mustSQL(t, direct, "SELECT COUNT(*) FROM kept")) })
	}
	for range 2 {
		mustSQL(t, r.URL(t, direct), "BEGIN", "INSERT INTO kept VALUES (1)", "COMMIT")
	}
	if want := []string{"begin 0", "commit 0", "committed 1"}; !slices.Equal(seen, want) {
		t.Error(seen)
	}
}

// A client that gives up asks for its statement to be cancelled: that is counted.
func TestARelayCountsCancels(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	r := c.Relay()
	url := r.URL(t, c.Database())
	conn, err := pgconn.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // it was cancelled
	asleep := make(chan error, 1)
	go func() { asleep <- conn.Exec(t.Context(), "SELECT pg_sleep(60)").Close() }()
	until(t, func() bool {
		return c.Admin("SELECT COUNT(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'") == "1"
	})
	must(t, conn.CancelRequest(t.Context()))
	if err := <-asleep; err == nil {
		t.Error("it was not cancelled")
	}
	if got := r.Cancels(); got != 1 {
		t.Error("counted", got)
	}
}
