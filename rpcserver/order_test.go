package rpcserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/walletcore/walletapi"
)

// diary is a wallet that notes when its calls begin and end. A call lasts as many milliseconds as its parameter says; one called "hangs" lasts until
// its context ends, and "asks" waits for a person.
type diary struct {
	mu      sync.Mutex
	lines   []string
	running int
	most    int // calls that ran at once
	started chan string
}

func newDiary() *diary { return &diary{started: make(chan string, 1000)} }

func (d *diary) note(line string, more int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
	d.running += more
	d.most = max(d.most, d.running)
}

func (d *diary) Call(ctx context.Context, method string, p Params) (json.RawMessage, error) {
	name := method + string(p.Positional[0])
	d.note("+"+name, 1)
	defer d.note("-"+name, -1)
	d.started <- name
	if strings.Contains(method, "hangs") {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	var last int
	_ = json.Unmarshal(p.Positional[len(p.Positional)-1], &last)
	time.Sleep(time.Duration(last) * time.Millisecond)
	return encode(name), nil
}

// Decide waits for a person, for calls of that name, until the context ends.
func (d *diary) Decide(ctx context.Context, by Requester, method string, p Params) (Params, func(error), error) {
	if method == "asks" {
		by.Await(ctx, func(ctx context.Context) {
			d.started <- method
			<-ctx.Done()
		})
	}
	return p, func(error) {}, nil
}

func (*diary) Refused(context.Context, Requester, string, Params, error) {}

func (d *diary) index(line string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Index(d.lines, line)
}

// ordered opens a server at which the calls of operations that begin with "state" are done in order.
func ordered(t testing.TB, d *diary, adjust func(*Options)) *testServer {
	return open(t, func(o *Options) {
		o.Caller, o.Decider = d, d
		o.InOrder = func(m string) bool { return strings.HasPrefix(m, "state") || m == "lock" }
		o.Pace = paces(map[string]walletapi.Pace{"lock": walletapi.PaceUrgent, "is_locked": walletapi.PaceInstant, "hangs_wait": walletapi.PaceWaits})
		if adjust != nil {
			adjust(o)
		}
	})
}

// A program may send a whole sequence without waiting for answers: what changes the state of its connection is done in its place, and the rest
// runs at the same time between.
func TestMessagesAreDoneInOrderAroundThoseThatChangeState(t *testing.T) {
	d := newDiary()
	conn := ordered(t, d, nil).mustDial()
	sequence := []string{"pay 1 40", "pay 2 1", "state 3 20", "state 4 1", "pay 5 30", "pay 6 30", "[state 7 10;pay 8 1]", "is_locked 9 0", "lock 10 0", "is_locked 11 0", "pay 12 1"}
	request := func(text string) string {
		var name string
		var n, last int
		if _, err := fmt.Sscan(text, &name, &n, &last); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`{"id":%d,"method":%q,"params":[%d,%d]}`, n, name, n, last)
	}
	for _, text := range sequence {
		if batch, is := strings.CutPrefix(text, "["); is {
			first, second, _ := strings.Cut(strings.TrimSuffix(batch, "]"), ";")
			send(t, conn, "["+request(first)+","+request(second)+"]")
			continue
		}
		send(t, conn, request(text))
	}
	for range sequence {
		if got := receive(t, conn); strings.Contains(got, "error") {
			t.Error(got)
		}
	}
	for _, pair := range [][2]string{
		{"-pay1", "+state3"}, {"-pay2", "+state3"}, {"-state3", "+state4"}, {"-state4", "+pay5"}, {"-state4", "+pay6"}, {"-pay5", "+state7"}, {"-pay6", "+state7"},
		{"-state7", "+pay8"}, {"-pay8", "+is_locked9"}, {"-is_locked9", "+lock10"}, {"-lock10", "+is_locked11"}, {"-lock10", "+pay12"},
	} {
		if before, after := d.index(pair[0]), d.index(pair[1]); before < 0 || after < before {
			t.Errorf("%s is not before %s: %v", pair[0], pair[1], d.lines)
		}
	}
	if d.most < 2 {
		t.Errorf("nothing ran at the same time: %v", d.lines)
	}
}

