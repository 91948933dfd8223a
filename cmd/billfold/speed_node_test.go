package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"billfold/ledger"
)

// TestNodeSpeed prints the speed of a wallet process with a node, beside that of a
// reference wallet with the same node, measured in turns:
//
//	NODE       the node, such as ws://127.0.0.1:8090
//	REFERENCE  a reference wallet that uses it, ws:// or http://, unlocked and able to pay for PAYER
//	PAYER      an account with funds (alice); RECIPIENT another (bobby)
//	PAYER_KEY  a file with the key of PAYER in WIF; needed with NODE
//
// Without NODE it uses a sandbox process that costs what a real node costs: a block every five seconds, with all signatures in it
// verified again and no answers meanwhile, and a connection with answers in two segments and a round trip of a millisecond. Each row
// has its limit in the same run.
func TestNodeSpeed(t *testing.T) {
	if os.Getenv("SPEED") == "" {
		t.Skip("the figures are worth something on a quiet machine only: make bench runs it")
	}
	s := openNodeStage(t)
	s.fill(t)
	s.reads(t)
	s.signs(t)
	for i, n := range []int{1, 8, 64} {
		s.row(t, nodeRow{work: "transfer with memo, broadcast", connections: n, times: []float64{3, 5, 5}[i], turn: s.blockTime,
			share: []float64{0.6, 0.7, 0.7}[i], tail: 5, processor: []time.Duration{450, 250, 250}[i] * time.Microsecond,
			limit: "signature, memo, call", limiting: s.dialNode, frame: s.transfer("true")})
	}
	s.print(t)
	s.rest(t)
}

// After a load, as much may be resident as maxRested within a minute.
const maxRested = 64 << 20

// rest looks at what stays resident after the load.
func (s *nodeStage) rest(t *testing.T) {
	loaded := s.billfold.resident()
	now := loaded
	for end := time.Now().Add(time.Minute); now > maxRested && time.Now().Before(end); now = s.billfold.resident() {
		time.Sleep(time.Second)
	}
	if t.Logf("resident after the load: %d MB, at rest %d MB", loaded>>20, now>>20); now > maxRested {
		t.Errorf("%d MB are resident a minute after the load; at most %d MB are wanted", now>>20, maxRested>>20)
	}
}

// reads compares answers with the same ready-made answers of an operation that does nothing.
func (s *nodeStage) reads(t *testing.T) {
	api := remote{t, s.billfold.http}
	page, account := openReady(t, api.ok("get_account_history", s.payer, "100")), openReady(t, api.ok("get_account", s.payer))
	frame := request("get_account_history", fmt.Sprintf(`[%q,100]`, s.payer))
	for i, n := range []int{1, 8} {
		s.row(t, nodeRow{work: "get_account_history, 100 rows with memos", connections: n, frame: frame, times: 50,
			least: []float64{0, 1500}[i], p50: []time.Duration{2 * time.Millisecond, 0}[i],
			limit: "the answer ready", limiting: dialWS(page.ws, frame)})
	}
	frame = request("get_account", fmt.Sprintf(`[%q]`, s.payer))
	for i, n := range []int{1, 8, 64} {
		s.row(t, nodeRow{work: "get_account", connections: n, frame: frame, times: []float64{6, 11, 9}[i],
			limit: "the answer ready", limiting: dialWS(account.ws, frame)})
	}
}

// signs compares transfers that are not broadcast with the same calls of a server process that only signs. It also shows the speed of
// signing without any calls, when no clients use the cores.
func (s *nodeStage) signs(t *testing.T) {
	signer, url := startSigner(t)
	defer signer.stop()
	for _, n := range []int{1, 8} {
		cores := min(n, runtime.GOMAXPROCS(0))
		s.row(t, nodeRow{work: "transfer with memo, not broadcast", connections: n, times: 12, share: 0.5,
			limit: "the call, signature, memo", limiting: dialWS(url, s.transfer("false")), limiter: signer,
			alone: func() float64 { return signAlone(t, cores, nodeTurn) }, frame: s.transfer("false")})
	}
}

