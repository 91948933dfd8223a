package rpcserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// listen opens a server with a feed.
func listen(t testing.TB, adjust func(*Options)) (*Feed, *testServer) {
	t.Helper()
	f := NewFeed()
	return f, open(t, func(o *Options) {
		o.Feed = f
		if adjust != nil {
			adjust(o)
		}
	})
}

// receivedEvent is an event as a client reads it.
type receivedEvent struct {
	Method string
	Params struct {
		Seq             uint64
		Position, Topic string
		Data            json.RawMessage
	}
}

func receiveEvent(t testing.TB, conn *websocket.Conn) receivedEvent {
	t.Helper()
	var h receivedEvent
	if err := json.Unmarshal([]byte(receive(t, conn)), &h); err != nil || h.Method != "event" {
		t.Fatalf("%+v is no event (%v)", h, err)
	}
	return h
}

func expect(t testing.TB, conn *websocket.Conn, topic string, seq uint64) receivedEvent {
	t.Helper()
	h := receiveEvent(t, conn)
	if h.Params.Topic != topic || h.Params.Seq != seq {
		t.Fatalf("got %s %d, want %s %d", h.Params.Topic, h.Params.Seq, topic, seq)
	}
	return h
}

func ask(t testing.TB, conn *websocket.Conn, method, params string) string {
	t.Helper()
	send(t, conn, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)
	return receive(t, conn)
}

func number(n int) json.RawMessage { return json.RawMessage(fmt.Sprint(n)) }

func TestEventsAreNumberedAndFilteredByTopic(t *testing.T) {
	f, h := listen(t, nil)
	conn := h.mustDial()
	f.Publish(Event{"blocks", number(1)}) // before anybody has subscribed
	want := `{"jsonrpc":"2.0","id":1,"result":{"topics":["blocks","lock"],"position":"` + f.position(1) + `"}}`
	if got := ask(t, conn, "subscribe", `["blocks,lock"]`); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f.Publish(Event{"payments", number(2)})
	f.Publish(Event{"lock", json.RawMessage(`{"state":"locked"}`)})
	if got := expect(t, conn, "lock", 3); string(got.Params.Data) != `{"state":"locked"}` || got.Params.Position != f.position(3) {
		t.Errorf("%+v", got)
	}
	if got := ask(t, conn, "unsubscribe", `{"topics":["lock"]}`); !strings.Contains(got, `{"topics":["blocks"]`) {
		t.Error(got)
	}
	f.Publish(Event{"lock", number(4)})
	f.Publish(Event{"blocks", number(5)})
	expect(t, conn, "blocks", 5)
	if got := ask(t, conn, "unsubscribe", `[]`); !strings.Contains(got, `{"topics":[]`) {
		t.Error(got)
	}
	f.Publish(Event{"blocks", number(6)})
	if got := ask(t, conn, "is_locked", `[]`); !strings.Contains(got, `"result":false`) {
		t.Errorf("after unsubscribe: %s", got)
	}
}

func TestEventsAreResumedAfterAReconnect(t *testing.T) {
	f, h := listen(t, nil)
	conn := h.mustDial()
	ask(t, conn, "subscribe", `["blocks"]`)
	f.Publish(Event{"blocks", number(1)})
	at := expect(t, conn, "blocks", 1).Params.Position
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		f.Publish(Event{[]string{"blocks", "lock"}[i%2], number(i)})
	}
	conn = h.mustDial()
	ask(t, conn, "subscribe", `["blocks","`+at+`"]`)
	for seq := uint64(2); seq < 202; seq += 2 {
		expect(t, conn, "blocks", seq)
	}
}

