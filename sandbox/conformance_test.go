package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
)

// TestDaemonConformance goes through the recorded session in order: everything
// that the node told the reference wallet, and every call made straight to it
// (testdata/daemon.jsonl), is asked again of a sandbox that makes the same
// blocks of the same transactions. Each answer must equal the node's, or differ
// exactly as the second table of docs/differences.md says.
func TestDaemonConformance(t *testing.T) {
	r := &replay{scenario: newScenario(t, ""), listed: readDifferences(t)}
	cases := readWalletCases(t)
	last := slices.IndexFunc(cases, func(x walletCase) bool { return x.Case == 512 })
	counts := outcomeCounts{}
	for i := range cases[:last] {
		if cases[i].Case == 505 {
			r.transferMany()
		}
		r.replayWallet(cases[i], cases[i+1:], counts)
	}
	direct := outcomeCounts{}
	r.replayDaemon(cases[last], direct)
	t.Logf("\nwhat the node told the reference wallet (testdata/conformance/wallet.jsonl)\n%s", counts)
	t.Logf("\ncalls made straight to the node (testdata/daemon.jsonl)\n%s\n%s", direct, r.listed)
	r.listed.complain(t)
}

// replay is a recorded ledger that is being asked.
type replay struct {
	*scenario
	listed *differences
}

// replayWallet asks what the wallet asked in one case. When a call does not say
// at which block it was made, any between the last that was told and the next
// will do.
func (r *replay) replayWallet(x walletCase, later []walletCase, count outcomeCounts) {
	r.t.Helper()
	for i := range x.Daemon {
		call := &x.Daemon[i]
		if call.Method == "" {
			continue // a notice
		}
		if num := call.head(r.t); num > 0 {
			r.mineTo(num)
		}
		ask := func() judged { return judgedAnswer(r.t, r.wallet.ask(call.Set, call.Method, call.Params)) }
		if call.Method == "broadcast_transaction" {
			ask = func() judged { return r.broadcast(call) }
		}
		where := fmt.Sprintf("wallet case %d", x.Case)
		want := judgedAnswer(r.t, answer{Result: call.Result, Error: readError(r.t, call.Error)})
		got := ask()
		until := nextHead(r.t, x.Daemon[i+1:], later)
		for r.listed.judge(0, call.Method, want, got) == different && r.s.head().HeadBlockNumber < until {
			r.mineTo(r.s.head().HeadBlockNumber + 1)
			got = ask()
		}
		r.judge(where, call.Method, 0, string(call.Params), want, got, count)
	}
}

// judge counts an answer, and fails the test when it differs.
func (r *replay) judge(where, method string, number int, asked string, want, got judged, count outcomeCounts) {
	r.t.Helper()
	outcome := r.listed.judge(number, method, want, got)
	count.add(method, outcome)
	if outcome == different {
		r.t.Errorf("%s at block %d: %s %s\n got %s\nwant %s", where, r.s.head().HeadBlockNumber, method, short(asked), short(encoded(got)),
			short(encoded(want)))
	}
}

// broadcast sends the recorded transaction.
func (r *replay) broadcast(call *nodeCall) judged {
	r.t.Helper()
	tx := call.transaction(r.t)
	return judgedAnswer(r.t, r.wallet.call(call.Set, call.Method, r.current(&tx)))
}

// nextHead is the first block number that is told by a call of rest, or of a
// later case.
func nextHead(t *testing.T, rest []nodeCall, later []walletCase) uint32 {
	for i := range rest {
		if num := rest[i].head(t); num > 0 {
			return num
		}
	}
	if len(later) == 0 {
		return 0
	}
	return nextHead(t, later[0].Daemon, later[1:])
}

// replayDaemon makes the direct calls. Two transactions that the wallet had
// made are broadcast in between: that of case 511, with a callback, before case
// 88, and that of case 512 before the notices of case 91.
func (r *replay) replayDaemon(sent walletCase, count outcomeCounts) {
	r.t.Helper()
	c := dial(r.t, r.s)
	for _, x := range readRecorded(r.t) {
		switch x.Case {
		case 11: // two logins that are not in the file
			c.get(nil, 1, "messaging")
			c.get(nil, 1, "monitoring")
		case 88:
			c.ask("network_broadcast", "broadcast_transaction_with_callback", []byte(encoded([]any{77, r.unsent(x)})))
		case 91:
			r.replayWallet(sent, nil, outcomeCounts{})
			r.mineTo(54)
			c.ask(0, "info", []byte(`[]`)) // what was to be told has been
		}
		r.direct(c, x, count)
	}
}

