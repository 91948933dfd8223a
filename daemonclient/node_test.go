package daemonclient_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"

	"github.com/gorilla/websocket"
)

// node is a scripted daemon on a real socket whose behaviour can be changed
// while it serves.
type node struct {
	url string

	mu     sync.Mutex
	chain  string
	age    time.Duration // of its head
	about  string        // what it says of itself; empty is nonsense
	silent bool          // reads, answers nothing
	down   bool          // takes no connection
	slow   time.Duration // before a connection is welcomed
	open   []*websocket.Conn
	calls  map[string]int    // "connect" counts connections
	says   map[string]string // results by method, before everything else
}

func newNode(t testing.TB, change func(*node)) *node {
	n := &node{chain: chainText, calls: map[string]int{}}
	if change != nil {
		change(n)
	}
	n.url = serve(t, n.converse)
	return n
}

// node is a node on these wires.
func (w *wires) node(t testing.TB) *node {
	n := &node{chain: chainText, calls: map[string]int{}}
	n.url = w.serve(t, n.converse)
	return n
}

// set changes the behaviour; going down also cuts the connections.
func (n *node) set(change func(*node)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	change(n)
	if n.down {
		for _, conn := range n.open {
			conn.Close()
		}
		n.open = nil
	}
}

func (n *node) count(method string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.calls[method]
}

func (n *node) converse(_ int, conn *websocket.Conn) {
	n.mu.Lock()
	down, slow := n.down, n.slow
	n.calls["connect"]++
	if !down {
		n.open = append(n.open, conn)
	}
	n.mu.Unlock()
	if down {
		_, _ = receive(conn) // so that the client always sees the same end
		return
	}
	time.Sleep(slow)
	for {
		call, err := receive(conn)
		if err != nil {
			return
		}
		if text := n.answerTo(call); text != "" {
			answer(conn, call.ID, "result", text)
		}
	}
}

func (n *node) answerTo(call received) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.calls[call.Method]++
	head := ledger.TimeOf(time.Now().Add(-n.age))
	says, scripted := n.says[call.Method]
	switch {
	case n.silent:
		return ""
	case scripted:
		return says
	case call.Method == "login":
		return "true"
	case call.Method == "get_chain_id":
		return `"` + n.chain + `"`
	case call.Method == "about" && n.about != "":
		return n.about
	case call.Method == "get_dynamic_global_properties":
		num := ledger.TimeOf(time.Now()) // goes on whatever the age
		return fmt.Sprintf(`{"id":"2.1.0","head_block_number":%d,"head_block_id":"%08x%032x","time":"%s"}`, num, uint32(num), 7, head)
	case call.Method == "broadcast_transaction", call.Method == "set_block_applied_callback":
		return "null"
	}
	return "21"
}

// await waits until the status is as wanted, and says how long that took.
func await(t testing.TB, c *daemonclient.Client, what string, is func(daemonclient.Status) bool) time.Duration {
	t.Helper()
	begun, ctx := time.Now(), within(t)
	events, cancel := c.Subscribe()
	defer cancel()
	for !is(c.Status()) {
		select {
		case <-events:
		case <-time.After(20 * time.Millisecond): // daemons in reserve change without an event
		case <-ctx.Done():
			t.Fatalf("%s never came about: %+v", what, c.Status())
		}
	}
	return time.Since(begun)
}

func uses(n *node) func(daemonclient.Status) bool {
	return func(s daemonclient.Status) bool { return s.State == daemonclient.Online && s.URL == n.url }
}

func allOnline(s daemonclient.Status) bool {
	for _, d := range s.Daemons {
		if d.State != daemonclient.Online {
			return false
		}
	}
	return true
}

// health returns the status of one daemon.
func health(t testing.TB, c *daemonclient.Client, n *node) daemonclient.DaemonStatus {
	t.Helper()
	for _, d := range c.Status().Daemons {
		if d.URL == n.url {
			return d
		}
	}
	t.Fatalf("%s is not listed", n.url)
	return daemonclient.DaemonStatus{}
}

// pair starts a client with two nodes, both online: the one in use and the one
// in reserve.
func pair(t testing.TB, cfg daemonclient.Config) (c *daemonclient.Client, used, reserve *node) {
	t.Helper()
	return pairOf(t, cfg, newNode(t, nil), newNode(t, nil))
}

// pair is the function pair on these wires.
func (w *wires) pair(t testing.TB, cfg daemonclient.Config) (c *daemonclient.Client, used, reserve *node) {
	t.Helper()
	cfg.Dial = w.dial
	return pairOf(t, cfg, w.node(t), w.node(t))
}

func pairOf(t testing.TB, cfg daemonclient.Config, used, reserve *node) (*daemonclient.Client, *node, *node) {
	t.Helper()
	cfg.URLs = []string{used.url, reserve.url}
	c := start(t, cfg)
	await(t, c, "both online", allOnline)
	if c.Status().URL != used.url {
		used, reserve = reserve, used
	}
	return c, used, reserve
}
