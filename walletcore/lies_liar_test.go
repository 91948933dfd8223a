package walletcore_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"

	"github.com/gorilla/websocket"
)

// question is a call of the wallet that waits for its answer.
type question struct {
	id     uint64
	set    uint64
	method string
	args   []json.RawMessage
	conn   *conn
	lied   bool // set by a lie that leaves the answer unchanged
}

// reply is the answer to a question. The zero reply is no answer at all.
type reply struct {
	result, failure json.RawMessage
	raw             func(*conn) // writes to the wallet directly
}

// teller answers a question; honest asks the ledger, and applies the lies before this one.
type teller func(q *question, honest func() reply) reply

// liar is a daemon's websocket that passes questions on to the real one and
// changes what comes back.
type liar struct {
	url, target string

	mu     sync.Mutex
	tell   teller
	conns  map[*conn]bool
	seen   func(ledger.SignedTransaction) // each broadcast that arrives
	told   int                            // how many answers a lie changed
	worker sync.WaitGroup
}

func newLiar(t testing.TB, target string, seen func(ledger.SignedTransaction)) *liar {
	l := &liar{target: target, tell: honestly, conns: map[*conn]bool{}, seen: seen}
	server := httptest.NewServer(http.HandlerFunc(l.serve))
	l.url = "ws" + strings.TrimPrefix(server.URL, "http")
	t.Cleanup(func() {
		l.hangUp()
		server.Close()
		l.worker.Wait()
	})
	return l
}

func honestly(_ *question, honest func() reply) reply { return honest() }

// lie makes tell answer every question from now on; nil is the truth.
func (l *liar) lie(tell teller) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tell = tell; tell == nil {
		l.tell = honestly
	}
}

// hangUp closes every connection.
func (l *liar) hangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		c.near.Close()
		c.far.Close()
	}
}

// toldSoFar returns how many answers were lies.
func (l *liar) toldSoFar() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.told
}

func (l *liar) serve(w http.ResponseWriter, r *http.Request) {
	near, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	far, _, err := websocket.DefaultDialer.Dial(l.target, nil)
	if err != nil {
		near.Close()
		return
	}
	c := &conn{liar: l, near: near, far: far, waiting: map[uint64]chan reply{}}
	l.mu.Lock()
	l.conns[c] = true
	l.worker.Add(2)
	l.mu.Unlock()
	go c.readFar()
	c.readNear()
	l.mu.Lock()
	delete(l.conns, c)
	l.mu.Unlock()
	l.worker.Done()
}

// conn is one connection of the wallet, with the connection to the ledger that serves it.
type conn struct {
	liar      *liar
	near, far *websocket.Conn

	nearMu, farMu sync.Mutex // each held while its connection is written to
	mu            sync.Mutex
	waiting       map[uint64]chan reply
	ended         bool
}

// envelope is a message from either side.
type envelope struct {
	ID     *uint64           `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
	Result json.RawMessage   `json:"result"`
	Error  json.RawMessage   `json:"error"`
}

func (c *conn) readNear() {
	defer c.near.Close()
	defer c.far.Close()
	for {
		_, message, err := c.near.ReadMessage()
		if err != nil {
			return
		}
		var e envelope
		if json.Unmarshal(codec.FromFC(message), &e) != nil || e.ID == nil || len(e.Params) != 3 {
			continue
		}
		q := &question{id: *e.ID, conn: c}
		_ = json.Unmarshal(e.Params[0], &q.set)
		_ = json.Unmarshal(e.Params[1], &q.method)
		_ = json.Unmarshal(e.Params[2], &q.args)
		c.liar.note(q)
		c.liar.worker.Go(func() { c.answer(q) })
	}
}

// note reports each broadcast, whatever happens to it.
func (l *liar) note(q *question) {
	var tx ledger.SignedTransaction
	if isBroadcast(q.method) && len(q.args) > 0 && codec.Unmarshal(q.args[len(q.args)-1], &tx) == nil {
		l.seen(tx)
	}
}

func isBroadcast(method string) bool { return strings.HasPrefix(method, "broadcast_transaction") }

// answer sends the wallet the answer that the lies make of the truth.
func (c *conn) answer(q *question) {
	c.liar.mu.Lock()
	tell := c.liar.tell
	c.liar.mu.Unlock()
	var truth *reply
	r := tell(q, func() reply {
		r := c.ask(q)
		truth = &r
		return r
	})
	if truth == nil || q.lied || r.raw != nil || !bytes.Equal(truth.result, r.result) || !bytes.Equal(truth.failure, r.failure) {
		c.liar.mu.Lock()
		c.liar.told++
		c.liar.mu.Unlock()
	}
	switch {
	case r.raw != nil:
		r.raw(c)
	case r.failure != nil:
		c.write(map[string]any{"id": q.id, "jsonrpc": "2.0", "error": r.failure})
	case r.result != nil:
		c.write(map[string]any{"id": q.id, "jsonrpc": "2.0", "result": r.result})
	}
}

// ask passes a question on and waits for the answer. It returns the zero reply if
// the connection ends first.
func (c *conn) ask(q *question) reply {
	args, err := json.Marshal(q.args)
	if err != nil {
		return reply{}
	}
	got := make(chan reply, 1)
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return reply{}
	}
	number := uint64(1) + uint64(len(c.waiting))
	for c.waiting[number] != nil {
		number++
	}
	c.waiting[number] = got
	c.mu.Unlock()
	text, _ := json.Marshal(map[string]any{"id": number, "method": "call", "params": []any{q.set, q.method, json.RawMessage(args)}})
	c.farMu.Lock()
	err = c.far.WriteMessage(websocket.TextMessage, codec.ToFC(text))
	c.farMu.Unlock()
	if err != nil {
		return reply{}
	}
	return <-got
}

func (c *conn) readFar() {
	defer c.liar.worker.Done()
	defer c.near.Close()
	defer c.end()
	for {
		_, message, err := c.far.ReadMessage()
		if err != nil {
			return
		}
		var e envelope
		if json.Unmarshal(codec.FromFC(message), &e) != nil {
			continue
		}
		if e.ID == nil {
			c.send(message)
			continue
		}
		c.mu.Lock()
		got := c.waiting[*e.ID]
		delete(c.waiting, *e.ID)
		c.mu.Unlock()
		if e.Result == nil && e.Error == nil {
			e.Result = json.RawMessage("null")
		}
		if got != nil {
			got <- reply{result: e.Result, failure: e.Error}
		}
	}
}

// end ends the connection: nobody waits for an answer any more.
func (c *conn) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	for _, got := range c.waiting {
		got <- reply{}
	}
	c.waiting = nil
}

func (c *conn) write(message any) {
	text, err := json.Marshal(message)
	if err == nil {
		c.send(text)
	}
}

func (c *conn) send(text []byte) {
	c.nearMu.Lock()
	defer c.nearMu.Unlock()
	_ = c.near.SetWriteDeadline(time.Now().Add(5 * time.Second))
	if c.near.WriteMessage(websocket.TextMessage, text) != nil {
		c.near.Close()
	}
}

// stream writes one message in parts, so that the liar never holds it whole.
func (c *conn) stream(write func(part func(string) bool)) {
	c.nearMu.Lock()
	defer c.nearMu.Unlock()
	_ = c.near.SetWriteDeadline(time.Now().Add(10 * time.Second))
	w, err := c.near.NextWriter(websocket.TextMessage)
	if err != nil {
		return
	}
	write(func(text string) bool {
		_, err := w.Write([]byte(text))
		return err == nil
	})
	if w.Close() != nil {
		c.near.Close()
	}
}
