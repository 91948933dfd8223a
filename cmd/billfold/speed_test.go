package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
)

// speedTime is the time for which each side of a row is measured, in turns with its
// limit, so that other work of the machine affects both.
const (
	speedTime  = time.Second
	speedTurns = 4
)

// TestSpeed measures the whole program from the callers' side and prints a table: each
// row beside its limit in the same run, and beside what the reference wallet reached on
// two cores. The table also shows what a row must reach; a row that does not fails the
// test. SPEED=1 runs it. It takes half a minute.
func TestSpeed(t *testing.T) {
	if os.Getenv("SPEED") == "" {
		t.Skip("the figures are worth something on a quiet machine only: make bench runs it")
	}
	var table speedTable
	t.Run("reads", table.reads)
	t.Run("fairness", table.fairness)
	t.Run("transfers", table.transfers)
	t.Run("history", table.history)
	t.Run("process", table.process)
	table.print(t)
}

// speedRow is one measured figure.
type speedRow struct {
	what        string
	connections int     // 0 = does not apply
	figure      float64 // calls per second, or in unit
	unit        string
	limit       string  // what limits it; "" = nothing
	reached     float64 // the limit's figure
	share       float64 // share of it that is wanted; 0 = shown only
	reference   float64 // the reference wallet's figure; 0 = not measured
	times       float64 // how many times it is wanted; 0 = shown only
	most        float64 // the most that the figure may be; 0 = more is better
}

// wanted returns what the row must reach, and reports whether it does.
func (r speedRow) wanted() (text string, good bool) {
	var all []string
	good = true
	demand := func(asked float64, format string, met bool) {
		if asked > 0 {
			all, good = append(all, fmt.Sprintf(format, asked)), good && met
		}
	}
	demand(r.share*100, "≥ %.0f %% of the limit", r.figure >= r.share*r.reached)
	demand(r.times, "≥ %.0f × the reference", r.figure >= r.times*r.reference)
	demand(r.most, "≤ %.0f "+r.unit, r.figure <= r.most)
	return strings.Join(all, ", "), good
}

type speedTable []speedRow

func (table speedTable) print(t *testing.T) {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tconnections\treached\tlimit\t\tof limit\t× reference\twanted\t")
	for _, r := range table {
		wanted, good := r.wanted()
		verdict := map[bool]string{true: "good", false: "NOT REACHED"}[good]
		if wanted == "" {
			verdict = ""
		}
		fmt.Fprintf(
			w,
			"%s\t%s\t%.0f %s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			r.what,
			optional("%.0f", float64(r.connections)),
			r.figure,
			r.unit,
			r.limit,
			optional("%.0f", r.reached),
			optional("%.0f %%", percentOf(r.figure, r.reached)),
			optional("%.1f", ratio(r.figure, r.reference)),
			wanted,
			verdict,
		)
		if !good {
			t.Errorf("%s over %d connections reached %.0f %s; %s is wanted", r.what, r.connections, r.figure, r.unit, wanted)
		}
	}
	_ = w.Flush()
	t.Logf("%d cores\n%s", runtime.GOMAXPROCS(0), text.String())
}

func optional(format string, v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf(format, v)
}

func percentOf(a, b float64) float64 { return 100 * ratio(a, b) }

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// reads compares reads over both transports with an operation that does nothing on the
// same server, and with the daemon's own answers.
func (table *speedTable) reads(t *testing.T) {
	wallet, empty := openSpeed(t), openEmpty(t)
	isLocked, account := request("is_locked", "[]"), request("get_account", `["1.2.16"]`)
	daemon := `{"id":1,"method":"call","params":["database_api","get_accounts",[["1.2.16"]]]}`
	for i, n := range []int{1, 8, 64} {
		before := []float64{1470, 3500, 4350}[i]
		locked := speedRow{what: "is_locked, websocket", share: 0.6, reference: []float64{0, 14000, 0}[i], times: []float64{0, 3, 0}[i]}
		table.compare(t, locked, n, "empty handler", dialWS(wallet.ws, isLocked), dialWS(empty.ws, isLocked))
		table.compare(t, speedRow{what: "get_account, websocket", share: 0.8, reference: before, times: 3}, n, "daemon",
			dialWS(wallet.ws, account), dialWS(wallet.daemon, daemon))
		table.compare(t, speedRow{what: "get_account, websocket"}, n, "empty handler", dialWS(wallet.ws, account),
			dialWS(empty.ws, account))
	}
	for i, n := range []int{1, 8, 64} {
		table.compare(t, speedRow{what: "is_locked, HTTP", share: 0.6}, n, "empty handler", dialHTTP(wallet.http, isLocked),
			dialHTTP(empty.http, isLocked))
		before := []float64{113, 530, 530}[i]
		table.compare(t, speedRow{what: "get_account, HTTP", reference: before, times: 20}, n, "empty handler",
			dialHTTP(wallet.http, account), dialHTTP(empty.http, account))
	}
}