// A position of another run, or in the future, gets a resync, and then events as usual.
func TestAForeignPositionGetsOneResync(t *testing.T) {
	f, h := listen(t, nil)
	f.Publish(Event{"blocks", number(1)})
	for _, position := range []string{"other-1", f.position(99), "nonsense", "-"} {
		conn := h.mustDial()
		ask(t, conn, "subscribe", `["blocks","`+position+`"]`)
		last := f.newest()
		expect(t, conn, "resync", last)
		f.Publish(Event{"blocks", number(2)})
		expect(t, conn, "blocks", last+1)
	}
}

// untilStuck waits until a session is behind the feed and makes no progress.
func (h *testServer) untilStuck(f *Feed) {
	h.t.Helper()
	behind := func() (seq uint64) {
		h.sessions.mu.Lock()
		defer h.sessions.mu.Unlock()
		for s := range h.sessions.open {
			s.events.mu.Lock()
			if slices.Contains(s.events.topics, "balances") && s.events.seq < f.newest() {
				seq = s.events.seq
			}
			s.events.mu.Unlock()
		}
		return seq
	}
	for at, held := behind(), 0; held < 20; time.Sleep(10 * time.Millisecond) { // for a while, since the writer may still be busy
		if now := behind(); now == 0 || now != at {
			at, held = now, 0
			continue
		}
		held++
	}
}

// All subscribers are sent the same bytes, which are made once. An event costs no memory per subscriber.
func TestAnEventIsEncodedOnce(t *testing.T) { // not parallel, since allocations of all goroutines are counted
	publish := func(subscribers int) float64 {
		f := NewFeed()
		subs := make([]*subscription, subscribers)
		for i := range subs {
			subs[i] = newSubscription(nil, f)
			subs[i].topics = []string{"blocks"}
		}
		return testing.AllocsPerRun(20, func() {
			f.Publish(Event{"blocks", number(1)})
			var message []byte
			for _, u := range subs {
				got, _ := u.next()
				if message == nil {
					message = got
				}
				if len(got) == 0 || &got[0] != &message[0] {
					t.Fatal("a subscriber got bytes of its own")
				}
				if got, wait := u.next(); got != nil || wait == nil {
					t.Fatalf("there was another event, %s", got)
				}
			}
		})
	}
	if few, many := publish(1), publish(1000); many > few+50 { // other goroutines allocate a little
		t.Errorf("an event takes %v allocations with one subscriber and %v with 1,000", few, many)
	}
}

// A subscriber is not woken by other topics, and misses nothing however many events they have.
func TestOtherTopicsDoNotMatter(t *testing.T) {
	t.Parallel()
	f := NewFeed()
	u := newSubscription(nil, f)
	if _, err := u.Subscribe([]string{"blocks"}, ""); err != nil {
		t.Fatal(err)
	}
	_, wait := u.next()
	for range 2 * feedSize {
		f.Publish(Event{"payments", number(1)})
	}
	select {
	case <-wait:
		t.Error("another topic woke it")
	default:
	}
	f.Publish(Event{"blocks", number(2)})
	<-wait
	if got, _ := u.next(); !strings.Contains(string(got), `"topic":"blocks"`) {
		t.Errorf("it got %s", got)
	}
}

// A client that does not read delays nobody, and is told once that it missed events.
func TestASlowSubscriberGetsOneResync(t *testing.T) {
	f, h := listen(t, nil)
	slow, quick := h.mustDial(), h.mustDial()
	ask(t, slow, "subscribe", `["balances"]`)
	ask(t, quick, "subscribe", `["lock"]`)
	large := encode(strings.Repeat("x", 64<<10))
	for range 1500 { // 94 MiB, more than the buffers of a connection hold, so sending stops
		f.Publish(Event{"balances", large})
	}
	h.untilStuck(f)
	for range 2 * feedSize {
		f.Publish(Event{"balances", number(0)})
	}
	f.Publish(Event{"lock", number(1)})
	for receiveEvent(t, quick).Params.Topic == "resync" { // it may have fallen behind, too
		f.Publish(Event{"lock", number(1)})
	}
	resyncs, last := 0, uint64(0)
	f.Publish(Event{"balances", json.RawMessage(`"end"`)})
	for {
		got := receiveEvent(t, slow)
		if got.Params.Seq < last {
			t.Fatalf("event %d came behind %d", got.Params.Seq, last)
		}
		if last = got.Params.Seq; got.Params.Topic == "resync" {
			resyncs++
			f.Publish(Event{"balances", json.RawMessage(`"end"`)})
		}
		if string(got.Params.Data) == `"end"` {
			break
		}
	}
	if resyncs != 1 {
		t.Errorf("there were %d resyncs", resyncs)
	}
}

