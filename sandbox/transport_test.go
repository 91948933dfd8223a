package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/api"

	"github.com/gorilla/websocket"
)

func TestCallsWithoutIDAndBadFramesAreNotAnswered(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s)
	for _, frame := range []string{
		`{"method":"get_chain_id","params":[]}`, `not json`, `[]`, `7`, `""`, `null`,
		`{"id":"seven","method":"get_chain_id","params":[]}`, `{"id":-1,"method":"get_chain_id","params":[]}`,
		`{"id":01,"method":"get_chain_id","params":[]}`,
		`{"id":1,"method":"get_chain_id","params":{}}`, `{"id":1,"method":"get_chain_id","params":null}`,
		`{"id":1.5,"method":"info","params":[]}`,
	} {
		c.send(frame)
	}
	c.send(`{"id":42,"method":"info","params":[]}`)
	if a := c.receive(); *a.ID != 42 || string(a.Result) != `"database_api"` {
		t.Errorf("the first answer is %+v", a)
	}
}

func TestArgumentsAndLimits(t *testing.T) {
	s := startDemo(t, Options{})
	c := dial(t, s).enable()
	c.refused(50, 0, "get_account_balances", "1.2.4")
	c.refused(54, 0, "get_accounts", []any{"1.3.0"})
	c.refused(208, 0, "lookup_accounts", "", 1001)
	c.refused(208, 0, "list_assets", "", 101)
	c.refused(208, 0, "get_blocks", 1, 4000000000)
	c.refused(208, "history", "get_account_history", "1.2.17", "1.7.0", 101, "1.7.0")
	c.refused(103, "history", "get_relative_account_history", "1.2.99999", 0, 10, 0)
	c.refused(209, 0, "get_named_account_balances", "nobody-here", []any{})
	c.refused(206, 0, "get_transaction", 9999, 0)
	c.refused(207, 0, "get_transaction", 1, 0)
	c.refused(54, "network_broadcast", "broadcast_transaction", map[string]any{"operations": []any{[]any{99, map[string]any{}}}})
	var list []string
	c.get(&list, 0, "get_accounts", []any{}, "a surplus argument")
}

func TestSetsAreEnabledPerConnectionAfterLogin(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s)
	var id, again int
	c.refused(55, "history", "info")
	c.refused(204, 1, "history")
	c.get(nil, "login_api", "login", "any", "body")
	c.get(&id, 1, "history")
	c.get(&again, "login", "history")
	if id < 2 || id != again {
		t.Errorf("the ids are %d and %d", id, again)
	}
	c.get(nil, id, "info")
	c.get(nil, "history_api", "info")
	c.refused(204, 1, "network_node")
	dial(t, s).refused(52, id, "info")
}

func TestHTTPServesTheDatabaseAlone(t *testing.T) {
	s := start(t, Options{})
	if got := post(t, s, `{"jsonrpc":"2.0","id":3,"method":"info","params":[]}`); got != `{"id":3,"result":"database_api"}` {
		t.Errorf("got %s", got)
	}
	for _, body := range []string{
		`{"id":1,"method":"call","params":[1,"login",["",""]]}`,
		`{"id":1,"method":"call","params":["network_broadcast","info",[]]}`,
	} {
		if got := post(t, s, body); !strings.Contains(got, `"error":{"code":5`) {
			t.Errorf("%s is answered %s", body, got)
		}
	}
	if got := post(t, s, `{"method":"info","params":[]}`); got != "" {
		t.Errorf("a call without id is answered %q", got)
	}
	if got := post(t, s, strings.Repeat("[", maxFrame+1)); !strings.HasPrefix(got, "4 parse_error") {
		t.Errorf("a giant request is answered %q", got)
	}
}

func TestForeignHostIsRefused(t *testing.T) {
	s := start(t, Options{})
	for host, want := range map[string]int{"evil.example": 403, "localhost:8090": 200, "[::1]:8090": 200} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.HTTPURL(), strings.NewReader(`{"id":1,"method":"info","params":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Host, r.Close = host, true
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: status %d, want %d", host, answer.StatusCode, want)
		}
	}
}

func TestGiantFrameEndsOnlyItsConnection(t *testing.T) {
	s := start(t, Options{})
	good, bad := dial(t, s), dial(t, s)
	_ = bad.conn.WriteMessage(websocket.TextMessage, make([]byte, maxFrame+1))
	if _, _, err := bad.conn.ReadMessage(); err == nil {
		t.Error("the giant frame was answered")
	}
	good.get(nil, 0, "info")
}

// A client that wants blocks but never reads must not hold up the others.
func TestSlowReaderIsCutOff(t *testing.T) {
	s := start(t, Options{})
	slow, good := dial(t, s).enable(), dial(t, s)
	slow.get(nil, 0, "set_pending_transaction_callback", 1)
	alice := slow.account("alice").ID
	bobby := slow.account("bobby").ID
	memo := ledger.PlainMemo(strings.Repeat("x", 3000))
	tx := good.pay(DemoKeys()[0].Key,
		&ledger.TransferObsoleteOp{From: alice, To: bobby, Amount: ledger.AssetAmount{Amount: 1}, Memo: &memo})
	for range 40000 {
		s.hub.transactionPending(tx)
		s.hub.mu.Lock()
		n := len(s.hub.open)
		s.hub.mu.Unlock()
		if n == 1 {
			good.get(nil, 0, "info")
			return
		}
	}
	t.Error("the slow reader is still connected")
}

func TestBlocksComeByTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Options{BlockTime: 2 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		before := s.head()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- s.Run(ctx) }()
		time.Sleep(11 * time.Second)
		synctest.Wait()
		after := s.head()
		if after.HeadBlockNumber != before.HeadBlockNumber+5 || after.Time != before.Time+10 {
			t.Errorf("after 11 s the head is %d at %s, it was %d at %s", after.HeadBlockNumber, after.Time, before.HeadBlockNumber,
				before.Time)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestSecondListenerOnThePortIsRefusedWithAdvice(t *testing.T) {
	s := start(t, Options{})
	_, err := New(Options{Listen: strings.TrimPrefix(s.URL(), "ws://")})
	if err == nil || !strings.Contains(err.Error(), "choose another address") {
		t.Errorf("got %v", err)
	}
}

func FuzzAnswer(f *testing.F) {
	s, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	for _, entry := range api.Database().Listing() {
		name := entry.([]any)[0]
		f.Add([]byte(fmt.Sprintf(`{"id":1,"method":%q,"params":["1.2.4",["1.3.0"],5,"1.7.0"]}`, name)))
	}
	f.Add([]byte(`{"id":1,"method":"call","params":[0,"get_objects",[["2.0.0","1.2.3"]]]}`))
	f.Fuzz(func(t *testing.T, frame []byte) {
		session := s.server.newPost()
		reply := session.reply(frame)
		if reply == nil {
			return
		}
		if err := codec.Unmarshal(reply, new(struct {
			ID uint64 `json:"id"`
		})); err != nil {
			t.Fatalf("the reply %q is no JSON with the id: %v", reply, err)
		}
	})
}
