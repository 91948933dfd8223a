package daemonclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"

	"github.com/gorilla/websocket"
)

func TestConnectSpeaksTheScriptAndFollowsBlocks(t *testing.T) {
	url := serve(t, script(t, "connect.wire"))
	c := daemonclient.New(daemonclient.Config{URL: url, ChainID: chainID(t, chainText)})
	events, cancel := c.Subscribe()
	defer cancel()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()

	var seen []string
	for len(seen) < 3 {
		switch e := (<-events).(type) {
		case daemonclient.StateChanged:
			seen = append(seen, e.Status.State.String())
		case daemonclient.BlockApplied:
			seen = append(seen, e.ID.String()[:8])
		}
	}
	s := c.Status()
	if s.State != daemonclient.Online || s.Head.Num() != 0x36 || s.ChainID != chainID(t, chainText) || s.Latency <= 0 ||
		s.Daemons[0].Latency != s.Latency || s.LastError != "" {
		t.Errorf("status is %+v", s)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
	if err := c.WaitOnline(ctx); !errors.Is(err, daemonclient.ErrUnavailable) {
		t.Errorf("after Run: %v", err)
	}
}

// TestAnswersOutOfOrder: the peer waits for all calls and answers the last one
// first, some ids as text.
func TestAnswersOutOfOrder(t *testing.T) {
	const calls = 20
	c := start(t, daemonclient.Config{URL: serve(t, welcoming(func(_ int, conn *websocket.Conn) {
		var waiting []received
		for len(waiting) < calls {
			call, err := receive(conn)
			if err != nil {
				return
			}
			waiting = append(waiting, call)
		}
		for _, call := range slices.Backward(waiting) {
			id := fmt.Sprint(call.ID)
			if call.ID%2 == 0 {
				id = `"` + id + `"`
			}
			asked := strings.Trim(string(call.Args), "[]")
			reply := `{"result":[{"id":` + asked + `}],"id":` + id + `}`
			_ = conn.WriteMessage(websocket.TextMessage, []byte(reply))
		}
		drain(conn)
	}))})
	online(t, c)
	var callers sync.WaitGroup
	for n := range uint64(calls) {
		callers.Go(func() {
			id := ledger.ProposalID(n).Object()
			raws, err := c.GetObjects(within(t), []ledger.ObjectID{id})
			if err != nil || string(raws[0]) != fmt.Sprintf(`{"id":"%s"}`, id) {
				t.Errorf("%s: got %s, %v", id, raws, err)
			}
		})
	}
	callers.Wait()
}

func TestControlCharactersGoRawBothWays(t *testing.T) {
	c := start(t, daemonclient.Config{URL: serve(t, script(t, "control_characters.wire"))})
	online(t, c)
	list, err := c.LookupAccountNamesRaw(within(t), []string{"<a>\u2028&\n\x01"})
	if err != nil || len(list) != 1 || list[0] != nil {
		t.Fatalf("got %q, %v", list, err)
	}
	list, err = c.GetObjects(within(t), []ledger.ObjectID{ledger.ContentID(1).Object()})
	if err != nil || len(list) != 1 || !json.Valid(list[0]) {
		t.Fatalf("got %q, %v", list, err)
	}
	var row struct{ Text string }
	if err := json.Unmarshal(list[0], &row); err != nil || row.Text != "bell \a, raw \x02, tab \t" {
		t.Errorf("got %q, %v", row.Text, err)
	}
}

func TestQueryIsAskedAgainOnTheNextLine(t *testing.T) {
	c := start(t, daemonclient.Config{URL: serve(t, script(t, "query_repeated.wire"))})
	online(t, c)
	if n, err := c.AccountCount(within(t)); err != nil || n != 21 {
		t.Errorf("got %d, %v", n, err)
	}
}

func TestBroadcastIsNeverSentAgain(t *testing.T) {
	c := start(t, daemonclient.Config{URL: serve(t, script(t, "broadcast_once.wire"))})
	online(t, c)
	err := c.Call(within(t), daemonclient.NetworkBroadcast, "broadcast_transaction", nil, json.RawMessage(`{"ref_block_num":1}`))
	var unknown *daemonclient.OutcomeUnknownError
	if !errors.As(err, &unknown) || errors.Is(err, daemonclient.ErrUnavailable) {
		t.Fatalf("got %v", err)
	}
	online(t, c)
	// The script's second connection takes nothing but this query.
	if n, err := c.AccountCount(within(t)); err != nil || n != 21 {
		t.Errorf("got %d, %v", n, err)
	}
}

func TestQueryGivesUpWhenTheLineBreaksTwice(t *testing.T) {
	calls := make(chan string, 10)
	c := start(t, daemonclient.Config{URL: serve(t, welcoming(func(_ int, conn *websocket.Conn) {
		if call, err := receive(conn); err == nil {
			calls <- call.Method
		}
	}))})
	online(t, c)
	_, err := c.AccountCount(within(t))
	if !errors.Is(err, daemonclient.ErrUnavailable) || !strings.Contains(err.Error(), "closed the connection") {
		t.Errorf("got %v", err)
	}
	if len(calls) != 2 {
		t.Errorf("asked %d times, want 2", len(calls))
	}
}

func TestNothingListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	c := start(t, daemonclient.Config{URL: "ws://" + address})
	s := awaitState(t, c, daemonclient.Offline)
	if !strings.Contains(s.LastError, "no program listens at that address") {
		t.Errorf("status says %q", s.LastError)
	}
	if err := c.BroadcastTransaction(within(t), &ledger.SignedTransaction{}); !errors.Is(err, daemonclient.ErrUnavailable) {
		t.Errorf("broadcast: %v", err)
	}
	if _, _, err := c.BroadcastTransactionWithCallback(
		within(t), &ledger.SignedTransaction{}); !errors.Is(
		err,
		daemonclient.ErrUnavailable,
	) {
		t.Errorf("broadcast with callback: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := c.WaitOnline(ctx); !errors.Is(err, daemonclient.ErrUnavailable) || !strings.Contains(err.Error(), "no program listens at that address") {
		t.Errorf("WaitOnline: %v", err)
	}
}

// A name that no machine has is told without the calls of the system that failed.
func TestNoMachineHasTheName(t *testing.T) {
	c := start(t, daemonclient.Config{URL: "ws://daemon.invalid:8090"})
	s := awaitState(t, c, daemonclient.Offline)
	if !strings.Contains(s.LastError, "name") || strings.Contains(s.LastError, "dial tcp") || strings.Contains(s.LastError, "lookup") {
		t.Errorf("status says %q", s.LastError)
	}
}

func TestDaemonStartsLater(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	c := start(t, daemonclient.Config{URL: "ws://" + listener.Addr().String()})
	go func() {
		// What answers first is not a websocket at all.
		for range 3 {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("220 mail.example ESMTP\r\n"))
			conn.Close()
		}
		listener.Close()
	}()
	s := awaitState(t, c, daemonclient.Garbage)
	if !strings.Contains(s.LastError, "answer is invalid") {
		t.Errorf("status says %q", s.LastError)
	}
	awaitState(t, c, daemonclient.Offline)
}