// nodeTurn is the length of one turn in which one side of a row is measured, unless the row has its own.
const nodeTurn = time.Second

// nodeLine and nodeBlockTime make a sandbox cost what a real node costs.
const (
	nodeLine      = "two-segments,rtt=1ms,verify-blocks"
	nodeBlockTime = 5 * time.Second
)

// nodeStage is a node with the wallets that use it.
type nodeStage struct {
	node, payer, recipient string
	billfold               soaked
	reference              string        // "" = none
	blockTime              time.Duration // a turn of so long has one block
	sandbox                bool          // on the sandbox: the figures wanted for it apply
	box                    *process      // the sandbox; nil = none
	key                    ledger.PrivateKey
	table                  []nodeRow
}

func openNodeStage(t *testing.T) *nodeStage {
	t.Helper()
	s := &nodeStage{node: os.Getenv("NODE"), reference: os.Getenv("REFERENCE"),
		payer: cmp.Or(os.Getenv("PAYER"), "alice"), recipient: cmp.Or(os.Getenv("RECIPIENT"), "bobby"),
		blockTime: nodeBlockTime}
	program := buildProgram(t)
	var wif string
	if s.sandbox = s.node == ""; s.sandbox {
		s.box = launch(t, program, "sandbox", "--listen=127.0.0.1:0", "--line="+nodeLine,
			"--block-time="+nodeBlockTime.String(), "--fund=alice=10000000 DCT")
		s.node, wif = s.box.line(`^websocket +(ws://\S+)$`), s.box.line(`^demo key +alice +(\w+)$`)
	} else {
		text, err := os.ReadFile(os.Getenv("PAYER_KEY"))
		if err != nil {
			t.Fatalf("PAYER_KEY must name a file with the key of %s: %v", s.payer, err)
		}
		wif = strings.TrimSpace(string(text))
	}
	var err error
	s.key, err = ledger.ParseWIF(wif)
	must(t, err)
	s.billfold = openPayer(t, program, s.node, s.payer, wif)
	return s
}

func (s *nodeStage) transfer(broadcast string) string {
	return request("transfer", fmt.Sprintf(`[%q,%q,"0.00001","DCT","memo here",%s]`, s.payer, s.recipient, broadcast))
}

