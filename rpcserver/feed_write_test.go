package rpcserver

import (
	"context"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// countingListener counts what the connections it accepts write.
type countingListener struct {
	net.Listener
	writes atomic.Int64
}

func (l *countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return &countingConn{conn, &l.writes}, err
}

type countingConn struct {
	net.Conn
	writes *atomic.Int64
}

func (c *countingConn) Write(b []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(b)
}

// listenCounting opens a server with a feed on a listener that counts writes.
func listenCounting(t *testing.T) (*Feed, *testServer, *countingListener) {
	t.Helper()
	f := NewFeed()
	s, err := New(Options{WSAddr: "127.0.0.1:0", Caller: newFakeWallet(), Feed: f})
	if err != nil {
		t.Fatal(err)
	}
	counted := &countingListener{Listener: s.endpoints[ListenWebsocket].on.Listener}
	s.endpoints[ListenWebsocket].on.Listener = counted
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := s.Serve(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		cancel()
		serving.Wait()
	})
	return f, &testServer{Server: s, t: t}, counted
}

// The events of one block are one write for each subscriber, in which each event is a message of its own, in order.
func TestABlockIsOneWriteForEachSubscriber(t *testing.T) {
	t.Parallel()
	f, h, counted := listenCounting(t)
	const subscribers, blocks = 20, 5
	conns := make([]*websocket.Conn, subscribers)
	for i := range conns {
		conns[i] = h.mustDial()
		ask(t, conns[i], "subscribe", []string{`["blocks,balances"]`, `["blocks,balances,lock"]`}[i%2])
	}
	before := counted.writes.Load()
	for n := range blocks {
		f.Publish(Event{"blocks", number(n)}, Event{"balances", number(1)}, Event{"payments", number(2)},
			Event{"balances", encode(strings.Repeat("x", 70_000))}, Event{"balances", number(3)})
		for _, conn := range conns {
			for i, topic := range []string{"blocks", "balances", "", "balances", "balances"} {
				if topic != "" {
					expect(t, conn, topic, uint64(5*n+i+1))
				}
			}
		}
	}
	// 70,000 bytes are more than a batch takes, so the next event is a second write.
	if got := counted.writes.Load() - before; got != 2*subscribers*blocks {
		t.Errorf("%d blocks are %d writes for %d subscribers", blocks, got, subscribers)
	}
	before = counted.writes.Load()
	for n := range blocks {
		f.Publish(Event{"blocks", number(n)}, Event{"balances", number(1)}, Event{"balances", number(2)})
		for _, conn := range conns {
			for range 3 {
				receiveEvent(t, conn)
			}
		}
	}
	if got := counted.writes.Load() - before; got != subscribers*blocks {
		t.Errorf("%d blocks are %d writes for %d subscribers", blocks, got, subscribers)
	}
}

// Frames of every form of length are read as the right messages.
func TestFramesOfEveryLength(t *testing.T) {
	t.Parallel()
	f, h := listen(t, nil)
	conn := h.mustDial()
	ask(t, conn, "subscribe", `["blocks"]`)
	const header = 2 // of a short frame
	around := len(f.frame(1, "blocks", encode(""))) - header
	for i, length := range []int{around, 125, 126, 127, 128, 65535, 65536, 65537} { // fewer than ten: a position with two digits is longer
		f.Publish(Event{"blocks", encode(strings.Repeat("x", length-around))})
		if got := receive(t, conn); len(got) != length || !strings.HasSuffix(got, `"}}`) {
			t.Errorf("%d: %d bytes became %d", i, length, len(got))
		}
	}
}

// A ping is answered with its own payload by the writer, even between events.
func TestPingsAreAnswered(t *testing.T) {
	t.Parallel()
	f, h := listen(t, nil)
	conn := h.mustDial()
	ask(t, conn, "subscribe", `["blocks"]`)
	pongs := make(chan string, 1)
	conn.SetPongHandler(func(says string) error {
		pongs <- says
		return nil
	})
	if err := conn.WriteControl(websocket.PingMessage, []byte("still there?"), time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for said := ""; said == ""; { // a pong is read while waiting for the next message
		f.Publish(Event{"blocks", number(1)})
		receiveEvent(t, conn)
		select {
		case said = <-pongs:
			if said != "still there?" {
				t.Errorf("the pong says %q", said)
			}
		default:
		}
	}
}