func TestGarbageClosesTheLine(t *testing.T) {
	for _, message := range []string{"hello", "", "[]", "{}", "7", `{"id":7}`, `{"id":-1,"result":1}`, `{"id":7,"result":}`,
		`{"method":"notice","params":[]}`, `{"method":"notice","params":["x",[]]}`, `{"method":"other","params":[1,[]]}`} {
		t.Run(message, func(t *testing.T) {
			t.Parallel()
			c := start(t, daemonclient.Config{URL: serve(t, welcomingTwice(func(conn *websocket.Conn) {
				if _, err := receive(conn); err == nil {
					_ = conn.WriteMessage(websocket.TextMessage, []byte(message))
					drain(conn)
				}
			}))})
			online(t, c)
			_, err := c.AccountCount(within(t))
			if !errors.Is(err, daemonclient.ErrGarbage) || !errors.Is(err, daemonclient.ErrUnavailable) {
				t.Errorf("got %v", err)
			}
			if s := awaitState(t, c, daemonclient.Garbage); s.LastError == "" {
				t.Error("no reason given")
			}
		})
	}
}

func TestResultOfAnotherShapeKeepsTheLine(t *testing.T) {
	c := start(t, daemonclient.Config{URL: serve(t, welcoming(func(_ int, conn *websocket.Conn) {
		for {
			call, err := receive(conn)
			if err != nil {
				return
			}
			answer(conn, call.ID, "result", `{"not":"a list"}`)
		}
	}))})
	online(t, c)
	if _, err := c.GetObjects(within(t), nil); !errors.Is(err, daemonclient.ErrGarbage) || errors.Is(err, daemonclient.ErrUnavailable) {
		t.Errorf("GetObjects: %v", err)
	}
	if _, err := c.AccountCount(within(t)); !errors.Is(err, daemonclient.ErrGarbage) {
		t.Errorf("AccountCount: %v", err)
	}
	if s := c.Status(); s.State != daemonclient.Online {
		t.Errorf("state is %v", s.State)
	}
}

