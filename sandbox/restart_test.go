package sandbox

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"billfold/ledger"

	"github.com/gorilla/websocket"
)

func TestKilledSandboxIsAwayAndTakesBytesAgain(t *testing.T) {
	s := start(t, Options{})
	mine(t, s)
	dev, c := developer(t, s), dial(t, s).enable()
	op := &ledger.TransferObsoleteOp{From: c.account("alice").ID, To: c.account("bobby").ID, Amount: ledger.AssetAmount{Amount: 5}}
	tx := c.pay(DemoKeys()[0].Key, op)
	c.get(nil, "network_broadcast", "broadcast_transaction", tx)
	mine(t, s)
	c.refused(10, "network_broadcast", "broadcast_transaction", tx)
	dev.dev(nil, "kill", "1h", 0)
	if _, _, err := c.conn.ReadMessage(); err == nil {
		t.Error("the line is still there")
	}
	if conn, _, err := websocket.DefaultDialer.Dial(s.URL(), nil); err == nil {
		conn.Close()
		t.Error("a node that is away takes a line")
	}
	if r, err := http.Post(s.HTTPURL(), "application/json", strings.NewReader(`{"id":1,"method":"info","params":[]}`)); err == nil {
		r.Body.Close()
		t.Error("a node that is away answers over HTTP")
	}
	dev.dev(nil, "clear_faults")
	c = dial(t, s).enable()
	c.get(nil, "network_broadcast", "broadcast_transaction", tx)
	dev.dev(nil, "end", "0s")
	c = dial(t, s).enable()
	c.refused(0, "sandbox", "kill", "0s", 1000)
}

// The answers to one method wait; others overtake them.
func TestAnswersToOneMethodAreDelayed(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s)
	s.DelayMethod("get_block", 60*time.Millisecond)
	begun := time.Now()
	c.send(`{"id":1,"method":"get_block","params":[1]}`)
	c.send(`{"id":2,"method":"info","params":[]}`)
	for i, want := range []string{`{"id":2,`, `{"id":1,`} {
		_, frame, err := c.conn.ReadMessage()
		if err != nil || !strings.HasPrefix(string(frame), want) {
			t.Fatalf("answer %d is %s (%v), want %s", i, frame, err, want)
		}
	}
	if took := time.Since(begun); took < 60*time.Millisecond {
		t.Errorf("the delayed answer took %s", took)
	}
	s.DelayMethod("get_block", 0)
}
