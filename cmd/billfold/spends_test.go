//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore/testwallet"
)

// refusedByLedger are the spends of testdata/operations.txt that the ledger refuses, with the reason. They must have
// no effect however often they are requested.
var refusedByLedger = map[string]string{
	"create_monitored_asset":      "the miners alone may sign it",
	"update_monitored_asset":      "ART is not monitored",
	"publish_asset_feed":          "ART is not monitored",
	"request_to_buy":              "there is no such content",
	"leave_rating_and_comment":    "there is no such content",
	"content_cancellation":        "there is no such content",
	"subscribe_to_author":         "bobby cannot be subscribed to",
	"subscribe_by_author":         "bobby cannot be subscribed to",
	"propose_builder_transaction": "the miners alone may pay for it",
	"propose_parameter_change":    "it expires before its review begins",
	"propose_fee_change":          "it expires before its review begins",
}

// lastSpends come last, in this order, because they remove what other spends need.
var lastSpends = []string{"update_non_fungible_token_data", "transfer_non_fungible_token_data", "burn_non_fungible_token_data",
	"update_non_fungible_token", "update_user_issued_asset", "update_account_keys", "update_account_keys_to_multisig"}

// Every spend of the catalogue is made with a request key, the wallet is killed, and each is requested again under its
// key. The answers name the same transactions, and the ledger has exactly these, each once.
func TestEverySpendActsOnceThroughAKill(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	behind := func() time.Time { return time.Now().Add(-20 * time.Second) } // each block is one second after the previous one
	box := testwallet.Ledger(t, sandbox.Options{Now: behind})
	on := testwallet.On(t, box, box.URL(), nil)
	on.Hold("alice")
	on.Mine()
	on.Furnish()
	from := on.Status().Head
	dir := testwallet.Folder(t)
	w := startOn(t, dir, on.Box.URL())
	w.ok("set_password", "soak")
	w.unlock()
	for _, name := range []string{"alice", "bobby"} {
		w.ok("import_single_key", name, testwallet.Key(name).WIF())
	}
	calls := spendRows(t, w.construct())
	first := map[string]string{}
	for _, c := range calls {
		if slices.Contains(lastSpends, c.name) {
			on.Mine()
		}
		first[c.name] = w.spend(c)
	}
	on.Mine()
	w.dumped = true // it does not end normally
	must(t, w.cmd.Process.Signal(syscall.SIGKILL))
	for range w.seen { // until it has ended
	}
	w = startOn(t, dir, on.Box.URL())
	w.unlock()
	made := map[string]bool{}
	for _, c := range calls {
		again := w.spend(c)
		if again != first[c.name] || (again == "") != (refusedByLedger[c.name] != "") {
			t.Errorf("%s made %q, and asked again %q", c.name, first[c.name], again)
		}
		made[first[c.name]] = true
	}
	delete(made, "")
	on.Mine()
	for _, block := range on.Box.Blocks()[from:] {
		for i := range block.Transactions {
			id, err := block.Transactions[i].ID()
			must(t, err)
			if !made[id.String()] {
				t.Errorf("a block holds %s, which is no first outcome, or was there before", id)
			}
			delete(made, id.String())
		}
	}
	if len(made) > 0 {
		t.Errorf("the ledger lacks %v", made)
	}
}

// spendRow is a spend of testdata/operations.txt.
type spendRow struct {
	name   string
	params []json.RawMessage
}

// spendRows returns all spends, those in lastSpends at the end.
func spendRows(t *testing.T, handle string) (rows []spendRow) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/operations.txt")
	must(t, err)
	filled := strings.NewReplacer("{handle}", handle, "{key}", testwallet.Key("alice").Public().String(),
		"{soon}", ledger.TimeOf(time.Now().Add(time.Hour)).String()).Replace(string(text))
	for line := range strings.Lines(filled) {
		call, _, _ := strings.Cut(line, " = ")
		words := strings.Fields(call)
		if len(words) > 3 && slices.Contains([]string{"pay", "sum", "spend", "keyspend"}, words[1]) {
			row := spendRow{name: words[0]}
			must(t, json.Unmarshal([]byte(call[strings.IndexByte(call, '['):]), &row.params))
			row.params = append(row.params[:len(row.params)-1], json.RawMessage("true"), json.RawMessage(`"key of `+row.name+`"`))
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b spendRow) int {
		return slices.Index(lastSpends, a.name) - slices.Index(lastSpends, b.name)
	})
	return rows
}

// spender is a wallet process.
type spender struct {
	*process
	remote
}

func startOn(t *testing.T, dir, daemon string) *spender {
	t.Helper()
	p := start(t, "--daemon-url="+daemon, "--data-dir="+dir, "--rpc-http=127.0.0.1:0")
	w := &spender{p, remote{t, p.line(`^wallet API over HTTP on (http://\S+)$`)}}
	w.until("1.2.", "get_account", "alice")
	return w
}

func (w *spender) unlock() { w.ok("unlock", "soak") }

// construct puts a transfer under construction, where a kill leaves it, and returns its handle.
func (w *spender) construct() (handle string) {
	handle = w.ok("begin_builder_transaction")
	w.post("add_operation_to_builder_transaction", []json.RawMessage{json.RawMessage(handle), json.RawMessage(
		`[0,{"fee":{"amount":100000,"asset_id":"1.3.0"},"from":"1.2.16","to":"1.2.17","amount":{"amount":2,"asset_id":"1.3.0"}}]`)})
	return handle
}

// spend makes a call and returns the id of the transaction, "" if it is refused.
func (w *spender) spend(c spendRow) string {
	out := w.post(c.name, c.params)
	var signed struct {
		ID string `json:"transaction_id"`
	}
	if out.Error != nil {
		w.process.t.Logf("%s: %s", c.name, out.Error.Message)
		return ""
	}
	must(w.process.t, json.Unmarshal(out.Result, &signed))
	return signed.ID
}

// post makes a call with parameters of any type.
func (w *spender) post(method string, params []json.RawMessage) (out reply) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	must(w.process.t, err)
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Post(w.url, "application/json", bytes.NewReader(body))
	must(w.process.t, err)
	defer answer.Body.Close()
	must(w.process.t, json.NewDecoder(answer.Body).Decode(&out))
	return out
}
