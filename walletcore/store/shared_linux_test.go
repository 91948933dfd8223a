package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
)

// shortLease makes take-overs quick.
const shortLease = 2 * time.Second

// server is one of several that share a database, and its line to it.
type server struct {
	*store.Store
	line   *storetest.Relay
	folder string
	url    string
}

// newStore makes an empty store and returns its address.
func newStore(t *testing.T, c *storetest.Cluster) string {
	t.Helper()
	url := c.Database()
	must(t, postgres.Options{MayLose: true}.Init(t.Context(), url, store.NewID(), nil))
	return url
}

func newServer(t *testing.T, c *storetest.Cluster, url string) *server {
	t.Helper()
	s := &server{line: c.Relay(), folder: t.TempDir()}
	s.url = s.line.URL(t, url)
	s.open(t)
	return s
}

func (s *server) open(t *testing.T) {
	t.Helper()
	opened, err := s.options().Open(t.Context(), s.url)
	must(t, err)
	s.Store = opened
	t.Cleanup(func() { _ = opened.Close() })
}

func (s *server) options() postgres.Options {
	return postgres.Options{Folder: s.folder, MayLose: true, Lease: shortLease}
}

// outcome returns the final result of Add.
func (s *server) outcome(ctx context.Context, e store.Entry) error {
	err := s.Journal.Add(ctx, e)
	if open, ok := errors.AsType[*store.PendingError](err); ok {
		return open.Outcome()
	}
	return err
}

// load has callers add payments until stop is closed, and keeps what each was told.
type load struct {
	mu   sync.Mutex
	told map[uint32]error
	next atomic.Uint32
	work sync.WaitGroup
}

func begin(t *testing.T, stop <-chan struct{}, callers int, servers ...*server) *load {
	l := &load{told: map[uint32]error{}}
	for _, s := range servers {
		for range callers {
			l.work.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					n := l.next.Add(1)
					e := entry(n)
					e.Key = "key " + strconv.Itoa(int(n))
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(50+rand.IntN(3000))*time.Millisecond)
					err := s.outcome(ctx, e)
					cancel()
					l.mu.Lock()
					l.told[n] = err
					l.mu.Unlock()
					if err != nil {
						time.Sleep(10 * time.Millisecond)
					}
				}
			})
		}
	}
	return l
}

// compare holds what callers were told against what is there, and returns how many payments are.
func (l *load) compare(t *testing.T, s *store.Store) (kept int) {
	t.Helper()
	l.work.Wait()
	var list []store.Entry
	until(t, func() bool { // a read over a connection from before a failover fails
		var err error
		list, err = s.Journal.Latest(t.Context(), 1<<30)
		return err == nil
	})
	there := map[string]int{}
	for _, e := range list {
		there[e.Key]++
	}
	wrong := 0
	for n, told := range l.told {
		if times := there["key "+strconv.Itoa(int(n))]; times != map[bool]int{true: 1}[told == nil] && wrong < 5 {
			wrong++
			t.Errorf("payment %d is there %d times, told was %v", n, times, told)
		}
	}
	return len(list)
}

// Whatever breaks at a COMMIT, nobody is told that a payment is there which is not, or the other way round.
func TestNobodyIsToldWrongOfACommit(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	all := []*server{newServer(t, c, url), newServer(t, c, url)}
	stop := make(chan struct{})
	l := begin(t, stop, 8, all...)
	for n := range 24 {
		line := all[n%len(all)].line
		switch n % 6 {
		case 0, 1, 2:
			line.Break(storetest.CommitFault(1+n%3), 1+n%3)
		case 3:
			line.Cut()
		case 4:
			line.BlackHole(true)
		case 5:
			c.Kill()
			c.Restart()
		}
		time.Sleep(time.Duration(100+rand.IntN(300)) * time.Millisecond)
		line.BlackHole(false)
		line.Mend()
	}
	for _, s := range all {
		s.line.Break(0, 0)
	}
	close(stop)
	if kept := l.compare(t, all[0].Store); kept < 20 {
		t.Errorf("%d payments are there", kept)
	}
	for _, s := range all {
		must(t, s.outcome(t.Context(), entry(1<<20+uint32(len(s.folder))+rand.Uint32N(1<<19)))) // and it goes on
	}
}

