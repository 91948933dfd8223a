package rpcserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/rpcserver/audit"
	"billfold/rpcserver/auth/token"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/approval"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
)

// expected is a row of testdata/operations.txt: the kind of an operation, its reach,
// parameters with which it runs, and for a spend the signer.
type expected struct{ kind, reach, params, signer string }

func (e expected) spends() bool {
	return slices.Contains([]string{"pay", "sum", "spend", "buy", "keyspend"}, e.kind)
}

func expectations(t *testing.T) map[string]expected {
	t.Helper()
	text, err := os.ReadFile("../testdata/operations.txt")
	must(t, err)
	key := sandbox.DemoKeys()[0].Key.Public().String()
	soon := ledger.TimeOf(time.Now().Add(time.Hour)).String()
	all := map[string]expected{}
	filled := strings.NewReplacer("{key}", key, "{password}", testwallet.Password, "{soon}", soon).Replace(string(text))
	for line := range strings.Lines(filled) {
		if words := strings.Fields(line); len(words) > 3 && words[0] != "#" {
			call, sentence, _ := strings.Cut(line, " = ")
			signer, _, _ := strings.Cut(sentence, " ")
			if words[0] == "create_monitored_asset" { // the miners propose it
				signer = "miner-account"
			}
			all[words[0]] = expected{words[1], words[2], call[strings.IndexByte(call, '['):], signer}
		}
	}
	return all
}

// walker is a wallet behind a server.
type walker struct {
	*testing.T
	wallet *walletcore.Wallet
	queue  *approval.Queue
	server *rpcserver.Server
	client *http.Client
	conn   *websocket.Conn // of the current caller

	spends, keys int    // indexes in policies of the server's policies
	handle       string // of the person's transaction under construction
}

var policies = [...]audit.Policy{audit.Allow, audit.Ask, audit.Deny}

// transports returns the transports for a call under the walker's policies. A spend, or a call that touches keys, is tried over
// both under each policy about it, combined with a different policy about the other kind each time. A call that no policy
// decides, or that a token for one group denies in any case, is tried once. WALK=all makes every call.
func (w *walker) transports(place int, c *caller, e expected) []func(*caller, string) string {
	both := []func(*caller, string) string{w.post, w.send}
	if os.Getenv("WALK") == "all" {
		return both
	}
	other := w.spends
	switch {
	case e.kind == "later": // it has tests of its own
		return nil
	case c.group || e.kind == "read":
		if place%9 != 3*w.spends+w.keys {
			return nil
		}
		return both[place/9%2:][:1]
	case e.kind == "keyspend": // both policies apply
	case e.spends() || e.kind == "sign":
		other = w.keys
	case e.kind != "key" && w.spends != w.keys:
		return nil
	}
	return both[other:min(other+1, len(both))]
}

// caller is a token, or none, with what it permits.
type caller struct {
	name       string
	scope      token.Scope
	none       bool // without a token, where none is required
	group      bool // it may only call the reading operations of one group
	passes     func(method, group string, e expected) bool
	asks       func(e expected) string // the token's own rule about payments; "" = the policy decides
	credential string
	handle     string // of its transfer under construction; "" = none yet
}

