package daemonclient_test

import (
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"

	"github.com/gorilla/websocket"
)

const (
	alice = `[{"id":"1.2.17","name":"alice"}]`
	bobby = `[{"id":"1.2.18","name":"bobby"}]`
)

// A daemon that answers with another account is left for one that does not lie,
// and the question goes there.
func TestFalseAnswerGoesToAnotherDaemon(t *testing.T) {
	c, used, reserve := pair(t, daemonclient.Config{})
	used.set(func(n *node) { n.says = map[string]string{"get_accounts": bobby} })
	reserve.set(func(n *node) { n.says = map[string]string{"get_accounts": alice} })
	got, err := c.GetAccounts(within(t), []ledger.AccountID{17})
	if err != nil || got[0].ID != 17 {
		t.Fatalf("got %+v, %v", got, err)
	}
	if s := c.Status(); s.URL != reserve.url || !health(t, c, used).Lied || s.Condition != daemonclient.Ready {
		t.Errorf("the status is %+v", s)
	}
	if health(t, c, used).State != daemonclient.Online || used.count("connect") != 1 {
		t.Error("the line of the liar was cut: calls under way would have ended")
	}
	reserve.set(func(n *node) { n.says["get_accounts"] = bobby }) // now both lie
	if _, err := c.GetAccounts(within(t), []ledger.AccountID{17}); !errors.Is(err, daemonclient.ErrGarbage) {
		t.Errorf("both lie: %v", err)
	}
	if s := c.Status(); s.Condition != daemonclient.Distrusted {
		t.Errorf("condition: %v", s.Condition)
	}
}

func TestFalseAnswerIsNamed(t *testing.T) {
	n := newNode(t, func(n *node) { n.says = map[string]string{"get_accounts": bobby} })
	c := start(t, daemonclient.Config{URL: n.url})
	online(t, c)
	_, err := c.GetAccountsRaw(within(t), []ledger.AccountID{17})
	var lie *daemonclient.FalseAnswerError
	if !errors.As(err, &lie) || lie.URL != n.url || lie.Method != "get_accounts" || lie.Why != "asked for 1.2.17, got 1.2.18" ||
		errors.Is(err, daemonclient.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}

// A broadcast whose answer makes no sense may have happened.
func TestFalseAnswerToABroadcast(t *testing.T) {
	c, used, reserve := pair(t, daemonclient.Config{})
	used.set(func(n *node) { n.says = map[string]string{"broadcast_transaction": "true"} })
	var unknown *daemonclient.OutcomeUnknownError
	if err := c.BroadcastTransaction(within(t), &ledger.SignedTransaction{}); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	}
	if used.count("broadcast_transaction") != 1 || reserve.count("broadcast_transaction") != 0 {
		t.Error("it was sent again")
	}
}

// Answers given to each other's calls are seen as what they are.
func TestSwappedAnswers(t *testing.T) {
	c := start(t, daemonclient.Config{URL: serve(t, welcoming(func(_ int, conn *websocket.Conn) {
		first, err1 := receive(conn)
		second, err2 := receive(conn)
		if err1 != nil || err2 != nil {
			return
		}
		reply := func(call received) string {
			return `[{"id":` + strings.Trim(string(call.Args), "[]") + `,"name":"alice"}]`
		}
		answer(conn, first.ID, "result", reply(second))
		answer(conn, second.ID, "result", reply(first))
		drain(conn)
	}))})
	online(t, c)
	errs := make(chan error, 2)
	for id := range ledger.AccountID(2) {
		go func() {
			_, err := c.GetAccounts(within(t), []ledger.AccountID{id})
			errs <- err
		}()
	}
	for range 2 {
		if err := <-errs; !errors.Is(err, daemonclient.ErrGarbage) || errors.Is(err, daemonclient.ErrUnavailable) {
			t.Errorf("got %v", err)
		}
	}
}

