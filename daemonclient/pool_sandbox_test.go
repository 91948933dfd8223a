package daemonclient_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/internal/stories"
	"billfold/ledger"
	"billfold/sandbox"
)

// ledgers starts sandboxes of one chain, each with a fresh head; stop ends one
// as a killed daemon ends.
func ledgers(t testing.TB, count int) (boxes []*sandbox.Sandbox, stop func(url string)) {
	t.Helper()
	genesis, err := sandbox.DemoGenesis(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	stops := map[string]func(){}
	for range count {
		box, err := sandbox.New(sandbox.Options{Genesis: genesis, Listen: "127.0.0.1:0", BlockTime: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := box.Mine(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var ended sync.WaitGroup
		ended.Go(func() {
			if err := box.Run(ctx); err != nil {
				t.Errorf("the sandbox ended with %v", err)
			}
		})
		stops[box.URL()] = func() { cancel(); ended.Wait() }
		t.Cleanup(stops[box.URL()])
		boxes = append(boxes, box)
	}
	return boxes, func(url string) { stops[url]() }
}

func startOn(t testing.TB, boxes []*sandbox.Sandbox) *daemonclient.Client {
	t.Helper()
	cfg := daemonclient.Config{ChainID: boxes[0].ChainID()}
	for _, box := range boxes {
		cfg.URLs = append(cfg.URLs, box.URL())
	}
	c := start(t, cfg)
	await(t, c, "all online", allOnline)
	return c
}

// callers ask different things without a pause until stop, which gives the
// number of answers and the longest wait for one.
func callers(t testing.TB, c *daemonclient.Client, count int) (stop func() (answers int64, longest time.Duration)) {
	var over atomic.Bool
	var answers, longest atomic.Int64
	var done sync.WaitGroup
	for n := range count {
		done.Go(func() {
			for ; !over.Load(); time.Sleep(200 * time.Microsecond) { // other tests need the machine as well
				begun := time.Now()
				if err := askSomething(c, n); err != nil {
					t.Errorf("a query was lost: %v", err)
					return
				}
				answers.Add(1)
				for took := int64(time.Since(begun)); took > longest.Load(); {
					longest.Store(took)
				}
			}
		})
	}
	return func() (int64, time.Duration) {
		over.Store(true)
		done.Wait()
		return answers.Load(), time.Duration(longest.Load())
	}
}

func askSomething(c *daemonclient.Client, n int) error {
	ctx := context.Background()
	var err error
	switch n % 3 {
	case 0:
		_, err = c.LookupAccountNames(ctx, []string{"alice", "bobby"})
	case 1:
		_, err = c.DynamicGlobalProperties(ctx)
	default:
		_, err = c.GetAccountBalances(ctx, ledger.AccountID(16))
	}
	return err
}

// failover waits for the event that says another daemon is in use, and gives
// the time since the fault.
func failover(t testing.TB, events <-chan daemonclient.Event, from string, fault time.Time) time.Duration {
	t.Helper()
	ctx := within(t)
	for {
		select {
		case e := <-events:
			if s, ok := e.(daemonclient.StateChanged); ok && s.Status.State == daemonclient.Online && s.Status.URL != from {
				return time.Since(fault)
			}
		case <-ctx.Done():
			t.Fatal("nothing took over")
		}
	}
}

// TestSandboxFaultsUnderLoad: whatever happens to the daemon in use while eight
// callers ask, another takes over in time and no query is lost.
func TestSandboxFaultsUnderLoad(t *testing.T) {
	stories.Long(t)
	t.Parallel() // it waits
	for name, fault := range map[string]func(box *sandbox.Sandbox, stop func(string)){
		"killed":        func(box *sandbox.Sandbox, stop func(string)) { stop(box.URL()) },
		"frozen":        func(box *sandbox.Sandbox, _ func(string)) { box.Delay(time.Minute) },
		"another chain": func(box *sandbox.Sandbox, _ func(string)) { box.PoseAs(&ledger.ChainID{1, 2, 3}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			boxes, stop := ledgers(t, 2)
			c := startOn(t, boxes)
			used := boxes[0]
			if c.Status().URL != used.URL() {
				used = boxes[1]
			}
			events, cancel := c.Subscribe()
			defer cancel()
			end := callers(t, c, 8)
			time.Sleep(100 * time.Millisecond) // some load before the fault
			begun := time.Now()
			ended := make(chan struct{})
			go func() { defer close(ended); fault(used, stop) }()
			took := failover(t, events, used.URL(), begun)
			time.Sleep(100 * time.Millisecond) // and after it
			answers, longest := end()
			<-ended
			t.Logf("failover after %v; %d answers, the longest after %v", took, answers, longest)
			if took > failoverLimit || longest > failoverLimit {
				t.Errorf("failover took %v, an answer %v", took, longest)
			}
		})
	}
}

// TestSandboxesTakeTurns kills the ledger in use three times of three; the
// first two times another takes over, the last time the client says so.
func TestSandboxesTakeTurns(t *testing.T) {
	boxes, stop := ledgers(t, 3)
	c := startOn(t, boxes)
	for range 2 {
		end := callers(t, c, 4)
		used := c.Status().URL
		stop(used)
		await(t, c, "failover", func(s daemonclient.Status) bool { return s.State == daemonclient.Online && s.URL != used })
		end()
	}
	stop(c.Status().URL)
	awaitState(t, c, daemonclient.Offline)
}
