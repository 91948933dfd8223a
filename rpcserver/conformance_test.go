package rpcserver_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"billfold/walletcore/walletapi"
)

// offered returns the recorded operations of the catalogue, in its order.
func offered(rec *recording) []string {
	recorded := map[string]bool{}
	for i := range rec.exchanges {
		recorded[rec.exchanges[i].call().Method] = true
	}
	var names []string
	for _, m := range walletapi.Methods() {
		if recorded[m.Name] {
			names = append(names, m.Name)
		}
	}
	return names
}

// envelopeOnly are methods that were recorded to show the envelope.
var envelopeOnly = []string{"call", "nope", ""}

// outcomeCount counts the outcomes of one operation's conversations.
type outcomeCount struct{ equal, listed, different int }

// TestConformance replays every recorded conversation of the offered operations on its
// own, with a wallet in the state of that moment, a daemon that answers as the recorded
// one did, and the request over a socket. Each answer must equal the reference's, or
// differ exactly as docs/differences.md describes. Calls that change nothing are made
// over both transports of one wallet, alternately in either order.
func TestConformance(t *testing.T) {
	t.Parallel()
	rec := readRecording(t)
	listed := readDifferences(t)
	states := statesBefore(t, rec)
	names, counts := offered(rec), map[string]*outcomeCount{}
	var out leftOut
	for at := range rec.exchanges {
		x := &rec.exchanges[at]
		method := x.call().Method
		if !slices.Contains(names, method) && !slices.Contains(envelopeOnly, method) {
			out.add(x)
			continue
		}
		if counts[method] == nil {
			counts[method] = new(outcomeCount)
		}
		for _, transports := range together(x) {
			play(t, rec, at, states[at], func(s *fixture) {
				for _, transport := range transports {
					s.compare(x, transport, listed, counts[method])
				}
			})
		}
	}
	report(t, names, counts, listed)
	if t.Logf("one by one: %s", out); out.cases > 0 {
		t.Error("every recorded case must be compared")
	}
	listed.failUnused(t)
}

// leftOut are recorded cases that were not compared, by operation.
type leftOut struct {
	cases   int
	methods []string
}

func (l *leftOut) add(x *exchange) {
	l.cases++
	if method := x.call().Method; !slices.Contains(l.methods, method) {
		l.methods = append(l.methods, method)
	}
}

// String returns how many cases were left out, and of what.
func (l leftOut) String() string {
	if l.cases == 0 {
		return "no recorded case left out"
	}
	return fmt.Sprintf("%d recorded cases LEFT OUT, of %s", l.cases, strings.Join(l.methods, ", "))
}

// transportsOf returns both transports, or one if the recorded answer is about HTTP itself.
func transportsOf(x *exchange) []string {
	if r := x.recordedReply("http"); len(r.body) == 0 || !strings.Contains(x.body(), `"id"`) {
		return []string{x.Transport}
	}
	return []string{"ws", "http"}
}

// together returns groups of transports over which the same wallet may be called.
func together(x *exchange) [][]string {
	both := transportsOf(x)
	if len(both) > 1 && len(x.broadcasts())+len(changes(x.call())) > 0 {
		return [][]string{both[:1], both[1:]}
	}
	if x.Case%2 == 0 {
		slices.Reverse(both)
	}
	return [][]string{both}
}

// compare makes the call of an exchange and judges the answer.
func (s *fixture) compare(x *exchange, transport string, listed *differences, count *outcomeCount) {
	s.t.Helper()
	var got reply
	if transport == "ws" {
		got = s.overWS(s.bodyWithHandle(x))
	} else {
		got = s.overHTTP(s.bodyWithHandle(x))
	}
	s.inspect(x, got)
	want := x.recordedReply(transport)
	if want.status == 0 {
		got.status = 0
	}
	view := func(r reply) view { return s.daemon.viewOf(x.call().Method, r) }
	switch left := listed.judge(x.Case, func() (reference, ours judged) {
		return judged(view(want)), judged(view(got))
	}); {
	case left == "equal":
		count.equal++
	case left == "listed":
		count.listed++
	default:
		count.different++
		s.t.Errorf("case %d over %s: %s\n     asked %s", x.Case, transport, left, short(x.body()))
	}
}

// inspect checks what holds for every exchange: the daemon got no call that the reference
// never made, exactly the answered transaction was broadcast, and an error repeats no key
// of the request.
func (s *fixture) inspect(x *exchange, got reply) {
	s.t.Helper()
	var answer struct {
		Result map[string]any
		Error  json.RawMessage
	}
	_ = json.Unmarshal(got.body, &answer)
	s.daemon.mu.Lock()
	defer s.daemon.mu.Unlock()
	if len(s.daemon.missed) > 0 {
		s.t.Errorf("case %d: the recorded daemon cannot answer %v", x.Case, s.daemon.missed)
	}
	if len(s.daemon.sent) != len(x.broadcasts()) {
		s.t.Errorf("case %d: %d transactions were broadcast, not %d", x.Case, len(s.daemon.sent), len(x.broadcasts()))
	}
	for _, sent := range s.daemon.sent {
		delete(answer.Result, "transaction_id")
		if whole := "[" + encoded(answer.Result) + "]"; answer.Error == nil && compact([]byte(sent)) != compact([]byte(whole)) {
			s.t.Errorf("case %d: broadcast\n%s\nbut answered\n%s", x.Case, short(sent), short(whole))
		}
	}
	if answer.Error != nil && wif.Match(answer.Error) {
		s.t.Errorf("case %d: the error holds a key", x.Case)
	}
}

// report prints a row per operation and the listed differences.
func report(t *testing.T, names []string, counts map[string]*outcomeCount, listed *differences) {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-32s %6s %7s %10s\n", "operation", "equal", "listed", "DIFFERENT")
	var sum outcomeCount
	for _, method := range append(slices.Clone(names), envelopeOnly...) {
		c := counts[method]
		if c == nil {
			t.Errorf("%s has no recorded conversation", method)
			continue
		}
		if method == "" {
			method = "(no method)"
		}
		fmt.Fprintf(&b, "%-32s %6d %7d %10d\n", method, c.equal, c.listed, c.different)
		sum = outcomeCount{sum.equal + c.equal, sum.listed + c.listed, sum.different + c.different}
	}
	fmt.Fprintf(&b, "%-32s %6d %7d %10d\n\nlisted differences (docs/differences.md):\n", "all", sum.equal, sum.listed, sum.different)
	for _, d := range listed.rows {
		fmt.Fprintf(&b, "  %-22s %3d cases  %s\n", d.rule, len(d.cases), d.why)
	}
	t.Log(b.String())
}

func short(text string) string {
	const most = 900
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
