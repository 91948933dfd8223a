package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"

	"github.com/gorilla/websocket"
)

// emptyDemo is the demo's genesis; its twenty keys cost most of a start.
var emptyDemo = sync.OnceValues(func() (*Genesis, error) { return DemoGenesis(time.Now()) })

// start runs a sandbox that makes blocks only on request, for the time of the test.
// Without a genesis it has the demo's accounts, and no blocks yet: those of
// startDemo are forty signatures.
func start(t *testing.T, o Options) *Sandbox {
	t.Helper()
	if o.Genesis == nil {
		genesis, err := emptyDemo()
		if err != nil {
			t.Fatal(err)
		}
		o.Genesis = genesis
	}
	return startDemo(t, o)
}

// startDemo is start with the demo's first blocks.
func startDemo(t *testing.T, o Options) *Sandbox {
	t.Helper()
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return s
}

// client is a plain websocket client, written apart from package daemonclient.
type client struct {
	t    *testing.T
	conn *websocket.Conn
	id   int

	notices []json.RawMessage // that ask met
}

func dial(t *testing.T, s *Sandbox) *client {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial(s.URL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &client{t: t, conn: conn}
}

// answer is a reply or a notice.
type answer struct {
	ID     *int              `json:"id"`
	Result json.RawMessage   `json:"result"`
	Error  *answerError      `json:"error"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

type answerError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    struct {
		Code  int    `json:"code"`
		Name  string `json:"name"`
		Stack []struct {
			Format string         `json:"format"`
			Data   map[string]any `json:"data"`
		} `json:"stack"`
	} `json:"data"`
}

func (c *client) send(frame string) {
	c.t.Helper()
	if err := c.conn.WriteMessage(websocket.TextMessage, []byte(frame)); err != nil {
		c.t.Fatal(err)
	}
}

// receive reads one frame; it fails the test when none comes.
func (c *client) receive() (a answer) {
	c.t.Helper()
	_ = c.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, frame, err := c.conn.ReadMessage()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(frame, &a); err != nil {
		c.t.Fatalf("%v in %s", err, frame)
	}
	return a
}

// call makes one call of a set, by id or by name.
func (c *client) call(set any, method string, args ...any) answer {
	c.t.Helper()
	c.id++
	if args == nil {
		args = []any{}
	}
	frame, err := codec.Marshal(map[string]any{"id": c.id, "method": "call", "params": []any{set, method, args}})
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(string(frame))
	a := c.receive()
	if a.ID == nil || *a.ID != c.id {
		c.t.Fatalf("the answer to call %d is %+v", c.id, a)
	}
	return a
}

// ask makes a call with parameters as they are, whatever comes in between.
func (c *client) ask(set any, method string, params json.RawMessage) answer {
	c.t.Helper()
	c.id++
	name, _ := json.Marshal(set)
	c.send(fmt.Sprintf(`{"id":%d,"method":"call","params":[%s,%q,%s]}`, c.id, name, method, params))
	for {
		_ = c.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		_, frame, err := c.conn.ReadMessage()
		var a answer
		if err == nil {
			err = json.Unmarshal(frame, &a)
		}
		if err != nil {
			c.t.Fatal(err)
		}
		if a.ID != nil {
			return a
		}
		c.notices = append(c.notices, frame)
	}
}

// get makes a call that must succeed and reads its result into v,
// unless that is nil.
func (c *client) get(v any, set any, method string, args ...any) {
	c.t.Helper()
	a := c.call(set, method, args...)
	if a.Error != nil {
		c.t.Fatalf("%s: %s", method, a.Error.Message)
	}
	if v == nil {
		return
	}
	if err := codec.Unmarshal(a.Result, v); err != nil {
		c.t.Fatalf("%s: %v in %s", method, err, a.Result)
	}
}

// refused makes a call that must fail with the code, and gives the error.
func (c *client) refused(code int, set any, method string, args ...any) *answerError {
	c.t.Helper()
	a := c.call(set, method, args...)
	if a.Error == nil || a.Error.Code != code || a.Error.Data.Code != code {
		c.t.Fatalf("%s: want error %d, got %s %+v", method, code, a.Result, a.Error)
	}
	return a.Error
}

// enable logs in and enables history and network_broadcast.
func (c *client) enable() *client {
	c.t.Helper()
	var id int
	c.get(new(bool), 1, "login", "", "")
	c.get(&id, 1, "history")
	c.get(&id, 1, "network_broadcast")
	return c
}

// sign completes a transaction of the operations: reference block, fees,
// expiration, signatures.
func (c *client) sign(keys []ledger.PrivateKey, bodies ...ledger.Body) *ledger.SignedTransaction {
	c.t.Helper()
	var head ledger.DynamicGlobalProperties
	var global ledger.GlobalProperties
	var chainID ledger.ChainID
	c.get(&head, "database", "get_dynamic_global_properties")
	c.get(&global, "database", "get_global_properties")
	c.get(&chainID, 0, "get_chain_id")
	tx := &ledger.SignedTransaction{}
	tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(head.HeadBlockID)
	tx.Expiration = head.Time + 30
	for _, body := range bodies {
		op := ledger.NewOperation(body)
		if op.Fee().Amount == 0 {
			if _, err := global.Parameters.CurrentFees.SetFee(op); err != nil {
				c.t.Fatal(err)
			}
		}
		tx.Operations = append(tx.Operations, op)
	}
	resign(c.t, tx, chainID, keys...)
	return tx
}

func resign(t *testing.T, tx *ledger.SignedTransaction, chainID ledger.ChainID, keys ...ledger.PrivateKey) {
	t.Helper()
	digest, err := tx.Digest(chainID)
	if err != nil {
		t.Fatal(err)
	}
	tx.Signatures = nil
	for _, key := range keys {
		tx.Signatures = append(tx.Signatures, key.Sign(digest))
	}
}