// fairness measures a quick call while others read long histories.
func (table *speedTable) fairness(t *testing.T) {
	wallet := openSpeed(t)
	wallet.fillHistory(t)
	stop := make(chan struct{})
	reading := busy(t, dialWS(wallet.ws, request("get_account_history", `["alice",100]`)), 4, stop)
	var felt latencies
	asking := dialWS(wallet.ws, request("is_locked", "[]"))(t)
	for end := time.Now().Add(2 * speedTime); time.Now().Before(end); {
		start := time.Now()
		must(t, asking.call())
		felt.add(time.Since(start))
	}
	close(stop)
	reading.Wait()
	asking.close()
	*table = append(
		*table,
		speedRow{
			what: "is_locked beside 4 long histories, p99", connections: 1,
			figure: float64(felt.all().percentile(99).Microseconds()), unit: "µs", most: 5000,
		},
	)
}

func (table *speedTable) transfers(t *testing.T) {
	wallet := openSpeed(t)
	frame := request("transfer", `["alice","bobby","0.001","DCT","memo here",false]`)
	for i, n := range []int{1, 8} {
		cores := min(n, runtime.GOMAXPROCS(0))
		row := speedRow{what: "transfer with memo, not broadcast, websocket", reference: []float64{288, 623}[i], times: 10}
		limit := fmt.Sprintf("signature and memo, cores: %d", cores)
		table.compareWith(t, row, n, limit, dialWS(wallet.ws, frame),
			func() float64 { return signAlone(t, cores, speedTime/speedTurns) })
	}
}

func (table *speedTable) history(t *testing.T) {
	wallet := openSpeed(t)
	wallet.fillHistory(t)
	frame := request("get_account_history", `["alice",100]`)
	*table = append(*table, speedRow{what: "get_account_history, 100 rows with memos, websocket", connections: 1,
		figure: rate(t, dialWS(wallet.ws, frame), 1, speedTime), unit: "/s", reference: 6, times: 50})
}

// process measures the program as users start it, with and without a daemon.
func (table *speedTable) process(t *testing.T) {
	if runtime.GOOS != "linux" {
		return
	}
	program := buildProgram(t)
	box := launch(t, program, "sandbox", "--listen=127.0.0.1:0")
	for _, daemon := range []struct{ name, url string }{{"without a daemon", "ws://127.0.0.1:1"}, {"with a daemon", box.line(`^websocket +(ws://\S+)$`)}} {
		var took []time.Duration
		var resident uint64
		for range 9 {
			start := time.Now()
			p := launch(t, program, "--daemon-url="+daemon.url, "--data-dir="+t.TempDir(), "--rpc-ws=127.0.0.1:0", "--rpc-http=127.0.0.1:0")
			p.line(`^wallet API over websocket on (ws://\S+)$`)
			took = append(took, time.Since(start))
			resident = max(resident, p.resident())
			p.stop()
		}
		slices.Sort(took)
		*table = append(
			*table,
			speedRow{
				what: "start to listening " + daemon.name, figure: float64(took[len(took)/2].Microseconds()) / 1000,
				unit: "ms", most: 50,
			},
			speedRow{what: "resident memory at the start " + daemon.name, figure: megabytes(resident), unit: "MB", most: 30},
		)
	}
}
