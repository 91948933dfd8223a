package sandbox

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"

	"github.com/gorilla/websocket"
)

// developer is a client that faults do not concern.
func developer(t *testing.T, s *Sandbox) *client {
	t.Helper()
	c := dial(t, s)
	c.dev(nil, "info")
	return c
}

func TestLinesAreDroppedAfterFrames(t *testing.T) {
	s := start(t, Options{})
	dev, first, second := developer(t, s), dial(t, s), dial(t, s)
	dev.dev(nil, "drop_after", 2, 1)
	first.get(nil, 0, "info")
	second.get(nil, 0, "info")
	first.get(nil, 0, "info")
	first.send(`{"id":9,"method":"info","params":[]}`)
	_ = first.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, frame, err := first.conn.ReadMessage(); err == nil {
		t.Errorf("the third answer arrived: %s", frame)
	}
	for range 5 { // only one line was to be cut
		second.get(nil, 0, "info")
		dev.get(nil, 0, "info")
	}
}

// With no frame at all the call is carried out, but its answer is never seen.
func TestAnswerOfABroadcastIsLost(t *testing.T) {
	s := start(t, Options{})
	dev, c := developer(t, s), dial(t, s).enable()
	op := &ledger.TransferObsoleteOp{From: c.account("alice").ID, To: c.account("bobby").ID, Amount: ledger.AssetAmount{Amount: 5}}
	tx := c.pay(DemoKeys()[0].Key, op)
	text, _ := codec.Marshal(tx)
	dev.dev(nil, "drop_after", 0, 1)
	c.send(`{"id":1,"method":"call","params":["network_broadcast","broadcast_transaction",[` + string(text) + `]]}`)
	if _, frame, err := c.conn.ReadMessage(); err == nil {
		t.Errorf("the answer arrived: %s", frame)
	}
	var b ledger.Block
	dev.get(&b, 0, "get_block", mine(t, s).Num())
	if len(b.Transactions) != 1 {
		t.Error("the transaction is lost")
	}
	dial(t, s).get(nil, 0, "info")
}

func TestAnswersAreDelayedAndSentSlowly(t *testing.T) {
	s := start(t, Options{})
	dev, c := developer(t, s), dial(t, s)
	took := func(do func()) time.Duration {
		begun := time.Now()
		do()
		return time.Since(begun)
	}
	info := func() { c.get(nil, 0, "info") }
	dev.dev(nil, "delay", "50ms")
	if d := took(info); d < 50*time.Millisecond {
		t.Errorf("the delayed answer took %s", d)
	}
	if d := took(func() { post(t, s, `{"id":1,"method":"info","params":[]}`) }); d < 50*time.Millisecond {
		t.Errorf("the delayed HTTP answer took %s", d)
	}
	dev.dev(nil, "delay", "1h")
	dev.get(nil, 0, "info") // the developer does not wait
	dev.dev(nil, "clear_faults")
	dev.dev(nil, "slow", 5000) // bytes per second
	if d := took(func() { c.get(nil, 0, "get_accounts", []any{"1.2.16"}) }); d < 100*time.Millisecond {
		t.Errorf("some 700 bytes took %s", d)
	}
	dev.dev(nil, "slow", 1)
	dev.dev(nil, "clear_faults")
	info() // nobody waits for an hour, or for a byte a second
	dev.refused(54, "sandbox", "delay", []any{})
	dev.refused(0, "sandbox", "delay", "-1s")
}

// A slow connection that is given up ends at once, although much is unsent.
func TestSlowConnectionCanBeClosed(t *testing.T) {
	s := start(t, Options{})
	s.Slow(100)
	client := &http.Client{Timeout: 100 * time.Millisecond, Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Post(s.HTTPURL(), "application/json", strings.NewReader(`{"id":1,"method":"list_operations","params":[]}`))
	if err == nil {
		_, err = io.ReadAll(r.Body)
		r.Body.Close()
	}
	if err == nil {
		t.Error("a long answer arrived at once")
	}
}

func TestNextBroadcastIsRefusedAsTold(t *testing.T) {
	s := start(t, Options{})
	dev, c := developer(t, s), dial(t, s).enable()
	dev.dev(nil, "refuse_broadcast", 10, "a story")
	dev.dev(nil, "refuse_broadcast", 411, "another")
	op := &ledger.TransferObsoleteOp{From: c.account("alice").ID, To: c.account("bobby").ID, Amount: ledger.AssetAmount{Amount: 5}}
	tx := c.pay(DemoKeys()[0].Key, op)
	if e := c.refused(10, "network_broadcast", "broadcast_transaction", tx); !strings.Contains(e.Message, "a story") {
		t.Errorf("the error is %s", e.Message)
	}
	c.refused(411, "network_broadcast", "broadcast_transaction", tx)
	c.get(nil, "network_broadcast", "broadcast_transaction", tx)
	dev.refused(0, "sandbox", "refuse_broadcast", 99999, "no such code")
}

func TestItPosesAsAnotherChain(t *testing.T) {
	s := start(t, Options{})
	dev, c := developer(t, s), dial(t, s)
	other := strings.Repeat("ab", 32)
	dev.dev(nil, "pose_as", other)
	var id ledger.ChainID
	c.get(&id, 0, "get_chain_id")
	var properties struct {
		ChainID ledger.ChainID `json:"chain_id"`
	}
	c.get(&properties, 0, "get_chain_properties")
	if id.String() != other || properties.ChainID != id {
		t.Errorf("it poses as %s and %s", id, properties.ChainID)
	}
	dev.dev(nil, "pose_as", nil)
	c.get(&id, 0, "get_chain_id")
	if id != s.ChainID() {
		t.Errorf("it still poses as %s", id)
	}
}

func TestDropPlanConcernsNewLinesToo(t *testing.T) {
	s := start(t, Options{})
	s.DropAfter(1, 1000)
	for range 3 {
		c := dial(t, s)
		c.get(nil, 0, "info")
		c.send(`{"id":2,"method":"info","params":[]}`)
		_ = c.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, _, err := c.conn.ReadMessage(); err == nil || websocket.IsCloseError(err, websocket.CloseNormalClosure) {
			t.Errorf("the line ended with %v", err)
		}
	}
}
