package daemonclient_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
)

// failoverLimit is the failover time that the pool promises; tests measure it with the default times.
const failoverLimit = 2 * time.Second

// load keeps callers asking until stop, which gives the number of answers.
func load(t testing.TB, c *daemonclient.Client, callers int) (stop func() int64) {
	var over atomic.Bool
	var answered atomic.Int64
	var done sync.WaitGroup
	for range callers {
		done.Go(func() {
			for !over.Load() {
				if n, err := c.AccountCount(context.Background()); err != nil || n != 21 {
					t.Errorf("a query was lost: %d, %v", n, err)
					return
				}
				answered.Add(1)
				time.Sleep(200 * time.Microsecond)
			}
		})
	}
	return func() int64 {
		over.Store(true)
		done.Wait()
		return answered.Load()
	}
}

func TestPoolFailsOverWhenTheLineBreaks(t *testing.T) {
	c, used, reserve := pair(t, daemonclient.Config{})
	events, cancel := c.Subscribe()
	defer cancel()
	stop := load(t, c, 8)
	used.set(func(n *node) { n.down = true })
	took := await(t, c, "failover", uses(reserve))
	if stop(); took > failoverLimit {
		t.Errorf("failover took %v", took)
	}
	e, changed := (<-events).(daemonclient.StateChanged)
	if !changed || e.Status.State != daemonclient.Online || e.Status.URL != reserve.url {
		t.Errorf("the event is %+v", e)
	}
	await(t, c, "the loss being listed", func(daemonclient.Status) bool {
		d := health(t, c, used)
		return d.State == daemonclient.Offline && d.LastError != "" && !d.Active && d.Faults > 0
	})
	used.set(func(n *node) { n.down = false })
	await(t, c, "the return", allOnline)
	if !uses(reserve)(c.Status()) || !health(t, c, reserve).Active {
		t.Error("the first daemon was taken back into use at once")
	}
}

func TestPoolFailsOverWhenTheDaemonFallsSilent(t *testing.T) { inBubble(t, failsOverSilence) }

func failsOverSilence(t *testing.T, w *wires) {
	c, used, reserve := w.pair(t, daemonclient.Config{})
	used.set(func(n *node) { n.silent = true })
	sent := make(chan error, 1)
	go func() { sent <- c.BroadcastTransaction(context.Background(), &ledger.SignedTransaction{}) }()
	begun := time.Now()
	if n, err := c.AccountCount(within(t)); err != nil || n != 21 {
		t.Errorf("the query under way: %d, %v", n, err)
	}
	var unknown *daemonclient.OutcomeUnknownError
	if err := <-sent; !errors.As(err, &unknown) {
		t.Errorf("the broadcast under way: %v", err)
	}
	if took := time.Since(begun); took > failoverLimit || !uses(reserve)(c.Status()) {
		t.Errorf("after %v: %+v", took, c.Status())
	}
	if n := reserve.count("broadcast_transaction"); n != 0 {
		t.Errorf("the pool sent the broadcast again, %d times", n)
	}
	if err := c.BroadcastTransaction(within(t), &ledger.SignedTransaction{}); err != nil || reserve.count("broadcast_transaction") != 1 {
		t.Errorf("sent by the caller: %v", err)
	}
}

// A pool of one, or of one that is left, does not throw away a connection that may
// still answer.
func TestSilentDaemonIsKeptWhenThereIsNoOther(t *testing.T) {
	n := newNode(t, nil)
	c := start(t, daemonclient.Config{URLs: []string{n.url}, ProbeInterval: 20 * time.Millisecond, AnswerTimeout: 50 * time.Millisecond})
	online(t, c)
	n.set(func(n *node) { n.silent = true })
	await(t, c, "silence", func(s daemonclient.Status) bool { return s.Daemons[0].Silent })
	if s := c.Status(); s.State != daemonclient.Online {
		t.Errorf("the state is %v", s.State)
	}
	n.set(func(n *node) { n.silent = false })
	await(t, c, "an answer", func(s daemonclient.Status) bool { return !s.Daemons[0].Silent })
	if lines := n.count("connect"); lines != 1 {
		t.Errorf("%d lines were made", lines)
	}
}

func TestPoolFailsOverWhenTheHeadGoesStale(t *testing.T) {
	c, used, reserve := pair(t, daemonclient.Config{})
	used.set(func(n *node) { n.age = 70 * time.Second })
	if took := await(t, c, "failover", uses(reserve)); took > failoverLimit {
		t.Errorf("failover took %v", took)
	}
	if s := c.Status(); s.Stale || s.Lagging || !health(t, c, used).Stale {
		t.Errorf("the status is %+v", s)
	}
	if err := c.BroadcastTransaction(within(t), &ledger.SignedTransaction{}); err != nil || used.count("broadcast_transaction") != 0 {
		t.Errorf("broadcast: %v", err)
	}
}