func TestUnknownTopicIsRefused(t *testing.T) {
	_, h := listen(t, nil)
	conn := h.mustDial()
	for _, params := range []string{`[]`, `[""]`, `["nonsense"]`, `[["blocks","x"]]`, `[5]`, `{"topics":"resync"}`, `["blocks",7]`} {
		if got := ask(t, conn, "subscribe", params); !strings.Contains(got, `"code":-32602`) {
			t.Errorf("%s: %s", params, got)
		}
	}
	if _, got := h.post(h.HTTPAddr(), `{"jsonrpc":"2.0","id":1,"method":"subscribe","params":["blocks"]}`); strings.Contains(got, "result") {
		t.Errorf("over HTTP: %s", got)
	}
}

func TestRevokedTokenGetsNoEvents(t *testing.T) {
	d := &fakeAuthenticator{}
	f, h := listen(t, func(o *Options) { o.Authenticator = d })
	conn, _, err := h.dial(http.Header{"Authorization": {"Bearer all"}})
	if err != nil {
		t.Fatal(err)
	}
	ask(t, conn, "subscribe", `["blocks"]`)
	f.Publish(Event{"blocks", number(1)})
	expect(t, conn, "blocks", 1)
	d.mu.Lock()
	d.gone = true
	d.mu.Unlock()
	f.Publish(Event{"blocks", number(2)})
	if got := ask(t, conn, "is_locked", `[]`); !strings.Contains(got, "revoked") {
		t.Errorf("it still hears: %s", got)
	}
	few, _, err := h.dial(http.Header{"Authorization": {"Bearer few"}})
	if err == nil {
		if got := ask(t, few, "subscribe", `["blocks"]`); !strings.Contains(got, `"code":-32010`) {
			t.Errorf("a token without the operation subscribed: %s", got)
		}
	}
}

// While a token cannot be checked, its client gets no events, and afterwards a resync.
func TestTokenThatCannotBeLookedUpGetsEventsLater(t *testing.T) {
	d := &fakeAuthenticator{}
	f, h := listen(t, func(o *Options) { o.Authenticator = d })
	conn, _, err := h.dial(http.Header{"Authorization": {"Bearer all"}})
	if err != nil {
		t.Fatal(err)
	}
	ask(t, conn, "subscribe", `["blocks"]`)
	f.Publish(Event{"blocks", number(1)})
	expect(t, conn, "blocks", 1)
	blind := func(looked chan struct{}) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.blind = looked
	}
	looked := make(chan struct{}, 1)
	blind(looked)
	f.Publish(Event{"blocks", number(2)})
	<-looked // before the event is sent
	if got := ask(t, conn, "is_locked", `[]`); !strings.Contains(got, "cannot look up tokens now") {
		t.Errorf("it hears, or is told of something else: %s", got)
	}
	blind(nil)
	f.Publish(Event{"blocks", number(3)})
	expect(t, conn, "resync", 3)
	f.Publish(Event{"blocks", number(4)})
	expect(t, conn, "blocks", 4)
}

func TestFeedEndsWithTheServer(t *testing.T) {
	f, h := listen(t, nil)
	conn := h.mustDial()
	ask(t, conn, "subscribe", `["blocks"]`)
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	f.Publish(Event{"blocks", number(1)}) // nobody receives it
	if _, _, err := conn.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Error(err)
	}
}
