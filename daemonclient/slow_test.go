package daemonclient_test

import (
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"billfold/daemonclient"
	"billfold/sandbox"
)

// pipes is a listener whose connections exist in memory, so that time in front of it can be a test's own.
type pipes struct {
	incoming chan net.Conn
	closed   chan struct{}
	close    func()
}

func newPipes() *pipes {
	p := &pipes{incoming: make(chan net.Conn), closed: make(chan struct{})}
	p.close = sync.OnceFunc(func() { close(p.closed) })
	return p
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.incoming:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { p.close(); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8090} }

// dial hands one end to the listener once opening has taken as long as a distant machine's would.
func (p *pipes) dial(takes time.Duration) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		near, far := net.Pipe()
		select {
		case <-time.After(takes):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		select {
		case p.incoming <- far:
			return near, nil
		case <-p.closed:
			return nil, net.ErrClosed
		}
	}
}

// distant runs a sandbox at the end of a line with a round trip of rtt, and a client of it. A connection takes two of them
// before the websocket is there, as over TCP.
func distant(t *testing.T, rtt time.Duration, cfg daemonclient.Config) (*daemonclient.Client, *sandbox.Sandbox) {
	t.Helper()
	port := newPipes()
	line := sandbox.ConnProfile{RTT: rtt}
	box, err := sandbox.New(sandbox.Options{Listener: port, BlockTime: 5 * time.Second, Conn: line})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Dial = port.dial(2 * rtt)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := box.Run(ctx); err != nil {
			t.Errorf("the sandbox ended with %v", err)
		}
	})
	t.Cleanup(func() { cancel(); running.Wait() })
	return start(t, cfg), box
}

// However far a node is, connecting takes three round trips after the websocket is there: the login, the sets, the rest.
func TestConnectingTakesThreeRoundTrips(t *testing.T) {
	for _, rtt := range []time.Duration{20 * time.Millisecond, 2 * time.Second, 2500 * time.Millisecond, 3 * time.Second} {
		for name, cfg := range map[string]daemonclient.Config{
			"alone":   {URL: "ws://127.0.0.1:8090"},
			"watched": {URLs: []string{"ws://127.0.0.1:8090"}, OwnClock: true},
		} {
			t.Run(fmt.Sprint(rtt, " ", name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					begun := time.Now()
					c, _ := distant(t, rtt, cfg)
					if err := c.WaitOnline(within(t)); err != nil {
						t.Fatalf("after %v: %v", time.Since(begun), err)
					}
					if trips := float64(time.Since(begun)) / float64(rtt); trips < 4.9 || trips > 5.1 {
						t.Errorf("it took %.2f round trips, want 2 for TCP and the websocket and 3 for calls", trips)
					}
				})
			})
		}
	}
}

// A node whose answers take longer than a frozen one is waited for is a slow node that can be used, also when it was quick
// before.
func TestASlowNodeIsNotSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, box := distant(t, time.Millisecond, daemonclient.Config{URLs: []string{"ws://127.0.0.1:8090"}})
		online(t, c)
		ready := func(what string) {
			if s := c.Status(); s.Condition != daemonclient.Ready {
				t.Errorf("%s it is %v: %+v", what, s.Condition, s.Daemons)
			}
		}
		ready("on a short line")
		box.Delay(2500 * time.Millisecond)
		time.Sleep(10 * time.Second)
		ready("on a line that became long")
		time.Sleep(time.Minute)
		ready("a minute later")
		if s := c.Status(); s.Latency < 2500*time.Millisecond || s.Latency > 2600*time.Millisecond || s.Daemons[0].Faults > 1 {
			t.Errorf("a round trip takes %v, %d faults", s.Latency, s.Daemons[0].Faults)
		}
		box.Delay(time.Hour)
		time.Sleep(6 * time.Second)
		if s := c.Status(); s.Condition != daemonclient.Frozen {
			t.Errorf("once nothing is answered it is %v", s.Condition)
		}
	})
}

func TestANodeThatIsTooSlowIsCalledThat(t *testing.T) {
	for rtt, want := range map[time.Duration]string{
		4 * time.Second:  "it answers, but a call takes 4s, so connecting did not finish within 10s",
		20 * time.Second: "no answer within 10s",
	} {
		synctest.Test(t, func(t *testing.T) {
			port := newPipes()
			box, err := sandbox.New(sandbox.Options{Listener: port, Conn: sandbox.ConnProfile{RTT: rtt}})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			var running sync.WaitGroup
			running.Go(func() { _ = box.Run(ctx) })
			defer func() { cancel(); running.Wait() }()
			c := start(t, daemonclient.Config{URL: "ws://127.0.0.1:8090", Dial: port.dial(0)})
			if s := awaitState(t, c, daemonclient.Offline); s.LastError != want {
				t.Errorf("a node %v away: %q", rtt, s.LastError)
			}
		})
	}
}