func TestGiantFrame(t *testing.T) {
	t.Parallel() // it waits
	giant := `"` + strings.Repeat("x", 4<<20) + `"`
	peer := welcoming(func(_ int, conn *websocket.Conn) {
		for {
			call, err := receive(conn)
			if err != nil {
				return
			}
			answer(conn, call.ID, "result", giant)
		}
	})
	t.Run("above what was asked", func(t *testing.T) {
		c := start(t, daemonclient.Config{URL: serve(t, peer)})
		online(t, c)
		_, err := c.About(within(t))
		if !errors.Is(err, daemonclient.ErrGarbage) || !strings.Contains(err.Error(), "larger than any expected answer") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("above the limit", func(t *testing.T) {
		c := start(t, daemonclient.Config{URL: serve(t, peer), ReadLimit: 1 << 20})
		online(t, c)
		_, err := c.About(within(t))
		if !errors.Is(err, daemonclient.ErrGarbage) || !strings.Contains(err.Error(), "larger than the limit") {
			t.Errorf("got %v", err)
		}
	})
}

func TestHalfOpenLineIsGivenUp(t *testing.T) {
	let := make(chan struct{})
	release := sync.OnceFunc(func() { close(let) })
	defer release() // the peer would wait for it when the test fails
	var first sync.Once
	c := start(t, daemonclient.Config{PingInterval: 100 * time.Millisecond, URL: serve(t, welcoming(func(_ int, conn *websocket.Conn) {
		first.Do(func() { <-let }) // neither reads nor writes, so pings get no pong
		drain(conn)
	}))})
	online(t, c)
	s := awaitState(t, c, daemonclient.Offline)
	if !strings.Contains(s.LastError, "went silent") {
		t.Errorf("status says %q", s.LastError)
	}
	release()
	online(t, c)
}

func TestSilentDaemon(t *testing.T) {
	t.Parallel() // it waits
	c := start(
		t,
		daemonclient.Config{
			CallTimeout: 200 * time.Millisecond,
			URL:         serve(t, welcoming(func(_ int, conn *websocket.Conn) { drain(conn) })),
		},
	)
	online(t, c)
	if _, err := c.AccountCount(context.Background()); !errors.Is(err, daemonclient.ErrUnavailable) ||
		!strings.Contains(err.Error(), "no answer within 200ms") {
		t.Errorf("query: %v", err)
	}
	var unknown *daemonclient.OutcomeUnknownError
	if err := c.BroadcastTransaction(context.Background(), &ledger.SignedTransaction{}); !errors.As(err, &unknown) {
		t.Errorf("broadcast: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.AccountCount(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("query given up: %v", err)
	}
	if s := c.Status(); s.State != daemonclient.Online {
		t.Errorf("state is %v: a slow call must not cost the line", s.State)
	}
}

// Whoever hangs up during the handshake is away, not something that is not understood.
func TestHangingUpWhileOpeningIsBeingAway(t *testing.T) {
	url := rawPeer(t, func(conn net.Conn, _ string) { _ = conn.Close() })
	c := start(t, daemonclient.Config{URL: url, MinBackoff: time.Hour})
	if s := awaitState(t, c, daemonclient.Offline); !strings.Contains(s.LastError, "hung up while the connection was being opened") {
		t.Errorf("status says %q", s.LastError)
	}
}