func TestNoPaymentIsTrustedToAStaleDaemon(t *testing.T) {
	n := newNode(t, func(n *node) { n.age = 70 * time.Second })
	c := start(t, daemonclient.Config{URLs: []string{n.url}, ProbeInterval: 20 * time.Millisecond})
	online(t, c)
	if s := c.Status(); !s.Stale || !s.Lagging || s.Daemons[0].HeadAge < 70*time.Second || s.HeadTime == 0 {
		t.Errorf("the status is %+v", s)
	}
	tx := &ledger.SignedTransaction{}
	_, _, withNotice := c.BroadcastTransactionWithCallback(within(t), tx)
	for _, err := range []error{c.BroadcastTransaction(within(t), tx), withNotice} {
		var unknown *daemonclient.OutcomeUnknownError
		if !errors.Is(err, daemonclient.ErrStale) || !errors.Is(err, daemonclient.ErrUnavailable) || errors.As(err, &unknown) ||
			!strings.Contains(err.Error(), "newest block is 1m1") {
			t.Errorf("broadcast: %v", err)
		}
	}
	if n.count("broadcast_transaction")+n.count("broadcast_transaction_with_callback") != 0 {
		t.Error("it was sent")
	}
	if _, err := c.AccountCount(within(t)); err != nil {
		t.Errorf("query: %v", err)
	}
	events, cancel := c.Subscribe()
	defer cancel()
	n.set(func(n *node) { n.age = 20 * time.Second })
	for e := range events {
		if e, ok := e.(daemonclient.StateChanged); ok && !e.Status.Stale && e.Status.Lagging {
			break
		}
	}
	if err := c.BroadcastTransaction(within(t), tx); err != nil {
		t.Errorf("lagging, not stale: %v", err)
	}
}

func TestHeadOfAnyAgeWhenToldSo(t *testing.T) {
	n := newNode(t, func(n *node) { n.age = time.Duration(time.Now().UnixNano()) }) // a ledger whose time is 0
	for _, test := range []struct {
		limit time.Duration
		want  error
	}{{-1, nil}, {0, daemonclient.ErrStale}} {
		c := start(t, daemonclient.Config{URLs: []string{n.url}, StaleAfter: test.limit})
		online(t, c)
		if err := c.BroadcastTransaction(within(t), &ledger.SignedTransaction{}); !errors.Is(err, test.want) ||
			c.Status().Stale != (test.want != nil) {
			t.Errorf("with %v: %v", test.limit, err)
		}
	}
}

// A sandbox says that the age of its head means nothing. Its word is taken only
// where the caller said so, never on the main chain, and what is no such word is none.
func TestOnlyASandboxHasAClockOfItsOwn(t *testing.T) {
	const own = `{"version":"1.5.0-billfold-sandbox","own_clock":true}`
	for name, test := range map[string]struct {
		chain, about string
		stale        bool
		asked        bool
	}{
		"a sandbox":           {chainText, own, false, true},
		"blocks by time":      {chainText, `{"version":"1.5.0-billfold-sandbox"}`, true, true},
		"a node of nonsense":  {chainText, "", true, true},
		"no truth value":      {chainText, `{"own_clock":"true"}`, true, true},
		"on the main chain":   {otherChainText, own, true, false},
		"fresh all the while": {chainText, own, false, false},
		"nobody said so":      {chainText, own, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNode(t, func(n *node) {
				n.chain, n.about, n.age = test.chain, test.about, 70*time.Second
				if name == "fresh all the while" {
					n.age = 0
				}
			})
			c := start(t,
				daemonclient.Config{URLs: []string{n.url}, ProbeInterval: 10 * time.Millisecond, OwnClock: name != "nobody said so"})
			online(t, c)
			err := c.BroadcastTransaction(within(t), &ledger.SignedTransaction{})
			if s := c.Status(); s.Stale != test.stale || s.OwnClock != (test.asked && !test.stale) ||
				errors.Is(err, daemonclient.ErrStale) != test.stale {
				t.Errorf("%+v, broadcast: %v", s, err)
			}
			if s := c.Status(); (s.Condition == daemonclient.TooOld) != test.stale {
				t.Errorf("condition: %v", s.Condition)
			}
			if errors.Is(c.Trusted(), daemonclient.ErrStale) != test.stale || (n.count("about") > 0) != test.asked {
				t.Errorf("trusted: %v, asked %d times", c.Trusted(), n.count("about"))
			}
		})
	}
}