// unsent is the transaction of wallet case 511, which case 88 repeats.
func (r *replay) unsent(x recorded) *ledger.SignedTransaction {
	var request struct{ Params [3]json.RawMessage }
	var args [1]ledger.SignedTransaction
	if json.Unmarshal(x.Request, &request) != nil || json.Unmarshal(request.Params[2], &args) != nil {
		r.t.Fatalf("case %d holds no transaction", x.Case)
	}
	return r.current(&args[0])
}

// direct makes one direct call.
func (r *replay) direct(c *client, x recorded, count outcomeCounts) {
	r.t.Helper()
	where := fmt.Sprintf("case %d", x.Case)
	switch {
	case x.Transport == "http":
		var body string
		var response struct{ Body string }
		if json.Unmarshal(x.Request, &body) != nil || json.Unmarshal(x.Response, &response) != nil {
			r.t.Fatalf("%s cannot be read", where)
		}
		r.judge(where, "(over HTTP)", x.Case, body, judgedText(r.t, response.Body), judgedText(r.t, post(r.t, r.s, body)), count)
	case x.Notices != nil:
		got := make([]json.RawMessage, len(c.notices))
		copy(got, c.notices)
		r.judge(where, "(notices)", x.Case, "", judged{"notices": decode(r.t, []byte(encoded(x.Notices)))},
			judged{"notices": decode(r.t, []byte(encoded(got)))},
			count)
	default:
		set, method, params := r.adapted(x)
		var want answer
		if err := json.Unmarshal(x.Response, &want); err != nil {
			r.t.Fatal(err)
		}
		r.judge(where, method, x.Case, string(params), judgedAnswer(r.t, want), judgedAnswer(r.t, c.ask(set, method, params)), count)
	}
}

// adapted is the call of a case, with the name of the set where the recording
// has a connection's own number, and with the reference block of this ledger
// where a transaction is to be taken.
func (r *replay) adapted(x recorded) (set any, method string, params json.RawMessage) {
	r.t.Helper()
	var request struct {
		Method string            `json:"method"`
		Params []json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(x.Request, &request); err != nil {
		r.t.Fatal(err)
	}
	if request.Method != "call" {
		return 0, request.Method, []byte(encoded(request.Params))
	}
	_ = json.Unmarshal(request.Params[1], &method)
	if set = json.RawMessage(request.Params[0]); x.Set != "" {
		set = x.Set
	}
	if params = request.Params[2]; x.Case == 82 || x.Case == 88 {
		params = []byte(encoded([]any{r.unsent(x)}))
	}
	return set, method, params
}

// outcomeCounts count outcomes by method.
type outcomeCounts map[string]*outcomeCount

type outcomeCount struct{ equal, listed, different int }

func (ts outcomeCounts) add(method string, o outcome) {
	if ts[method] == nil {
		ts[method] = &outcomeCount{}
	}
	switch t := ts[method]; o {
	case equal:
		t.equal++
	case listed:
		t.listed++
	default:
		t.different++
	}
}

// String is the table.
func (ts outcomeCounts) String() string {
	var b strings.Builder
	row := func(name string, t outcomeCount) {
		fmt.Fprintf(&b, "%-42s %6d %7d %10d\n", name, t.equal, t.listed, t.different)
	}
	fmt.Fprintf(&b, "%-42s %6s %7s %10s\n", "call", "equal", "listed", "DIFFERENT")
	var names []string
	var sum outcomeCount
	for name, t := range ts {
		names = append(names, name)
		sum = outcomeCount{sum.equal + t.equal, sum.listed + t.listed, sum.different + t.different}
	}
	slices.Sort(names)
	for _, name := range names {
		row(name, *ts[name])
	}
	row("all", sum)
	return b.String()
}
