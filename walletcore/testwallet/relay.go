package testwallet

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/sandbox"
	"billfold/walletcore"

	"github.com/gorilla/websocket"
)

// Relay is between wallet and ledger. It can break connections and change the ledger's answers. Set changes its fields.
type Relay struct {
	URL string

	To   string                     // the address of the daemon that new connections lead to
	Down bool                       // new connections are refused
	Cut  string                     // break the connection instead of passing on the answer to the next request that contains this text
	Lose string                     // break the connection instead of passing on the next request that contains this text
	Swap func(answer string) string // changes every answer; nil for none
	Seen func(request string)       // called with every request before it is passed on; nil for none

	// Lie changes the result of an answer; nil for none. It returns the result unchanged where it has nothing to say.
	Lie func(q Question, result json.RawMessage) json.RawMessage

	mu     sync.Mutex
	failed string         // the request that FailCall has fail
	calls  map[string]int // requests so far, by the name of the call
	conns  map[*websocket.Conn]bool
	work   sync.WaitGroup
}

// Question is a call that the wallet makes of its daemon.
type Question struct {
	Method string
	Args   string // as JSON
}

// RelayTo starts a relay to the daemon at target.
func RelayTo(t testing.TB, target string) *Relay {
	t.Helper()
	r := &Relay{To: target, conns: map[*websocket.Conn]bool{}, calls: map[string]int{}}
	server := httptest.NewServer(http.HandlerFunc(r.serve))
	r.URL = "ws" + strings.TrimPrefix(server.URL, "http")
	t.Cleanup(func() {
		r.HangUp(true)
		server.Close()
		r.work.Wait()
	})
	return r
}

// HangUp breaks all connections; down makes it refuse new ones from then on.
func (r *Relay) HangUp(down bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Down = down
	for conn := range r.conns {
		conn.Close()
	}
}

// Set changes the relay.
func (r *Relay) Set(change func(*Relay)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(r)
}

func (r *Relay) serve(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	down, target := r.Down, r.To
	r.mu.Unlock()
	if down {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close() // as if nobody answered
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
	r.conns[near], r.conns[far] = true, true
	r.mu.Unlock()
	var cutting atomic.Pointer[string] // the id of the request whose answer is dropped
	asked := map[string]Question{}     // by the id of the request
	r.work.Go(func() {
		pump(near, far, func(text string) (string, bool) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.count(text)
			if r.Seen != nil {
				r.Seen(text)
			}
			if r.Lie != nil {
				asked[frameID(text)] = questionOf(text)
			}
			if r.Cut != "" && strings.Contains(text, r.Cut) {
				id := frameID(text)
				cutting.Store(&id)
				r.Cut = ""
			}
			lost := r.Lose != "" && strings.Contains(text, r.Lose)
			if lost {
				r.Lose = ""
			}
			return text, !lost
		})
	})
	pump(far, near, func(text string) (string, bool) {
		if id := cutting.Load(); id != nil && *id == frameID(text) {
			return "", false
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.Swap != nil {
			text = r.Swap(text)
		}
		id := frameID(text)
		if q, ok := asked[id]; ok {
			delete(asked, id)
			text = r.lieAbout(q, text)
		}
		return text, true
	})
}

// lieAbout returns an answer with the result that Lie makes of it.
func (r *Relay) lieAbout(q Question, frame string) string {
	var answer map[string]json.RawMessage
	if r.Lie == nil || json.Unmarshal([]byte(frame), &answer) != nil || answer["result"] == nil {
		return frame
	}
	answer["result"] = r.Lie(q, answer["result"])
	text, err := json.Marshal(answer)
	if err != nil {
		return frame
	}
	return string(text)
}

// questionOf reads a request.
func questionOf(frame string) (q Question) {
	var call struct {
		Params []json.RawMessage `json:"params"`
	}
	if json.Unmarshal([]byte(frame), &call) == nil && len(call.Params) == 3 {
		_ = json.Unmarshal(call.Params[1], &q.Method) // what is not a call has no name
		q.Args = string(call.Params[2])
	}
	return q
}

// count counts a request by the name of its call.
func (r *Relay) count(frame string) {
	var call struct {
		Params []json.RawMessage `json:"params"`
	}
	var method string
	if json.Unmarshal([]byte(frame), &call) == nil && len(call.Params) > 1 && json.Unmarshal(call.Params[1], &method) == nil {
		r.calls[method]++
	}
}

// frameID returns the id of a call or an answer, "" for a notice.
func frameID(frame string) string {
	var f struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal([]byte(frame), &f) // text that is not JSON has no id
	return string(f.ID)
}

// Calls returns the requests made while do runs, by the name of the call.
func (r *Relay) Calls(do func()) (calls map[string]int, all int) {
	r.Set(func(r *Relay) { clear(r.calls) })
	do()
	r.Set(func(r *Relay) { calls = maps.Clone(r.calls) })
	for _, n := range calls {
		all += n
	}
	return calls, all
}

// pump passes frames on until one side ends or pass returns false; then both end.
func pump(from, to *websocket.Conn, pass func(string) (string, bool)) {
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

// Clock is a clock that the test sets.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock returns a clock that is stopped at the present.
func NewClock() *Clock { return &Clock{at: time.Now()} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Forward advances the clock by d.
func (c *Clock) Forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// OpenBehindRelay returns an unlocked wallet of alice that reaches its ledger through a relay. Wallet and ledger use the clock.
func OpenBehindRelay(t testing.TB) (*Wallet, *Relay, *Clock) {
	t.Helper()
	now := NewClock()
	box := Ledger(t, sandbox.Options{Now: now.Now})
	r := RelayTo(t, box.URL())
	w := Connect(t, filepath.Join(Folder(t), "wallet.keys"), r.URL, func(cfg *walletcore.Config) { cfg.Now = now.Now })
	w.Box = box
	Must(t, w.Client.WaitOnline(w.Ctx))
	w.Hold("alice")
	w.Mine()
	return w, r, now
}

// OpenOnTwo returns an unlocked wallet with the keys of accounts that asks quorum of two daemons of one ledger. The
// second, which it only compares with, is behind the relay.
func OpenOnTwo(t testing.TB, quorum int, log *slog.Logger, accounts ...string) (*Wallet, *Relay) {
	t.Helper()
	box := Ledger(t, sandbox.Options{})
	r := RelayTo(t, box.URL())
	config := ClientConfig("")
	config.URLs, config.Quorum, config.Pin = []string{box.URL(), r.URL}, quorum, box.URL()
	config.StaleAfter, config.ProbeInterval = -1, 10*time.Millisecond
	client := daemonclient.New(config)
	Run(t, client.Run)
	w := On(t, box, box.URL(), func(cfg *walletcore.Config) { cfg.Daemon, cfg.Logger = client, log })
	for offline := func(d daemonclient.DaemonStatus) bool { return d.State != daemonclient.Online }; w.Ctx.Err() == nil &&
		slices.ContainsFunc(client.Status().Daemons, offline); {
		time.Sleep(time.Millisecond) // a daemon in reserve comes online without an event
	}
	w.Hold(accounts...)
	w.Mine()
	return w, r
}