// More messages than a connection may have under way keep their order, and none is left out.
func TestOrderedMessagesAreSlowedDownAndNotRefused(t *testing.T) {
	d := newDiary()
	conn := ordered(t, d, func(o *Options) { o.Limits.PerClient, o.Limits.SlotWait = 4, 20*time.Millisecond }).mustDial()
	const n = 40
	for i := range n {
		send(t, conn, fmt.Sprintf(`{"id":%d,"method":"state","params":[%d,10]}`, i, i))
	}
	for i := range n {
		if got, want := receive(t, conn), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"state%d"}`, i, i); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

// Nobody waits for a call that waits for a person, or for something to happen, and lock for no call for long.
func TestNobodyWaitsForWhatWaits(t *testing.T) {
	for _, c := range []struct{ first, next string }{
		{`{"id":1,"method":"asks","params":[1]}`, `{"id":2,"method":"state","params":[2,0]}`},
		{`[{"id":1,"method":"state","params":[0]},{"id":1,"method":"asks","params":[1]}]`, `{"id":2,"method":"pay","params":[2,0]}`},
		{`{"id":1,"method":"hangs_wait","params":[1]}`, `{"id":2,"method":"state","params":[2,0]}`},
		{`[{"id":1,"method":"state","params":[0]},{"id":1,"method":"hangs_wait","params":[1]}]`, `{"id":2,"method":"pay","params":[2,0]}`},
		{`{"id":1,"method":"hangs","params":[1]}`, `{"id":2,"method":"lock","params":[2,0]}`},
		{`{"id":1,"method":"state_hangs","params":[1]}`, `{"id":2,"method":"lock","params":[2,0]}`},
	} {
		conn := ordered(t, newDiary(), func(o *Options) { o.Limits.SlotWait = 50 * time.Millisecond }).mustDial()
		send(t, conn, c.first)
		send(t, conn, c.next)
		if got := receive(t, conn); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":2,"result"`) {
			t.Errorf("after %s: %s", c.first, got)
		}
		_ = conn.Close()
	}
}

// What waits for its turn when the client leaves is not done any more, except for lock; nothing is left over.
func TestOrderEndsWithItsConnection(t *testing.T) {
	d := newDiary()
	h := ordered(t, d, func(o *Options) { o.Limits.SlotWait = 50 * time.Millisecond })
	conn := h.mustDial()
	send(t, conn, `{"id":1,"method":"hangs","params":[1]}`)
	<-d.started
	send(t, conn, `{"id":2,"method":"state","params":[2]}`)
	send(t, conn, `{"id":3,"method":"pay","params":[3]}`)
	send(t, conn, `{"id":4,"method":"lock","params":[4]}`)
	_ = conn.Close()
	if name := <-d.started; name != "lock4" {
		t.Errorf("%s was done for a client that left", name)
	}
	if err := h.stop(); err != nil {
		t.Error(err)
	}
	if d.index("+state2") >= 0 || d.index("+pay3") >= 0 {
		t.Errorf("calls of a client that left were begun: %v", d.lines)
	}
}

// The calls before may take as long as a call may, and then those after them are refused.
func TestTurnThatDoesNotCome(t *testing.T) {
	d := newDiary()
	conn := ordered(t, d, func(o *Options) { o.Limits.CallTime = 300 * time.Millisecond }).mustDial()
	send(t, conn, `{"id":1,"method":"pay","params":[1,900]}`)
	<-d.started
	send(t, conn, `{"jsonrpc":"2.0","id":2,"method":"state","params":[2,0]}`)
	if got := receive(t, conn); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":2,"error":{"code":-32005,"message":"The calls before this one on its connection take too long`) {
		t.Error(got)
	}
}