func TestAnswersNobodyAskedFor(t *testing.T) {
	for name, extra := range map[string]func(uint64) uint64{
		"a call never made": func(uint64) uint64 { return 99999 },
		"a call to come":    func(id uint64) uint64 { return id + 1 },
		"a second one":      func(id uint64) uint64 { return id },
	} {
		t.Run(name, func(t *testing.T) {
			c := start(t, daemonclient.Config{MinBackoff: time.Hour, URL: serve(t, welcoming(func(_ int, conn *websocket.Conn) {
				if call, err := receive(conn); err == nil {
					answer(conn, call.ID, "result", "21")
					answer(conn, extra(call.ID), "result", "22")
					drain(conn)
				}
			}))})
			online(t, c)
			if n, err := c.AccountCount(within(t)); n != 21 || err != nil {
				t.Errorf("got %d, %v", n, err)
			}
			if s := awaitState(t, c, daemonclient.Garbage); !strings.Contains(s.LastError, "a call that was not made, or a second answer") {
				t.Errorf("it says %q", s.LastError)
			}
		})
	}
}

// What comes is bounded by what was asked, however it is cut into frames.
func TestAnswerLargerThanAsked(t *testing.T) {
	const giant = 63 << 20
	filler := []byte(strings.Repeat("x", 1<<20))
	for name, send := range map[string]func(*websocket.Conn, uint64){
		"in one frame": func(conn *websocket.Conn, id uint64) {
			message := make([]byte, giant)
			copy(message, fmt.Sprintf(`{"id":%d,"result":[{"id":"2.13.1","text":"`, id))
			_ = conn.WriteMessage(websocket.TextMessage, message)
		},
		"in many": func(conn *websocket.Conn, id uint64) {
			w, _ := conn.NextWriter(websocket.TextMessage)
			fmt.Fprintf(w, `{"id":%d,"result":[{"id":"2.13.1","text":"`, id)
			for range giant >> 20 {
				if _, err := w.Write(filler); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			counting := make(chan struct{}) // so that what was allocated before is not counted
			c := start(
				t,
				daemonclient.Config{
					URL: serve(t, welcomingTwice(func(conn *websocket.Conn) {
						if call, err := receive(conn); err == nil {
							<-counting
							send(conn, call.ID)
							drain(conn)
						}
					})),
				},
			)
			online(t, c)
			failed := make(chan error, 1)
			go func() {
				_, err := c.GetObjects(within(t), []ledger.ObjectID{ledger.ContentID(1).Object()})
				failed <- err
			}()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			close(counting)
			err := <-failed
			runtime.ReadMemStats(&after)
			if !errors.Is(err, daemonclient.ErrGarbage) || !strings.Contains(err.Error(), "larger than") {
				t.Errorf("got %v", err)
			}
			took := after.TotalAlloc - before.TotalAlloc
			if name == "in many" && took > 8<<20 {
				t.Errorf("%d bytes were allocated", took)
			}
		})
	}
}

// rawPeer speaks to each connection as it comes; ours is the key of the handshake.
func rawPeer(t *testing.T, speak func(conn net.Conn, accept string)) (url string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			head := make([]byte, 4096)
			n, _ := conn.Read(head)
			_, key, _ := strings.Cut(string(head[:n]), "Sec-WebSocket-Key: ")
			key, _, _ = strings.Cut(key, "\r\n")
			sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
			speak(conn, base64.StdEncoding.EncodeToString(sum[:]))
			conn.Close()
		}
	}()
	t.Cleanup(func() { listener.Close(); <-done })
	return "ws://" + listener.Addr().String()
}

// A few compressed bytes can become very many, so a peer that turns compression on by
// itself is refused.
func TestCompressionThatWasNotOffered(t *testing.T) {
	url := rawPeer(t, func(conn net.Conn, accept string) {
		fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n"+
			"Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover\r\n\r\n", accept)
		_, _ = io.Copy(io.Discard, conn)
	})
	c := start(t, daemonclient.Config{URL: url})
	if s := awaitState(t, c, daemonclient.Garbage); !strings.Contains(s.LastError, "extension that was not offered") {
		t.Errorf("it says %q", s.LastError)
	}
}