// A caller who leaves while a COMMIT waits for the standby cancels nothing: the row would be shown without being on the standby.
func TestACommitThatWaitsForTheStandbyIsNotCancelled(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	standby := c.Standby(true)
	s, other := newServer(t, c, url), newServer(t, c, url)
	must(t, s.Journal.Add(t.Context(), entry(1)))
	standby.Pause()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	open, ok := errors.AsType[*store.PendingError](s.Journal.Add(ctx, entry(2)))
	if !ok {
		t.Fatal("it did not wait for the standby")
	}
	moved := make(chan error, 1)
	go func() {
		_, err := s.Cursors.Advance(ctx, 17, store.Cursor{Block: 5})
		moved <- err
	}()
	if got, err := other.Journal.Get(t.Context(), entry(2).ID); !errors.Is(err, store.ErrNotFound) {
		t.Error("it is shown without being on the standby:", got.ID, err)
	}
	if at, err := other.Cursors.Cursor(t.Context(), 17); at.Block != 0 || err != nil {
		t.Error("a cursor moved without the standby", err)
	}
	standby.Resume()
	must(t, open.Outcome())
	if err := <-moved; err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if _, err := other.Journal.Get(t.Context(), entry(2).ID); err != nil {
		t.Error(err)
	}
	if n := s.line.Cancels() + other.line.Cancels(); n != 0 {
		t.Errorf("%d cancel requests were sent", n)
	}
}

// While no standby confirms anything nobody waits for ever, and everybody is told why.
func TestCallersAreAnsweredWithoutAStandby(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	standby := c.Standby(true)
	s := newServer(t, c, url)
	must(t, s.Journal.Add(t.Context(), entry(1)))
	standby.Pause()
	var told sync.WaitGroup
	open := make([]*store.PendingError, 3)
	for n := range open { // the first waits for its COMMIT, the others for the first
		told.Go(func() {
			open[n], _ = errors.AsType[*store.PendingError](s.Journal.Add(t.Context(), entry(uint32(n)+2)))
		})
	}
	until(t, func() bool { return strings.Contains(store.CauseOf(s.Journal.Fault()), "standby that does not answer") })
	told.Wait() // it would not end before the standby is back
	for n, one := range open {
		if one == nil {
			t.Errorf("caller %d was not told that the outcome is open", n)
		}
	}
	standby.Resume()
	for _, one := range open {
		if one != nil {
			must(t, one.Outcome())
		}
	}
	until(t, func() bool { return s.Journal.Fault() == nil })
	if n := s.line.Cancels(); n != 0 {
		t.Errorf("%d cancel requests were sent", n)
	}
}

// Somebody ends the wait of a COMMIT for the standby. The database warns and says that it is done; nobody else is told so before the
// standby has it.
func TestACommitThatWasNotWaitedForIsNotTold(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	standby := c.Standby(true)
	s := newServer(t, c, url)
	standby.Pause()
	told := make(chan error, 1)
	go func() { told <- s.outcome(t.Context(), entry(1)) }()
	const waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name LIKE 'billfold writer%'"
	const lease = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name LIKE 'billfold lease%'"
	for range 3 {
		until(t, func() bool {
			c.Admin("SELECT pg_cancel_backend(pid) " + lease) // it has the row that the writer waits for
			return c.Admin("SELECT COUNT(*) "+waiting) != "0"
		})
		c.Admin("SELECT pg_cancel_backend(pid) " + waiting)
	}
	select {
	case err := <-told:
		t.Error("the standby does not have it, and told was", err)
	case <-time.After(300 * time.Millisecond):
	}
	standby.Resume()
	must(t, <-told)
	c.Kill()
	standby.Promote()
	s.line.To(standby)
	until(t, func() bool { _, err := s.Journal.Get(t.Context(), entry(1).ID); return err == nil })
}

