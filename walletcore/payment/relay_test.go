package payment_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gorilla/websocket"
)

// relay stands between wallet and ledger and can break the line or change
// what the ledger says.
type relay struct {
	url string

	mu     sync.Mutex
	down   bool                       // new lines are refused
	cut    string                     // break the line instead of answering what holds this text
	lose   string                     // break the line instead of passing on what holds this text
	swap   func(answer string) string // changes every answer; nil = none
	calls  map[string]int             // what was asked, by the name of the call
	lines  map[*websocket.Conn]bool
	worker sync.WaitGroup
}

func relayTo(t testing.TB, target string) *relay {
	t.Helper()
	r := &relay{lines: map[*websocket.Conn]bool{}, calls: map[string]int{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { r.serve(w, req, target) }))
	r.url = "ws" + strings.TrimPrefix(server.URL, "http")
	t.Cleanup(func() {
		r.hangUp(true)
		server.Close()
		r.worker.Wait()
	})
	return r
}

// hangUp breaks all lines; down refuses new ones from then on.
func (r *relay) hangUp(down bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.down = down
	for line := range r.lines {
		line.Close()
	}
}

func (r *relay) set(change func(*relay)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(r)
}

func (r *relay) serve(w http.ResponseWriter, req *http.Request, target string) {
	r.mu.Lock()
	down := r.down
	r.mu.Unlock()
	if down {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close() // nobody answers there
		}
		return
	}
	near, err := (&websocket.Upgrader{}).Upgrade(w, req, nil)
	if err != nil {
		return
	}
	far, _, err := websocket.DefaultDialer.Dial(target, nil)
	if err != nil {
		near.Close()
		return
	}
	r.mu.Lock()
	r.lines[near], r.lines[far] = true, true
	r.mu.Unlock()
	var cutting atomic.Bool
	r.worker.Add(1)
	go func() {
		defer r.worker.Done()
		r.pump(near, far, func(text string) (string, bool) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.count(text)
			if r.cut != "" && strings.Contains(text, r.cut) {
				cutting.Store(true)
				r.cut = ""
			}
			lost := r.lose != "" && strings.Contains(text, r.lose)
			if lost {
				r.lose = ""
			}
			return text, !lost
		})
	}()
	r.pump(far, near, func(text string) (string, bool) {
		if cutting.Load() {
			return "", false
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.swap != nil {
			text = r.swap(text)
		}
		return text, true
	})
}

// count counts a call.
func (r *relay) count(frame string) {
	var call struct {
		Params []json.RawMessage `json:"params"`
	}
	var method string
	if json.Unmarshal([]byte(frame), &call) == nil && len(call.Params) > 1 && json.Unmarshal(call.Params[1], &method) == nil {
		r.calls[method]++
	}
}

// callsOf returns what is asked while do runs.
func (r *relay) callsOf(do func()) (calls map[string]int, all int) {
	r.set(func(r *relay) { clear(r.calls) })
	do()
	r.set(func(r *relay) { calls = maps.Clone(r.calls) })
	for _, n := range calls {
		all += n
	}
	return calls, all
}

// pump passes frames on until one side ends or pass says no; both end then.
func (r *relay) pump(from, to *websocket.Conn, pass func(string) (string, bool)) {
	defer from.Close()
	defer to.Close()
	for {
		kind, frame, err := from.ReadMessage()
		if err != nil {
			return
		}
		text, ok := pass(string(frame))
		if !ok || to.WriteMessage(kind, []byte(text)) != nil {
			return
		}
	}
}
