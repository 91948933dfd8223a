package daemonclient_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"
)

// TestMain lets more tests run at a time than there are processors: most of what they take is waiting.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait")) // half a second after hanging up
}

const (
	chainText      = "640bd0c466552fe0e6314c05a62bf69b66ae59490f2314f1b82c771c434d7a82"
	otherChainText = "4777b283f8006237590c67a5001fb62e14fdfd2c0f5f5afb55e687ae8082d483"
)

func chainID(t testing.TB, text string) ledger.ChainID {
	t.Helper()
	id, err := ledger.ParseChainID(text)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// serve runs a websocket peer; handle gets each connection with its number from
// 0, and the connection is cut when it returns.
func serve(t testing.TB, handle func(n int, conn *websocket.Conn)) (url string) {
	t.Helper()
	server := httptest.NewServer(upgrading(t, handle))
	t.Cleanup(server.Close)
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

// serve is the function serve for a peer on these wires.
func (w *wires) serve(t testing.TB, handle func(n int, conn *websocket.Conn)) (url string) {
	t.Helper()
	wire, server := w.listen(), &http.Server{Handler: upgrading(t, handle)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(wire) // until it is closed
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-ended
	})
	return "ws://" + wire.address
}

// upgrading is the handler of serve. At the end of the test its connections are
// cut and their handlers waited for.
func upgrading(t testing.TB, handle func(n int, conn *websocket.Conn)) http.Handler {
	var count atomic.Int32
	var mu sync.Mutex
	var open []*websocket.Conn
	var over bool
	var handlers sync.WaitGroup
	register := func(conn *websocket.Conn) bool {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			handlers.Add(1)
			open = append(open, conn)
		}
		return !over
	}
	t.Cleanup(func() {
		mu.Lock()
		over = true
		for _, conn := range open {
			conn.Close()
		}
		mu.Unlock()
		handlers.Wait()
	})
	upgrader := websocket.Upgrader{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		if register(conn) {
			defer handlers.Done()
			handle(int(count.Add(1))-1, conn)
		}
	})
}

// start runs a client for the length of the test.
func start(t testing.TB, cfg daemonclient.Config) *daemonclient.Client {
	t.Helper()
	if cfg.MinBackoff == 0 {
		cfg.MinBackoff, cfg.MaxBackoff = time.Millisecond, 5*time.Millisecond
	}
	c := daemonclient.New(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return c
}

func online(t testing.TB, c *daemonclient.Client) {
	t.Helper()
	if err := c.WaitOnline(within(t)); err != nil {
		t.Fatal(err)
	}
}

// within bounds what would otherwise hang a failing test.
func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// awaitState waits until the client is in a state, or was for a moment.
func awaitState(t testing.TB, c *daemonclient.Client, want daemonclient.State) daemonclient.Status {
	t.Helper()
	events, cancel := c.Subscribe()
	defer cancel()
	ctx := within(t)
	for c.Status().State != want {
		select {
		case e := <-events:
			if e, changed := e.(daemonclient.StateChanged); changed && e.Status.State == want {
				return e.Status
			}
		case <-ctx.Done():
			t.Fatalf("state is %v (%s), want %v", c.Status().State, c.Status().LastError, want)
		}
	}
	return c.Status()
}

// script plays testdata/wire/NAME: a line "--> frame" must come from the client
// as it is, "<-- frame" is sent to it, "=== close" ends a connection (the lines
// after it are for the next one) and "=== wait" reads until the client hangs up.
func script(t testing.TB, name string) func(int, *websocket.Conn) {
	t.Helper()
	file, err := os.Open("testdata/wire/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	connections := [][]string{nil}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		last := len(connections) - 1
		connections[last] = append(connections[last], lines.Text())
		if lines.Text() == "=== close" {
			connections = append(connections, nil)
		}
	}
	return func(n int, conn *websocket.Conn) {
		if n < len(connections) {
			play(t, name, connections[n], conn)
		}
	}
}

func play(t testing.TB, name string, lines []string, conn *websocket.Conn) {
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "--> "):
			_, got, err := conn.ReadMessage()
			if err != nil || string(got) != line[4:] {
				t.Errorf("%s:\nthe client sent %s (%v)\n           want %s", name, got, err, line[4:])
				return
			}
		case strings.HasPrefix(line, "<-- "):
			if err := conn.WriteMessage(websocket.TextMessage, []byte(line[4:])); err != nil {
				t.Errorf("%s: cannot send %s: %v", name, line[4:], err)
			}
		case line == "=== wait":
			drain(conn)
		}
	}
}

// drain reads until the other side is gone, which also answers pings.
func drain(conn *websocket.Conn) {
	for {
		if _, _, err := conn.NextReader(); err != nil {
			return
		}
	}
}

// received is a call as the peer sees it.
type received struct {
	ID     uint64
	Set    json.RawMessage
	Method string
	Args   json.RawMessage
}

func receive(conn *websocket.Conn) (received, error) {
	_, message, err := conn.ReadMessage()
	if err != nil {
		return received{}, err
	}
	var frame struct {
		ID     uint64
		Params [3]json.RawMessage
	}
	err = json.Unmarshal(message, &frame)
	r := received{ID: frame.ID, Set: frame.Params[0], Args: frame.Params[2]}
	if err == nil {
		err = json.Unmarshal(frame.Params[1], &r.Method)
	}
	return r, err
}

func answer(conn *websocket.Conn, id uint64, member, value string) {
	text, _ := json.Marshal(id)
	// A client that has gone is noticed by the next read.
	_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"id":`+string(text)+`,"`+member+`":`+value+`}`))
}

// welcome answers what a new connection asks, for a daemon of the given chain;
// it reports false when the client hung up meanwhile.
func welcome(conn *websocket.Conn, chain string) bool {
	answers := map[string]string{
		"login": "true", "database": "2", "history": "3", "network_broadcast": "4",
		"get_chain_id": `"` + chain + `"`, "set_block_applied_callback": "null",
	}
	for {
		call, err := receive(conn)
		if err != nil {
			return false
		}
		answer(conn, call.ID, "result", answers[call.Method])
		if call.Method == "set_block_applied_callback" {
			return true
		}
	}
}

// welcoming is a peer that says hello on each connection and then does something.
func welcoming(then func(n int, conn *websocket.Conn)) func(int, *websocket.Conn) {
	return func(n int, conn *websocket.Conn) {
		if welcome(conn, chainText) {
			then(n, conn)
		}
	}
}

// welcomingTwice is welcoming for the first connection and the one on which a query is asked
// again. Nobody waits for a third: it is made, and never answered.
func welcomingTwice(then func(conn *websocket.Conn)) func(int, *websocket.Conn) {
	return func(n int, conn *websocket.Conn) {
		if n > 1 {
			drain(conn)
		} else if welcome(conn, chainText) {
			then(conn)
		}
	}
}