// A server that was cut off past its lease writes nothing more of what it had begun, and what it had open is another's.
func TestAServerThatWasAwayIsFenced(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	away, heir := newServer(t, c, url), newServer(t, c, url)
	must(t, away.Journal.Add(t.Context(), entry(1)))
	away.line.BlackHole(true)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	late := entry(2)
	late.Key = "late"
	open, ok := errors.AsType[*store.PendingError](away.Journal.Add(ctx, late))
	if !ok {
		t.Fatal("it was added through a line that is dead")
	}
	until(t, func() bool { took, err := heir.Journal.TakeOver(t.Context()); must(t, err); return took })
	got, err := heir.Journal.Get(t.Context(), entry(1).ID)
	if err != nil || got.State != store.Unknown || got.Owner != heir.Journal.Server() {
		t.Errorf("taken over: %+v (%v)", got, err)
	}
	away.line.BlackHole(false)
	err = open.Outcome()
	if _, missing := heir.Journal.Get(t.Context(), late.ID); (err == nil) != (missing == nil) {
		t.Errorf("told was %v, and it is %v", err, missing)
	}
	e := entry(1)
	e.State = store.Rejected
	until(t, func() bool { return away.Journal.Fault() == nil })
	if err := away.Journal.Update(t.Context(), e); err == nil {
		t.Error("a payment that another follows was rejected")
	}
	must(t, away.outcome(t.Context(), entry(3)))
	if list, err := away.Journal.Open(t.Context()); err != nil || len(list) == 0 || list[len(list)-1].ID != entry(3).ID {
		t.Error(list, err)
	}
}

func until(t *testing.T, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never was")
		}
	}
}

// Every open payment has one server that follows it, at the latest when a lease is over.
func TestOpenPaymentsAreTakenOverOnce(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	ends, dies := newServer(t, c, url), newServer(t, c, url)
	heirs := []*server{newServer(t, c, url), newServer(t, c, url), newServer(t, c, url)}
	for n := range uint32(40) {
		must(t, []*server{ends, dies}[n%2].Journal.Add(t.Context(), entry(n+1)))
	}
	must(t, ends.Close()) // in good order: nobody has to wait
	dies.line.Cut()       // as when it is killed
	began := time.Now()
	var mu sync.Mutex
	var handed time.Duration
	owned := func() (all int) {
		for _, s := range heirs {
			list, err := s.Journal.Open(t.Context())
			must(t, err)
			all += len(list)
		}
		return all
	}
	until(t, func() bool {
		var wg sync.WaitGroup
		for _, s := range heirs {
			wg.Go(func() {
				_, err := s.Journal.TakeOver(t.Context())
				must(t, err)
			})
		}
		wg.Wait()
		mu.Lock()
		defer mu.Unlock()
		n := owned()
		if handed == 0 && n >= 20 {
			handed = time.Since(began)
		}
		return n == 40
	})
	if n := owned(); n != 40 {
		t.Errorf("%d of 40 are followed", n)
	}
	t.Logf("handed over after %v, taken over after %v", handed, time.Since(began))
}

