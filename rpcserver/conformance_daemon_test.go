package rpcserver_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"

	"github.com/gorilla/websocket"
)

// recordedDaemon is a real websocket server that answers as the recorded daemon did at
// one exchange of the recording.
type recordedDaemon struct {
	rec *recording

	mu     sync.Mutex
	at     int      // index of the exchange
	missed []string // calls for which the recording has no answer
	sent   []string // broadcast transactions

	clock   time.Time // the last result of now; zero = none
	clockAt int       // for this exchange
}

func (d *recordedDaemon) move(at int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at = at
}

// now returns about when the exchange was made: one second after the time of the head
// block in the daemon's answer nearest to it.
func (d *recordedDaemon) now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.clock.IsZero() || d.clockAt != d.at {
		var head struct{ Time ledger.Time }
		if a, ok := d.rec.nearest("get_dynamic_global_properties []", d.at); ok {
			_ = json.Unmarshal(a.result, &head)
		}
		d.clock, d.clockAt = head.Time.Time().Add(time.Second), d.at
	}
	return d.clock
}

// serve starts the daemon; stop closes its connections and waits for them.
func (d *recordedDaemon) serve(t testing.TB) (url string, stop func()) {
	t.Helper()
	var lines sync.WaitGroup
	upgrader := websocket.Upgrader{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lines.Add(1)
		defer lines.Done()
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		d.serveConn(conn)
	}))
	return "ws" + strings.TrimPrefix(server.URL, "http"), func() {
		server.Close()
		lines.Wait()
	}
}

// serveConn answers calls until the client hangs up.
func (d *recordedDaemon) serveConn(conn *websocket.Conn) {
	for {
		var frame struct {
			ID     uint64
			Params [3]json.RawMessage
		}
		if conn.ReadJSON(&frame) != nil {
			return
		}
		var method string
		_ = json.Unmarshal(frame.Params[1], &method)
		reply := map[string]any{"id": frame.ID}
		if a := d.answer(method, frame.Params[2]); a.error != nil {
			reply["error"] = a.error
		} else {
			reply["result"] = a.result
		}
		if conn.WriteMessage(websocket.TextMessage, []byte(encoded(reply))) != nil {
			return
		}
	}
}

// greeting answers the calls of every new connection; the results are numbers of API sets.
var greeting = map[string]string{
	"login": "true", "database": "2", "history": "3", "network_broadcast": "4",
	"get_chain_id": `"` + recordedChain + `"`, "set_block_applied_callback": "null",
}

// answer tries all sources of answers. It holds the mutex for the other methods.
func (d *recordedDaemon) answer(method string, params json.RawMessage) answered {
	if text, known := greeting[method]; known {
		return answered{result: json.RawMessage(text)}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, try := range []func(string, json.RawMessage) (answered, bool){d.broadcast, d.page, d.recorded, d.composed} {
		if a, ok := try(method, params); ok {
			return a
		}
	}
	d.missed = append(d.missed, callKey(method, params))
	return answered{error: json.RawMessage(`{"code":1,"message":"not in the recording","data":{"code":1,"name":"unrecorded","message":"not in the recording","stack":[]}}`)}
}

func (d *recordedDaemon) recorded(method string, params json.RawMessage) (answered, bool) {
	return d.rec.nearest(callKey(method, params), d.at)
}

// broadcast answers a broadcast as in this exchange whatever the bytes, since reference
// block, nonce and signatures are never the same.
func (d *recordedDaemon) broadcast(method string, params json.RawMessage) (answered, bool) {
	for _, c := range d.rec.exchanges[d.at].broadcasts() {
		if c.Method == method {
			d.sent = append(d.sent, compact(params))
			return answered{result: c.Result, error: c.Error}, true
		}
	}
	return answered{}, false
}

// composed answers a call for a list from recorded answers for its elements.
func (d *recordedDaemon) composed(method string, params json.RawMessage) (answered, bool) {
	var lists [][]json.RawMessage
	if !elementwise[method] || json.Unmarshal(params, &lists) != nil || len(lists) != 1 {
		return answered{}, false
	}
	out := make([]json.RawMessage, len(lists[0]))
	for i, asked := range lists[0] {
		a, ok := d.rec.nearest(elementKey(method, asked), d.at)
		if !ok {
			return answered{}, false
		}
		out[i] = a.result
	}
	return answered{result: json.RawMessage(encoded(out))}, true
}

// page makes a page of history out of the pages of this exchange, which the reference
// read in other sizes.
func (d *recordedDaemon) page(method string, params json.RawMessage) (answered, bool) {
	var asked [4]json.RawMessage
	if method != "get_account_history" || json.Unmarshal(params, &asked) != nil {
		return answered{}, false
	}
	var limit int
	var stop, start ledger.HistoryID
	for i, to := range []any{nil, &stop, &limit, &start} {
		if i > 0 && json.Unmarshal(asked[i], to) != nil {
			return answered{}, false
		}
	}
	rows, known := d.history(compact(asked[0]))
	out := []json.RawMessage{}
	for _, row := range rows {
		if len(out) < limit && (start == 0 || row.id <= start) && (stop == 0 || row.id > stop) {
			out = append(out, row.raw)
		}
	}
	return answered{result: json.RawMessage(encoded(out))}, known
}

type historyRow struct {
	id  ledger.HistoryID
	raw json.RawMessage
}

// history returns the rows of an account in this exchange, newest first.
func (d *recordedDaemon) history(account string) (rows []historyRow, known bool) {
	seen := map[ledger.HistoryID]bool{}
	for _, c := range d.rec.exchanges[d.at].Daemon {
		var params, page []json.RawMessage
		if c.Method != "get_account_history" || json.Unmarshal(c.Params, &params) != nil || compact(params[0]) != account {
			continue
		}
		known = true
		_ = json.Unmarshal(c.Result, &page)
		for _, raw := range page {
			var r struct{ ID ledger.HistoryID }
			if json.Unmarshal(raw, &r) == nil && !seen[r.ID] {
				seen[r.ID] = true
				rows = append(rows, historyRow{r.ID, raw})
			}
		}
	}
	return rows, known
}