func TestForeignDaemonIsRefusedForGood(t *testing.T) {
	foreign, own := newNode(t, func(n *node) { n.chain = otherChainText }), newNode(t, nil)
	c := start(t, daemonclient.Config{URLs: []string{foreign.url, own.url}, ChainID: chainID(t, chainText)})
	await(t, c, "the refusal", func(daemonclient.Status) bool {
		return health(t, c, foreign).State == daemonclient.WrongChain && uses(own)(c.Status())
	})
	if d := health(t, c, foreign); !strings.Contains(d.LastError, otherChainText) {
		t.Errorf("it is told as %q", d.LastError)
	}
	own.set(func(n *node) { n.down = true })
	s := awaitState(t, c, daemonclient.Offline)
	if s.URL != own.url || !strings.Contains(s.LastError, "no other daemon") {
		t.Errorf("the status is %+v", s)
	}
	own.set(func(n *node) { n.down = false })
	await(t, c, "the way back", uses(own))
	if n := foreign.count("connect"); n != 1 {
		t.Errorf("the foreign daemon was called %d times", n)
	}
}

func TestAllForeign(t *testing.T) {
	one, two := newNode(t, nil), newNode(t, nil)
	c := start(t, daemonclient.Config{URLs: []string{one.url, two.url}, ChainID: chainID(t, otherChainText)})
	awaitState(t, c, daemonclient.WrongChain)
	if err := c.WaitOnline(within(t)); !errors.Is(err, daemonclient.ErrWrongChain) {
		t.Errorf("got %v", err)
	}
}

func TestPoolLeavesADaemonThatTurnsToAnotherChain(t *testing.T) {
	t.Parallel() // it waits
	c, used, reserve := pair(t, daemonclient.Config{})
	used.set(func(n *node) { n.chain = otherChainText })
	if took := await(t, c, "failover", uses(reserve)); took > failoverLimit {
		t.Errorf("failover took %v", took)
	}
	await(t, c, "the refusal", func(daemonclient.Status) bool { return health(t, c, used).State == daemonclient.WrongChain })
}

// With no chain known yet, which daemon is quicker must not decide which chain
// the wallet is for.
func TestFirstListedDaemonDecidesTheChain(t *testing.T) {
	t.Parallel() // it waits
	slow := newNode(t, func(n *node) { n.chain, n.slow = otherChainText, 300*time.Millisecond })
	quick := newNode(t, nil)
	c := start(t, daemonclient.Config{URLs: []string{slow.url, quick.url}})
	online(t, c)
	if s := c.Status(); s.ChainID != chainID(t, otherChainText) || s.URL != slow.url {
		t.Errorf("the status is %+v", s)
	}
	await(t, c, "the refusal", func(daemonclient.Status) bool { return health(t, c, quick).State == daemonclient.WrongChain })
}

func TestPoolStartsWithoutAnyAndStaysQuiet(t *testing.T) {
	var log lines
	one, two := newNode(t, func(n *node) { n.down = true }), newNode(t, func(n *node) { n.down = true })
	c := start(t, daemonclient.Config{URLs: []string{one.url, two.url}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	awaitState(t, c, daemonclient.Offline)
	if _, err := c.AccountCount(within(t)); !errors.Is(err, daemonclient.ErrUnavailable) {
		t.Errorf("query: %v", err)
	}
	events, cancel := c.Subscribe()
	before := one.count("connect") + two.count("connect")
	await(t, c, "more attempts", func(daemonclient.Status) bool { return one.count("connect")+two.count("connect") > before+20 })
	cancel()
	told := 0
	for range events {
		told++
	}
	if n := log.count(); n > 2 || told > 0 {
		t.Errorf("%d lines and %d events about nothing new", n, told)
	}
	two.set(func(n *node) { n.down = false })
	await(t, c, "the first daemon", uses(two))
}

func TestPinnedDaemonIsUsedWheneverItCanBe(t *testing.T) {
	c, other, pinned := pair(t, daemonclient.Config{ProbeInterval: 50 * time.Millisecond})
	if err := c.Pin("ws://elsewhere:1"); err == nil {
		t.Error("a daemon that is not listed was pinned")
	}
	if err := c.Pin(pinned.url); err != nil || !uses(pinned)(c.Status()) || c.Status().Pinned != pinned.url {
		t.Errorf("pinned: %v, %+v", err, c.Status())
	}
	pinned.set(func(n *node) { n.age = 20 * time.Second }) // lagging is good enough
	await(t, c, "the lag", func(s daemonclient.Status) bool { return s.Lagging })
	if !uses(pinned)(c.Status()) {
		t.Error("the pinned daemon was left for lagging")
	}
	pinned.set(func(n *node) { n.age = 70 * time.Second })
	await(t, c, "the other", uses(other))
}

func TestPoolRefusesUnusableAddresses(t *testing.T) {
	for _, cfg := range []daemonclient.Config{
		{URLs: []string{"ws://a:1", "http://secret"}},
		{URLs: []string{"ws://a:1", "ws://ann:secret@b:2"}},
		{URLs: []string{"ws://a:1"}, Pin: "ws://secret:1"},
	} {
		err := daemonclient.New(cfg).Run(context.Background())
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v gave %v", cfg.URLs, err)
		}
	}
}

// lines counts what is logged.
type lines struct {
	mu      sync.Mutex
	written bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.Write(p)
}

func (l *lines) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Count(l.written.Bytes(), []byte("\n"))
}