func TestEndlessHeaders(t *testing.T) {
	url := rawPeer(t, func(conn net.Conn, _ string) {
		_, err := io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\n")
		for line := "A: " + strings.Repeat("b", 1000) + "\r\n"; err == nil; {
			_, err = io.WriteString(conn, line)
		}
	})
	c := start(t, daemonclient.Config{URL: url, MinBackoff: time.Hour, MaxBackoff: time.Hour})
	if s := awaitState(t, c, daemonclient.Garbage); !strings.Contains(s.LastError, "too much before it speaks websocket") {
		t.Errorf("it says %q", s.LastError)
	}
}

// A head in the future is as little to be trusted as an old one.
func TestHeadInTheFuture(t *testing.T) {
	n := newNode(t, func(n *node) { n.age = -70 * time.Second })
	c := start(t, daemonclient.Config{URLs: []string{n.url}, ProbeInterval: 10 * time.Millisecond})
	online(t, c)
	err := c.BroadcastTransaction(within(t), &ledger.SignedTransaction{})
	var stale *daemonclient.StaleError
	if !errors.Is(err, daemonclient.ErrStale) || !errors.As(err, &stale) || stale.Age > -60*time.Second ||
		!strings.Contains(err.Error(), "ahead of this machine's clock") {
		t.Errorf("got %v", err)
	}
	if s := c.Status(); !s.Stale || s.Lagging || s.Condition != daemonclient.Ahead || n.count("broadcast_transaction") != 0 {
		t.Errorf("the status is %+v", s)
	}
	n.set(func(n *node) { n.age = -10 * time.Second }) // clocks differ a little
	await(t, c, "trust", func(s daemonclient.Status) bool { return s.Condition == daemonclient.Ready })
	if err := c.BroadcastTransaction(within(t), &ledger.SignedTransaction{}); err != nil {
		t.Error(err)
	}
}

func TestDaemonOfTheFutureIsLeft(t *testing.T) {
	c, used, reserve := pair(t, daemonclient.Config{ProbeInterval: 10 * time.Millisecond})
	used.set(func(n *node) { n.age = -time.Hour })
	await(t, c, "the other in use", uses(reserve))
}

// dynamicAt is a head of that number, of now.
func dynamicAt(num uint32) string {
	return fmt.Sprintf(`{"id":"2.1.0","head_block_number":%d,"head_block_id":"%08x%032x","time":"%s"}`, num, num, 7, ledger.TimeOf(time.Now()))
}

// A daemon that comes back with fewer blocks than it had says so until it has caught up.
func TestDaemonWithFewerBlocks(t *testing.T) {
	n := newNode(t, func(n *node) { n.says = map[string]string{"get_dynamic_global_properties": dynamicAt(100)} })
	c := start(t, daemonclient.Config{URLs: []string{n.url}, ProbeInterval: 10 * time.Millisecond})
	online(t, c)
	head := func(num uint32, lost uint32, condition daemonclient.Condition) {
		t.Helper()
		n.set(func(n *node) { n.says["get_dynamic_global_properties"] = dynamicAt(num) })
		await(t, c, "the head", func(s daemonclient.Status) bool { return s.Head.Num() == num })
		if s := c.Status(); s.Lost != lost || s.Condition != condition {
			t.Errorf("at #%d: %d lost, %v", num, s.Lost, s.Condition)
		}
	}
	head(101, 0, daemonclient.Ready)
	n.set(func(n *node) { n.down = true })
	awaitState(t, c, daemonclient.Offline)
	n.set(func(n *node) {
		n.down = false
		n.says["get_dynamic_global_properties"] = dynamicAt(82)
	})
	online(t, c)
	head(82, 19, daemonclient.RolledBack)
	head(100, 1, daemonclient.RolledBack)
	head(101, 0, daemonclient.Ready)
}

