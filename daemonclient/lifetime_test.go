package daemonclient

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"billfold/ledger"

	"github.com/gorilla/websocket"
)

// TestBackoffGrowsToItsLimit counts the attempts of one minute: with pauses of
// 0.2 s doubling to 10 s, each shortened by up to a half, there are 11 to 18.
func TestBackoffGrowsToItsLimit(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var attempts atomic.Int32
	accepting := make(chan struct{})
	go func() {
		defer close(accepting)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			attempts.Add(1)
			conn.Close()
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		c := New(Config{URL: "ws://" + listener.Addr().String()})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begun := time.Now()
		if err := c.Run(ctx); err != nil || time.Since(begun) != time.Minute {
			t.Errorf("Run took %v: %v", time.Since(begun), err)
		}
		if n := attempts.Load(); n < 10 || n > 19 {
			t.Errorf("%d attempts", n)
		}
	})
	listener.Close()
	<-accepting
}

// pipeConn is a connection over an in-memory pipe, for fake time, and its far end.
func pipeConn(t *testing.T, cfg Config) (*conn, *websocket.Conn) {
	t.Helper()
	near, far := net.Pipe()
	peers := make(chan *websocket.Conn, 1)
	go func() {
		request, err := http.ReadRequest(bufio.NewReader(far))
		if err != nil {
			t.Error(err)
		}
		peer, err := (&websocket.Upgrader{}).Upgrade(&hijacked{conn: far}, request, nil)
		if err != nil {
			t.Error(err)
		}
		peers <- peer
	}()
	w := newWire(near)
	dialer := websocket.Dialer{NetDial: func(string, string) (net.Conn, error) { return w, nil }}
	conn, _, err := dialer.Dial("ws://pipe", nil)
	if err != nil {
		t.Fatal(err)
	}
	return openConn(conn, w, cfg.withDefaults()), <-peers
}

// hijacked is the little of an HTTP server that an upgrade needs.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.conn, bufio.NewReadWriter(bufio.NewReader(h.conn), bufio.NewWriter(h.conn)), nil
}

func TestPingsKeepAQuietLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cn, peer := pipeConn(t, Config{})
		pings := 0
		peer.SetPingHandler(func(data string) error {
			pings++
			time.Sleep(30 * time.Millisecond)
			return peer.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(time.Second))
		})
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _, _ = peer.NextReader() // answers pings until the connection ends
		}()
		time.Sleep(time.Hour + time.Second)
		if err := cn.reason(); err != nil {
			t.Errorf("the line broke: %v", err)
		}
		if latency := time.Duration(cn.latency.Load()); latency != 30*time.Millisecond {
			t.Errorf("latency is %v", latency)
		}
		cn.close(errStopped)
		<-ended
		if want := int(time.Hour / defaultPingInterval); pings != want {
			t.Errorf("%d pings, want %d", pings, want)
		}
	})
}

// The pings, one of them at the very moment, do not give the write more time.
func TestPeerThatReadsNothingIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cn, peer := pipeConn(t, Config{PingInterval: writeTimeout / 2})
		defer peer.Close()
		begun := time.Now()
		_, err := cn.do(t.Context(), request{set: Login, method: "login", args: []byte("[]")})
		var lost *noAnswerError
		if !errors.As(err, &lost) || !lost.sent || time.Since(begun) != writeTimeout {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
		cn.close(errStopped)
	})
}

func TestWireNoticesSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		w := newWire(near)
		defer w.Close()
		if err := w.watchSilence(10 * time.Second); err != nil {
			t.Fatal(err)
		}
		go func() {
			for range 5 { // a frame that trickles in
				time.Sleep(8 * time.Second)
				_, _ = far.Write([]byte("x"))
			}
		}()
		begun := time.Now()
		buffer := make([]byte, 1)
		for range 5 {
			if _, err := w.Read(buffer); err != nil {
				t.Fatalf("after %v: %v", time.Since(begun), err)
			}
		}
		_, err := w.Read(buffer)
		if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(begun) != 50*time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}