// Four servers count against one limit and write one chain of records, while the database is killed and lines break.
func TestLimitsAndRecordsStandFaults(t *testing.T) {
	t.Parallel()
	const limit, most = 200, 4
	c := storetest.Start(t)
	url := newStore(t, c)
	var all []*server
	for range most {
		all = append(all, newServer(t, c, url))
	}
	stop, over := make(chan struct{}), errors.New("over")
	var work sync.WaitGroup
	var paid, number atomic.Int64
	for _, s := range all {
		for range 4 {
			work.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					n := number.Add(1)
					ctx := store.WithCallBatch(t.Context())
					spend := store.Spend{Token: "till", Key: fmt.Sprint("key ", n), Amount: 1}
					clock := time.Now()
					if paid.Load() > 0 { // then a server may follow the ledger from far behind
						clock = clock.Add(-time.Duration(rand.IntN(2)) * 26 * time.Hour)
					}
					r := &store.Reservation{Spend: spend, Limit: limit, At: clock, Over: over}
					must(t, s.Limits.Reserve(ctx, store.CallBatchOf(ctx), r))
					store.CallBatchOf(ctx).Add(s.Audit.Append(nextRecord(spend.Key), nil))
					e := entry(uint32(n))
					e.Key = spend.Key
					err := s.outcome(ctx, e)
					if err == nil {
						paid.Add(1)
					}
					if errors.Is(err, over) {
						return
					}
				}
			})
		}
	}
	for n := range 8 {
		time.Sleep(time.Duration(50+rand.IntN(200)) * time.Millisecond)
		all[n%most].line.Break(storetest.CommitFault(1+n%3), 1)
		if n%4 == 3 {
			c.Kill()
			c.Restart()
		}
	}
	until(t, func() bool { return paid.Load() >= limit })
	close(stop)
	work.Wait()
	sum, _, err := all[0].Limits.Spent(t.Context(), store.Spend{Token: "till"}, time.Now())
	if sum != limit || paid.Load() != limit || err != nil {
		t.Errorf("%d were paid, %d are counted (%v)", paid.Load(), sum, err)
	}
	recorded := map[string]bool{}
	for _, text := range recordTexts(t, all[1].Store) {
		recorded[text] = true
	}
	list, err := all[2].Journal.Latest(t.Context(), 2*limit)
	must(t, err)
	for _, e := range list {
		if !recorded[e.Key] {
			t.Errorf("payment %s has no record", e.Key)
		}
	}
	if len(list) != limit || len(recorded) != limit {
		t.Errorf("%d payments and %d records are there", len(list), len(recorded))
	}
}

// A server that insists on a standby pays nothing new while commits wait for none, says how that ends, and goes on by itself.
func TestAServerNoticesThatCommitsWaitForNoStandby(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	c.Standby(true)
	url := newStore(t, c)
	strict, err := postgres.Options{Folder: t.TempDir()}.Open(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = strict.Close() })
	lax, err := postgres.Options{Folder: t.TempDir(), MayLose: true}.Open(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = lax.Close() })
	time.Sleep(2200 * time.Millisecond) // all connections are made: a new one is refused anyway
	c.Admin("ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()")
	until(t, func() bool {
		return strings.Contains(store.CauseOf(strict.Journal.Fault()), "has no synchronous standby")
	})
	must(t, (&payer{Store: strict}).pay(t.Context())) // what was begun goes on
	time.Sleep(1200 * time.Millisecond)               // another check
	if err := strict.Journal.Fault(); store.CauseOf(err) == "" {
		t.Errorf("after a commit it says %v", err)
	}
	if err := lax.Journal.Fault(); err != nil {
		t.Error("one that may lose payments says", err)
	}
	c.Admin("ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()")
	until(t, func() bool { return strict.Journal.Fault() == nil })
}

// Just after the database came back, no server could report yet: one whose lease ended meanwhile is not called gone before it had the time.
func TestNoServerIsGoneJustAfterAnOutage(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	mustSQL(t, url, `INSERT INTO servers (id, name, epoch, mark, nonce, touched, expires_at, version, started_at, place)
		VALUES ('a', 'pay-1', 1, 1, '', 0, 1, '', 1, '')`)
	unheard := func(lease time.Duration) bool {
		at, err := postgres.Options{Lease: lease}.Status(t.Context(), url)
		must(t, err)
		if len(at.Servers) != 1 || at.Servers[0].Alive || at.Servers[0].Ended != nil {
			t.Fatalf("%+v", at.Servers)
		}
		return at.Servers[0].Unheard
	}
	if !unheard(time.Minute) {
		t.Error("it is called gone")
	}
	until(t, func() bool { return !unheard(time.Millisecond) })
	mustSQL(t, url, `UPDATE store_meta SET timeline = 'another/00000001'`)
	if !unheard(time.Millisecond) {
		t.Error("after a promotion it is called gone before any server came back")
	}
}