func callers(groups []string) []*caller {
	byPolicy := func(expected) string { return "" }
	ofAlice := func(_, _ string, e expected) bool {
		return e.spends() && e.kind != "keyspend" && e.signer == "alice" || !e.spends() && e.kind != "key" && e.reach != "wallet"
	}
	list := []*caller{
		{name: "anybody", none: true, passes: func(string, string, expected) bool { return true }},
		{name: "all", passes: func(string, string, expected) bool { return true }},
		{name: "reader", scope: token.Scope{Groups: []string{"all"}}, passes: func(_, _ string, e expected) bool { return e.kind == "read" }},
		{name: "payer", scope: token.Scope{Groups: []string{"Transfers:spends"}}, passes: func(m, _ string, _ expected) bool { return m == "transfer" }},
		{name: "locker", scope: token.Scope{Groups: []string{"Wallet and keys:lock"}},
			passes: func(_, g string, e expected) bool {
				return g == "Wallet and keys" && (e.kind == "read" || e.kind == "lock")
			}},
		{name: "named", scope: token.Scope{Methods: []string{"dump_private_keys", "unlock", "transfer"}},
			passes: func(m, _ string, _ expected) bool {
				return m == "dump_private_keys" || m == "unlock" || m == "transfer"
			}},
		{
			name:   "keys",
			scope:  token.Scope{Groups: []string{"Wallet and keys:keys+password+lock"}, Accounts: []string{"alice"}},
			passes: func(_, g string, e expected) bool { return g == "Wallet and keys" && e.reach == "chain" },
		}, // limited: other operations must be named
		{name: "of alice", scope: token.Scope{Accounts: []string{"alice"}}, passes: ofAlice},
		{name: "of bobby", scope: token.Scope{Accounts: []string{"bobby"}}, passes: func(_, _ string, e expected) bool { return e.reach == "chain" }},
		{name: "small", scope: token.Scope{PerPayment: []token.Limit{{Amount: "2", Asset: "DCT"}}},
			passes: func(_, _ string, e expected) bool {
				return e.kind == "pay" || e.kind == "sum" || !e.spends() && e.kind != "key" && e.reach != "wallet"
			}},
		{
			name: "till",
			scope: token.Scope{AskAbove: []token.Limit{{Amount: "2", Asset: "DCT"}},
				AskAboveDay: []token.Limit{{Amount: "1000", Asset: "DCT"}}},
			passes: func(_, _ string, e expected) bool {
				return e.kind != "keyspend" && e.kind != "key" && (e.reach != "wallet" || e.spends())
			},
			asks: func(e expected) string {
				return map[string]string{"pay": "allow", "sum": "ask", "spend": "ask", "buy": "ask"}[e.kind]
			}},
	}
	for _, group := range groups {
		list = append(list, &caller{name: "group " + group, group: true, scope: token.Scope{Groups: []string{strings.ToLower(group)}},
			passes: func(_, g string, e expected) bool { return g == group && e.kind == "read" }})
	}
	for _, c := range list {
		if c.asks == nil {
			c.asks = byPolicy
		}
	}
	return list
}

// want returns the expected decision about a call: pass, ask or deny.
func (c *caller) want(method, group string, e expected, spends, keys string) string {
	policy := "allow"
	switch {
	case e.spends():
		if policy = spends; policy != "deny" && c.asks(e) != "" {
			policy = c.asks(e)
		}
		if e.kind == "keyspend" && (keys == "deny" || policy == "allow") {
			policy = keys
		}
	case e.kind == "sign":
		policy = spends
	case e.kind == "key":
		policy = keys
	}
	if !c.passes(method, group, e) {
		return "deny"
	}
	return map[string]string{"allow": "pass"}[policy] + strings.TrimPrefix(policy, "allow")
}

func TestOperationsDeclareWhatTheyMayDo(t *testing.T) {
	want := expectations(t)
	for _, m := range walletapi.Methods() {
		if _, known := want[m.Name]; !known {
			t.Errorf("testdata/operations.txt does not say what %s may do", m.Name)
		}
	}
}

// Every operation is called under every policy that applies to it, by every kind of caller,
// over both transports: permitted calls pass, and no others. In the
// everyday suite, TestNoWayAroundALimitedToken and TestALimitedTokenReachesNothingElse try the rules.
func TestWalkOfOperationsPoliciesAndTokens(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	want := expectations(t)
	var groups []string
	for _, m := range walletapi.Methods() {
		if !slices.Contains(groups, m.Group) {
			groups = append(groups, m.Group)
		}
	}
	folder := testwallet.Folder(t)
	on, kept := testwallet.Keeping(t, folder)
	on.Mine()
	handle := on.Furnish()
	api := walletapi.New(walletapi.Core{Wallet: on.Wallet, Versions: ledgerview.Versions{Version: "test"}})
	store, err := token.OpenStore(filepath.Join(folder, "tokens.json"))
	must(t, err)
	spent, log := token.NewSpent(kept.Limits, on.Wallet.Payments.LedgerTime), audit.NewLog(kept.Audit)
	who := callers(groups)
	for i, c := range who {
		if !c.none {
			_, c.credential, err = store.New(fmt.Sprint("t", i), c.scope)
			must(t, err)
		}
	}
	calls := 0
	for a, spends := range policies {
		for b, keys := range policies {
			for _, open := range []bool{true, false} {
				o := rpcserver.Options{
					HTTPAddr: "127.0.0.1:0", WSAddr: "127.0.0.1:0", Caller: rpcserver.CallerFunc(api.Call),
					Spends: api.Spends, Feed: rpcserver.NewFeed(),
				}
				w := &walker{T: t, wallet: on.Wallet, queue: approval.New(), client: &http.Client{Transport: &http.Transport{}},
					spends: a, keys: b, handle: handle}
				o.Decider = audit.NewDecider(audit.Rules{Spends: spends, Keys: keys, Guarded: true}, log, w.queue)
				if !open {
					o.Authenticator = token.NewAuthenticator(store, spent, token.LedgerOf(on.Wallet))
				}
				w.server, err = rpcserver.New(o)
				must(t, err)
				ctx, stop := context.WithCancel(t.Context())
				served := make(chan error, 1)
				go func() { served <- w.server.Serve(ctx) }()
				for _, c := range who {
					if c.none == open {
						calls += w.walk(c, want)
					}
				}
				w.client.CloseIdleConnections()
				stop()
				must(t, <-served)
			}
		}
	}
	if calls < len(want)*len(who) {
		t.Errorf("only %d calls were made", calls)
	}
	_, err = log.Verify(t.Context(), func(e audit.Record) {
		if strings.Contains(fmt.Sprint(e), testwallet.Password) || strings.Contains(fmt.Sprint(e), sandbox.DemoKeys()[0].Key.WIF()) {
			t.Errorf("a secret is in the log: %+v", e)
		}
	})
	must(t, err)
}

