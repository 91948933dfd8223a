package daemonclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// A daemon that answers other calls is busy, not silent, however long one call takes.
func TestBusyIsNotSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cn, peer := pipeConn(t, Config{})
		cn.sets[Database] = 2
		read := make(chan json.RawMessage)
		go func() {
			defer close(read)
			for {
				_, message, err := peer.ReadMessage()
				if err != nil {
					return
				}
				read <- message
			}
		}()
		var given [5]*call
		for i := range given {
			given[i], _ = cn.send(t.Context(), newBareRequest(Database, "get_account_count"))
			<-read
			cn.abandon(given[i])
		}
		c, err := cn.send(t.Context(), newBareRequest(Database, "get_account_count"))
		if err != nil {
			t.Fatal(err)
		}
		<-read
		go func() {
			for _, late := range given { // answers to calls that nobody waits for any more
				time.Sleep(900 * time.Millisecond)
				_ = peer.WriteMessage(1, fmt.Appendf(nil, `{"id":%d,"result":1}`, late.id))
			}
		}()
		begun := time.Now()
		_, err = cn.await(t.Context(), c, time.Second)
		if took := time.Since(begun); !errors.Is(err, errSilent) || took < 5500*time.Millisecond || took > 5700*time.Millisecond {
			t.Errorf("after %v: %v", took, err)
		}
		cn.close(errStopped)
		<-read
	})
}

// Calls that were given up do not pile up on a daemon that never answers.
func TestUnansweredCallsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cn, peer := pipeConn(t, Config{})
		cn.sets[Database] = 2
		given := &call{}
		for id := range uint64(maxWaiting) {
			cn.waiting[1<<40+id] = given
		}
		given.done = make(chan outcome, maxWaiting)
		if _, err := cn.send(t.Context(), newBareRequest(Database, "get_account_count")); !errors.Is(err, errSilent) {
			t.Errorf("got %v", err)
		}
		if !errors.Is(cn.reason(), errSilent) {
			t.Errorf("the line goes on: %v", cn.reason())
		}
		cn.close(errStopped)
		peer.Close()
	})
}

// A broadcast that had not left when its connection broke goes to the daemon that
// took over; see also TestBroadcastThatNeverLeft.
func TestUnsentBroadcastTakesTheNextLine(t *testing.T) {
	c := New(Config{URLs: []string{"ws://one:1", "ws://two:1"}})
	broken := &conn{failure: errSilent, url: "ws://one:1", sets: map[Set]uint64{NetworkBroadcast: 4}}
	whole := &conn{url: "ws://two:1"}
	first, second := c.pool.nodes[0], c.pool.nodes[1]
	c.pool.running, c.pool.decided = true, true
	c.pool.change(func() {
		for n, cn := range map[*node]*conn{first: broken, second: whole} {
			n.conn, n.chain[0], n.state = cn, 1, Online
		}
	})
	if cn, err := c.pool.current(NetworkBroadcast); err != nil || cn != broken {
		t.Fatalf("in use is %v, %v", cn, err)
	}
	_, err := broken.do(t.Context(), request{set: NetworkBroadcast, method: "broadcast_transaction"})
	u, ok := errors.AsType[*noAnswerError](err)
	if !ok || u.sent {
		t.Fatalf("got %v", err)
	}
	c.pool.blame(broken, u)
	if cn, err := c.next(t.Context(), broken, NetworkBroadcast); err != nil || cn != whole {
		t.Errorf("next is %v, %v", cn, err)
	}
	if cn, err := c.next(t.Context(), whole, NetworkBroadcast); err != nil || cn != nil {
		t.Errorf("with nothing left, next is %v, %v", cn, err)
	}
}