// What is wrong with the daemon in use is known within two seconds, with the times that
// programs run with.
func TestConditionIsKnownSoon(t *testing.T) { inBubble(t, conditionIsKnownSoon) }

func conditionIsKnownSoon(t *testing.T, w *wires) {
	n := w.node(t)
	c := w.start(t, daemonclient.Config{URLs: []string{n.url}})
	online(t, c)
	for _, step := range []struct {
		change func(*node)
		want   daemonclient.Condition
	}{
		{func(n *node) { n.age = 70 * time.Second }, daemonclient.TooOld},
		{func(n *node) { n.age = 20 * time.Second }, daemonclient.Behind},
		{func(n *node) { n.age = -time.Minute }, daemonclient.Ahead},
		{func(n *node) { n.silent, n.age = true, 0 }, daemonclient.Frozen},
		{func(n *node) { n.silent, n.down = false, true }, daemonclient.Missing},
	} {
		events, stop := c.Subscribe()
		begun := time.Now()
		n.set(step.change)
		for c.Status().Condition != step.want && time.Since(begun) < 3*time.Second {
			select {
			case <-events: // no other wake-up: whoever follows events learns of it
			case <-time.After(3 * time.Second):
			}
		}
		stop()
		if took := time.Since(begun); took > 2*time.Second || c.Status().Condition != step.want {
			t.Errorf("%v: %v after %v", step.want, c.Status().Condition, took)
		}
	}
}

// The chain that was learned from the first daemon holds every later connection,
// of each daemon of the pool.
func TestChainLearnedHoldsEveryConnection(t *testing.T) {
	for i := range 2 {
		c, used, reserve := pair(t, daemonclient.Config{ProbeInterval: 10 * time.Millisecond})
		other := []*node{used, reserve}[i]
		other.set(func(n *node) { n.down = true })
		await(t, c, "one away", func(daemonclient.Status) bool { return health(t, c, other).State == daemonclient.Offline })
		other.set(func(n *node) { n.down, n.chain = false, otherChainText })
		await(t, c, "the refusal", func(daemonclient.Status) bool { return health(t, c, other).State == daemonclient.WrongChain })
		if s := c.Status(); s.State != daemonclient.Online || s.URL == other.url || s.ChainID != chainID(t, chainText) {
			t.Errorf("the status is %+v", s)
		}
	}
}

// An answer as large as what was asked is taken whole.
func TestLargeAnswerThatWasAskedFor(t *testing.T) {
	ids := make([]ledger.ObjectID, 100)
	rows := make([]string, len(ids))
	text := strings.Repeat("y", 50<<10)
	for i := range ids {
		ids[i] = ledger.ContentID(i).Object()
		rows[i] = fmt.Sprintf(`{"id":"%s","text":"%s"}`, ids[i], text)
	}
	n := newNode(t, func(n *node) { n.says = map[string]string{"get_objects": "[" + strings.Join(rows, ",") + "]"} })
	c := start(t, daemonclient.Config{URL: n.url})
	online(t, c)
	for range 2 {
		got, err := c.GetObjects(within(t), ids)
		if err != nil || len(got) != len(ids) {
			t.Fatalf("got %d, %v", len(got), err)
		}
		for i := range got {
			if string(got[i]) != rows[i] {
				t.Fatalf("row %d is %.60s", i, got[i])
			}
		}
		if m, err := c.AccountCount(within(t)); m != 21 || err != nil {
			t.Fatalf("after it: %d, %v", m, err)
		}
	}
}

// A head that contradicts itself is a false answer like any other.
func TestFalseHead(t *testing.T) {
	c, used, reserve := pair(t, daemonclient.Config{ProbeInterval: 10 * time.Millisecond})
	used.set(func(n *node) {
		n.says = map[string]string{"get_dynamic_global_properties": strings.Replace(dynamicAt(100), `number":100`, `number":101`, 1)}
	})
	await(t, c, "the other in use", uses(reserve))
	if !health(t, c, used).Lied {
		t.Error("the liar is trusted")
	}
}