func TestWireGathersWhileHeld(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	w := newWire(near)
	defer w.Close()
	w.hold()
	for range 3 {
		if n, err := w.Write([]byte("abc")); n != 3 || err != nil {
			t.Fatalf("wrote %d, %v", n, err)
		}
	}
	released := make(chan error, 1)
	go func() { released <- w.release() }()
	buffer := make([]byte, 100)
	n, err := far.Read(buffer)
	if err != nil || string(buffer[:n]) != "abcabcabc" {
		t.Errorf("one read gave %q, %v", buffer[:n], err)
	}
	if err := <-released; err != nil {
		t.Error(err)
	}
}

func TestCallIsEitherSentOrWithdrawn(t *testing.T) {
	queued, taken := &call{}, &call{}
	if queued.withdraw() || queued.claim() {
		t.Error("a withdrawn call was sent")
	}
	if !taken.claim() || !taken.withdraw() {
		t.Error("a sent call was withdrawn")
	}
}

// TestBroadcastThatNeverLeft: a broadcast still in the outbox when the connection
// breaks or the caller leaves did not happen, and says so.
func TestBroadcastThatNeverLeft(t *testing.T) {
	c := New(Config{URL: "ws://127.0.0.1:1", CallTimeout: time.Second})
	r := request{set: NetworkBroadcast, method: "broadcast_transaction"}
	stuck := func() *conn { // nobody writes
		return &conn{
			inFlight: inFlight{waiting: map[uint64]*call{}}, sets: map[Set]uint64{NetworkBroadcast: 4}, wake: make(chan struct{}, 1),
		}
	}
	t.Run("caller left", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		cn := stuck()
		_, err := cn.do(ctx, r)
		if err = c.explain(ctx, r, err); !errors.Is(err, context.Canceled) || isOutcomeUnknown(err) {
			t.Errorf("got %v", err)
		}
		if cn.outbox[0].claim() {
			t.Error("it would still be sent")
		}
	})
	t.Run("line broke", func(t *testing.T) {
		cn := stuck()
		done := &call{done: make(chan outcome, 1)}
		if _, err := cn.enqueue(1, done); err != nil {
			t.Fatal(err)
		}
		_, err := cn.result(done, outcome{err: errors.New("cut")})
		if err = c.explain(t.Context(), r, err); !errors.Is(err, ErrUnavailable) || isOutcomeUnknown(err) {
			t.Errorf("got %v", err)
		}
	})
}

func isOutcomeUnknown(err error) bool {
	var unknown *OutcomeUnknownError
	return errors.As(err, &unknown)
}

func TestSlowSubscriberKeepsTheLatest(t *testing.T) {
	c := New(Config{URL: "ws://127.0.0.1:1"})
	events, cancel := c.pool.Subscribe()
	c.pool.mu.Lock()
	c.pool.setStateLocked(Offline, errStopped)
	c.pool.mu.Unlock()
	const blocks = 10 * eventBacklog
	for n := range blocks {
		c.pool.blockApplied(c.pool.nodes[0], ledger.BlockID{3: byte(n)})
	}
	cancel()
	cancel()
	var states int
	var last ledger.BlockID
	for e := range events {
		switch e := e.(type) {
		case StateChanged:
			states++
		case BlockApplied:
			if e.ID.Num() <= last.Num() && last.Num() != 0 {
				t.Errorf("block %d after %d", e.ID.Num(), last.Num())
			}
			last = e.ID
		}
	}
	if states != 1 || last.Num() != blocks-1 {
		t.Errorf("%d states, last block %d", states, last.Num())
	}
	c.pool.blockApplied(c.pool.nodes[0], ledger.BlockID{}) // nobody listens any more
}

func TestParametersThatAreNotJSON(t *testing.T) {
	c := New(Config{URL: "ws://127.0.0.1:1"})
	if err := c.Call(t.Context(), Database, "x", nil, []byte(nil), make(chan int)); err == nil || errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}