// walk makes the calls of c under the walker's policies.
func (w *walker) walk(c *caller, want map[string]expected) (calls int) {
	w.Helper()
	header := http.Header{}
	if !c.none {
		header.Set("Authorization", "Bearer "+c.credential)
	}
	conn, resp, err := websocket.DefaultDialer.Dial("ws://"+w.server.WSAddr(), header)
	must(w, err)
	must(w, resp.Body.Close())
	w.conn = conn
	defer conn.Close()
	w.construct(c)
	spends, keys := string(policies[w.spends]), string(policies[w.keys])
	for i, m := range walletapi.Methods() {
		e := want[m.Name]
		for _, over := range w.transports(i, c, e) {
			calls++
			got, text := w.outcome(func() string {
				params := strings.Replace(e.params, "{handle}", c.handle, 1)
				return over(c, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, m.Name, params))
			})
			if wanted := c.want(m.Name, m.Group, e, spends, keys); got != wanted {
				w.Errorf("spends %s, keys %s: %s calls %s: %s, want %s: %.200s", spends, keys, c.name, m.Name, got, wanted, text)
			}
		}
	}
	return calls
}

// construct makes a transfer under construction for c, once, if c may do that.
func (w *walker) construct(c *caller) {
	if c.handle != "" {
		return
	}
	c.handle = w.handle
	if c.none {
		return
	}
	var begun struct{ Result *json.Number }
	must(w, json.Unmarshal([]byte(w.post(c, `{"id":1,"method":"begin_builder_transaction","params":[]}`)), &begun))
	if begun.Result == nil {
		return
	}
	c.handle = begun.Result.String()
	w.post(c, `{"id":1,"method":"add_operation_to_builder_transaction","params":[`+c.handle+
		`,[0,{"from":"1.2.16","to":"1.2.17","amount":{"amount":1,"asset_id":"1.3.0"}}]]}`)
}

// outcome makes a call and returns how it ended. If a person is asked, the answer is no.
func (w *walker) outcome(call func() string) (what, text string) {
	w.Helper()
	if w.wallet.Vault.IsLocked() {
		must(w, w.wallet.Vault.Unlock(w.Context(), testwallet.Password))
	}
	changed := w.queue.Changed()
	answer := make(chan string, 1)
	go func() {
		defer close(answer) // even if the call itself fails the test
		answer <- call()
	}()
	select {
	case text = <-answer:
	case <-changed:
		for _, r := range w.queue.Waiting() {
			must(w, w.queue.Deny(r.Number))
		}
		return "ask", <-answer
	}
	if strings.Contains(text, `"name":"forbidden"`) {
		return "deny", text
	}
	return "pass", text
}

func (w *walker) post(c *caller, body string) string {
	req, err := http.NewRequestWithContext(w.Context(), http.MethodPost,
		(&url.URL{Scheme: "http", Host: w.server.HTTPAddr(), Path: "/rpc"}).String(), strings.NewReader(body))
	must(w, err)
	req.Header.Set("Content-Type", "application/json")
	if !c.none {
		req.SetBasicAuth("", c.credential)
	}
	resp, err := w.client.Do(req)
	must(w, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(w, err)
	return string(text)
}

func (w *walker) send(_ *caller, body string) string {
	must(w, w.conn.WriteMessage(websocket.TextMessage, []byte(body)))
	must(w, w.conn.SetReadDeadline(time.Now().Add(30*time.Second)))
	_, text, err := w.conn.ReadMessage()
	must(w, err)
	return string(text)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
