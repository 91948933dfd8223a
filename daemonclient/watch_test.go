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
		l, peer := pipeLine(t, Config{})
		l.sets[Database] = 2
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
			given[i], _ = l.post(t.Context(), bare(Database, "get_account_count"))
			<-read
			l.abandon(given[i])
		}
		c, err := l.post(t.Context(), bare(Database, "get_account_count"))
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
		_, err = l.await(t.Context(), c, time.Second)
		if took := time.Since(begun); !errors.Is(err, errSilent) || took < 5500*time.Millisecond || took > 5700*time.Millisecond {
			t.Errorf("after %v: %v", took, err)
		}
		l.hangUp(errStopped)
		<-read
	})
}

// Calls that were given up do not pile up on a daemon that never answers.
func TestUnansweredCallsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, peer := pipeLine(t, Config{})
		l.sets[Database] = 2
		given := &call{}
		for id := range uint64(mostWaiting) {
			l.waiting[1<<40+id] = given
		}
		given.done = make(chan answer, mostWaiting)
		if _, err := l.post(t.Context(), bare(Database, "get_account_count")); !errors.Is(err, errSilent) {
			t.Errorf("got %v", err)
		}
		if !errors.Is(l.reason(), errSilent) {
			t.Errorf("the line goes on: %v", l.reason())
		}
		l.hangUp(errStopped)
		peer.Close()
	})
}

// A broadcast that had not left when its line broke goes to the daemon that
// took over; see also TestBroadcastThatNeverLeft.
func TestUnsentBroadcastTakesTheNextLine(t *testing.T) {
	c := New(Config{URLs: []string{"ws://one:1", "ws://two:1"}})
	broken := &line{broken: errSilent, url: "ws://one:1", sets: map[Set]uint64{NetworkBroadcast: 4}}
	whole := &line{url: "ws://two:1"}
	first, second := c.members[0], c.members[1]
	c.running, c.settled = true, true
	c.change(func() {
		for m, l := range map[*member]*line{first: broken, second: whole} {
			m.line, m.chain[0], m.state = l, 1, Online
		}
	})
	if l, err := c.current(NetworkBroadcast); err != nil || l != broken {
		t.Fatalf("in use is %v, %v", l, err)
	}
	_, err := broken.do(t.Context(), request{set: NetworkBroadcast, method: "broadcast_transaction"})
	u, ok := errors.AsType[*unansweredError](err)
	if !ok || u.sent {
		t.Fatalf("got %v", err)
	}
	c.blame(broken, u)
	if l, err := c.next(t.Context(), broken, NetworkBroadcast); err != nil || l != whole {
		t.Errorf("next is %v, %v", l, err)
	}
	if l, err := c.next(t.Context(), whole, NetworkBroadcast); err != nil || l != nil {
		t.Errorf("with nothing left, next is %v, %v", l, err)
	}
}