// fill makes a page of payments with memos by the payer, and waits until they are in blocks and
// the wallet has read them.
func (s *nodeStage) fill(t *testing.T) {
	t.Helper()
	line := dialWS(s.billfold.ws, s.transfer("true"))(t)
	defer line.close()
	for range 100 {
		must(t, line.call())
	}
	api := remote{t, s.billfold.http}
	for end := time.Now().Add(patience); strings.Count(api.ok("get_account_history", s.payer, "100"), `"memo here"`) < 100; {
		if time.Now().After(end) {
			t.Fatal("the history does not show a hundred payments")
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// nodeRow is a kind of work with its results.
type nodeRow struct {
	work        string
	connections int
	frame       string
	turn        time.Duration  // 0 = nodeTurn
	times       float64        // how many times the reference's figure is wanted
	least       float64        // calls per second wanted on the sandbox; 0 = shown only
	p50         time.Duration  // wanted on the sandbox; 0 = shown only
	tail        float64        // how many times p50 the p99 may be; 0 = shown only
	processor   time.Duration  // the most processor time of the wallet for a call on the sandbox; 0 = shown only
	share       float64        // share of the limit that is wanted; 0 = shown only
	limit       string         // what limits it; "" = no comparison
	limiting    dial           // calls that do only what is necessary
	limiter     *process       // the process that answers them; nil = none
	alone       func() float64 // measures the work without calls; nil = not measured

	billfold, reference, bare callStats
	took, boxTook, limitTook  time.Duration // processor time of the wallet, the sandbox and limiter
	uncalled                  float64       // the result of alone
}

func (s *nodeStage) row(t *testing.T, r nodeRow) {
	t.Helper()
	turn := cmp.Or(r.turn, nodeTurn)
	for range speedTurns {
		if s.reference != "" {
			r.reference.turn(t, dialAny(s.reference, r.frame), r.connections, turn)
		}
		r.boxTook += s.box.during(func() {
			r.took += s.billfold.during(func() { r.billfold.turn(t, dialWS(s.billfold.ws, r.frame), r.connections, turn) })
		})
		r.limitTook += r.limiter.during(func() { r.bare.turn(t, r.limiting, r.connections, turn) })
		if r.alone != nil {
			r.uncalled += r.alone() / speedTurns
		}
	}
	if r.billfold.failed > 0 {
		t.Errorf("%s over %d connections failed %d times: %v", r.work, r.connections, r.billfold.failed, r.billfold.fault)
	}
	if r.reference.failed > 0 {
		t.Logf("%s of the reference over %d connections failed %d times: %v", r.work, r.connections, r.reference.failed, r.reference.fault)
	}
	s.table = append(s.table, r)
}

// wanted returns what the row must reach, and reports whether it does.
func (s *nodeStage) wanted(r *nodeRow) (text string, good bool) {
	var all []string
	good = true
	demand := func(asked, met bool, format string, args ...any) {
		if asked {
			all, good = append(all, fmt.Sprintf(format, args...)), good && met
		}
	}
	demand(s.reference != "", r.billfold.rate() >= r.times*r.reference.rate(), "≥ %.0f ×", r.times)
	demand(r.share > 0, r.billfold.rate() >= r.share*r.bare.rate(), "≥ %.1f of the limit", r.share)
	demand(s.sandbox && r.least > 0, r.billfold.rate() >= r.least, "≥ %.0f/s", r.least)
	demand(s.sandbox && r.p50 > 0, r.billfold.percentile(50) < r.p50, "p50 < %v", r.p50)
	demand(r.tail > 0, float64(r.billfold.percentile(99)) <= r.tail*float64(r.billfold.percentile(50)), "p99 ≤ %.0f × p50", r.tail)
	demand(s.sandbox && r.processor > 0, r.billfold.micros(r.took) <= float64(r.processor.Microseconds()), "processor ≤ %v", r.processor)
	return strings.Join(all, ", "), good
}

func (s *nodeStage) print(t *testing.T) {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "work\tconnections\treference\tBillfold\tp50\tmean\tp99\tlongest\tprocessor\tsandbox\tratio\tlimit\t\tprocessor\tnobody calls\tof limit\tmust reach\t")
	for i := range s.table {
		r := &s.table[i]
		wanted, good := s.wanted(r)
		verdict := map[bool]string{true: "good", false: "NOT REACHED"}[good]
		if wanted == "" {
			verdict = ""
		}
		rate := r.billfold.rate()
		fmt.Fprintln(w, strings.Join([]string{
			r.work, strconv.Itoa(r.connections), optional("%.0f/s", r.reference.rate()), fmt.Sprintf("%.0f/s", rate),
			millis(r.billfold.percentile(50)), millis(r.billfold.mean()), millis(r.billfold.percentile(99)), millis(r.billfold.max()), optional("%.0f µs", r.billfold.micros(r.took)),
			optional("%.0f µs", r.billfold.micros(r.boxTook)),
			optional("%.1f ×", ratio(rate, r.reference.rate())), r.limit, optional("%.0f/s", r.bare.rate()),
			optional("%.0f µs", r.bare.micros(r.limitTook)), optional("%.0f/s", r.uncalled), optional("%.2f", ratio(rate, r.bare.rate())),
			wanted, verdict}, "\t"))
		if !good {
			t.Errorf("%s over %d connections reached %.0f/s; %s is wanted", r.work, r.connections, r.billfold.rate(), wanted)
		}
	}
	_ = w.Flush()
	t.Logf("%s, %d cores\n%s", map[bool]string{true: "the sandbox, --line " + nodeLine, false: s.node}[s.sandbox],
		runtime.GOMAXPROCS(0), text.String())
}
