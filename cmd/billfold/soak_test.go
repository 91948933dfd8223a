package main

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// The load on the wallet, and the limits it must keep.
const (
	soakIdle      = 1000 // websockets that send nothing
	soakBusy      = 64   // websockets that read without a pause
	soakPayers    = 8    // HTTP clients that pay without a pause
	soakDeaf      = 16   // HTTP clients that ask for megabytes and do not read them
	soakP99       = 5 * time.Millisecond
	soakMemory    = 500 << 20
	soakGrowth    = 0.10 // of resident memory, from the first third of the time to its end
	soakGoroutine = 2    // more than in a wallet that nobody called, for files that only payments open
)

// TestSoak puts a wallet process under load for SOAKTIME: idle websockets, busy ones that
// call is_locked and get_account in turn, clients that pay, and clients that do not read what they asked for. It prints the latencies of
// the clients and the resources of the process, and checks limits: the p99 of is_locked,
// memory that does not grow, goroutines that end.
func TestSoak(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("SOAKTIME"))
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("the soak is long, and measures on Linux: make soak runs it")
	}
	program := buildProgram(t)
	box := launch(t, program, "sandbox", "--listen=127.0.0.1:0", "--fund=alice=10000000 DCT")
	daemon, wif := box.line(`^websocket +(ws://\S+)$`), box.line(`^demo key +alice +(\w+)$`)
	calm := openSoaked(t, program, daemon, wif)
	s := &soak{soaked: openSoaked(t, program, daemon, wif)}
	s.run(t, length)
	s.judge(t, calm)
}

// buildProgram builds the program as users have it.
func buildProgram(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "billfold")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// soaked is a wallet process that can pay for alice.
type soaked struct {
	*process
	http, ws string
}

func openSoaked(t testing.TB, program, daemon, wif string) soaked {
	t.Helper()
	return openPayer(t, program, daemon, "alice", wif)
}

// openPayer is openSoaked for any account.
func openPayer(t testing.TB, program, daemon, payer, wif string) soaked {
	t.Helper()
	p := launch(t, program, "--daemon-url="+daemon, "--data-dir="+t.TempDir(), "--rpc-http=127.0.0.1:0", "--rpc-ws=127.0.0.1:0")
	w := soaked{p, p.line(`^wallet API over HTTP on (http://\S+)$`), p.line(`^wallet API over websocket on (ws://\S+)$`)}
	api := remote{t, w.http}
	api.ok("set_password", "soak")
	api.ok("unlock", "soak")
	api.until("1.2.", "get_account", payer)
	api.ok("import_key", payer, wif)
	return w
}

// resident returns the resident memory of the process, in bytes.
func (p *process) resident() uint64 { return p.status("VmRSS:") }

// files returns how many files and connections the process has open.
func (p *process) files() int {
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid))
	must(p.t, err)
	return len(open)
}

// goroutines ends the process with a dump of its goroutines, and counts them by the
// function that started them.
func (p *process) goroutines() map[string]int {
	must(p.t, p.cmd.Process.Signal(syscall.SIGQUIT))
	p.dumped = true
	count := map[string]int{}
	for conn := range p.seen {
		if creator, ok := strings.CutPrefix(conn, "created by "); ok {
			creator, _, _ = strings.Cut(creator, " in goroutine")
			count[creator]++
		}
	}
	if len(count) == 0 {
		p.t.Error("the process showed no goroutines")
	}
	return count
}

// soak is a run with its latencies.
type soak struct {
	soaked
	locked    latencies // of is_locked
	reads     atomic.Int64
	transfers atomic.Int64
	samples   []soakSample
}

// soakSample is the memory of the process at a time.
type soakSample struct {
	after time.Duration
	bytes uint64
}

// run runs all clients for a length of time and returns when they have left.
func (s *soak) run(t *testing.T, length time.Duration) {
	stop := make(chan struct{})
	var idle, active sync.WaitGroup
	var conns []*websocket.Conn
	for range soakIdle {
		conn := s.dial(t)
		conns = append(conns, conn)
		idle.Go(func() { _, _, _ = conn.ReadMessage() }) // answers pings until it is closed
	}
	for i := range soakBusy {
		conn := s.dial(t)
		conns = append(conns, conn)
		active.Go(func() { s.ask(t, conn, i, stop) })
	}
	for range soakPayers {
		active.Go(func() { s.pay(t, stop) })
	}
	for range soakDeaf {
		active.Go(func() { s.askDeaf(t, stop) })
	}
	s.watch(t, length)
	close(stop)
	active.Wait()
	for _, conn := range conns {
		_ = conn.Close()
	}
	idle.Wait()
}

func (s *soak) dial(t *testing.T) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial(s.ws, nil)
	must(t, err)
	return conn
}

// ask makes the two reading calls in turn until stop.
func (s *soak) ask(t *testing.T, conn *websocket.Conn, turn int, stop <-chan struct{}) {
	frames := []string{request("is_locked", "[]"), request("get_account", `["alice"]`)}
	for ; ; turn++ {
		select {
		case <-stop:
			return
		default:
		}
		start := time.Now()
		if err := conn.WriteMessage(websocket.TextMessage, []byte(frames[turn%2])); err != nil {
			t.Error(err)
			return
		}
		_, answer, err := conn.ReadMessage()
		if err != nil || !strings.HasPrefix(string(answer), `{"jsonrpc":"2.0","id":1,"result"`) {
			t.Errorf("%s (%v)", answer, err)
			return
		}
		if turn%2 == 0 {
			s.locked.add(time.Since(start))
		}
		s.reads.Add(1)
	}
}

// pay makes payments until stop.
func (s *soak) pay(t *testing.T, stop <-chan struct{}) {
	client := &http.Client{Transport: &http.Transport{}, Timeout: patience}
	defer client.CloseIdleConnections()
	frame := request("transfer", `["alice","bobby","0.00001","DCT","for nothing",true]`)
	for {
		select {
		case <-stop:
			return
		default:
		}
		resp, err := client.Post(s.http, "application/json", strings.NewReader(frame))
		if err != nil {
			t.Error(err)
			return
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || !strings.HasPrefix(string(text), `{"jsonrpc":"2.0","id":1,"result"`) {
			t.Errorf("%s (%v)", text, err)
			return
		}
		s.transfers.Add(1)
	}
}

// askDeaf asks for a large batch and does not read the answer, on a new connection every few seconds, until stop.
func (s *soak) askDeaf(t *testing.T, stop <-chan struct{}) {
	one := request("rpc.discover", "[]")
	batch := "[" + strings.Repeat(one+",", 39) + one + "]"
	addr := strings.TrimSuffix(strings.TrimPrefix(s.http, "http://"), "/rpc")
	for {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Error(err)
			return
		}
		_, err = fmt.Fprintf(conn, "POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			addr, len(batch), batch)
		if err != nil {
			t.Error(err)
		}
		select {
		case <-time.After(5 * time.Second):
			_ = conn.Close()
		case <-stop:
			_ = conn.Close()
			return
		}
	}
}

// watch prints a row every 30 s, or ten of them in a shorter soak.
func (s *soak) watch(t *testing.T, length time.Duration) {
	every := min(30*time.Second, length/10)
	start, tick := time.Now(), time.NewTicker(every)
	defer tick.Stop()
	t.Logf("%8s %9s %11s %31s %9s", "after", "reads/s", "transfers/s", "is_locked: p50     p99     max", "RSS")
	for done := time.Duration(0); done < length; {
		reads, transfers := s.reads.Load(), s.transfers.Load()
		<-tick.C
		done = time.Since(start).Round(every)
		s.samples = append(s.samples, soakSample{done, s.resident()})
		now := s.locked.cut()
		t.Logf("%8v %9.0f %11.0f %9s %15s %s %6.1f MB", done, float64(s.reads.Load()-reads)/every.Seconds(),
			float64(s.transfers.Load()-transfers)/every.Seconds(), millis(now.percentile(50)), millis(now.percentile(99)),
			millis(now.max()), megabytes(s.samples[len(s.samples)-1].bytes))
	}
}

func (s *soak) judge(t *testing.T, calm soaked) {
	all := s.locked.all()
	t.Logf("%d reads, %d transfers; is_locked p50 %s, p99 %s, max %s", s.reads.Load(), s.transfers.Load(),
		millis(all.percentile(50)), millis(all.percentile(99)), millis(all.max()))
	settled := s.samples[len(s.samples)/3:]
	first, last, hourly := trend(settled)
	t.Logf("RSS %.1f MB at the start, settled at %.1f MB, %.1f MB in the end: %+.1f MB an hour", megabytes(s.samples[0].bytes), first/(1<<20), last/(1<<20), hourly/(1<<20))
	verdict(t, all.percentile(99) < soakP99, "p99 of is_locked %s, less than %s wanted", millis(all.percentile(99)), millis(soakP99))
	verdict(t, last < soakMemory, "memory %.1f MB, less than %.0f MB wanted", last/(1<<20), float64(soakMemory)/(1<<20))
	verdict(t, last < first*(1+soakGrowth), "memory grew by %.1f %%, less than %.0f %% wanted", 100*(last/first-1), 100*soakGrowth)
	s.judgeGoroutines(t, calm)
}

// judgeGoroutines compares the goroutines of the wallet, after all connections are closed,
// with those of one that nobody called.
func (s *soak) judgeGoroutines(t *testing.T, calm soaked) {
	for end := time.Now().Add(patience); s.files() > calm.files() && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	usual, now := calm.goroutines(), s.goroutines()
	more := 0
	for _, creator := range slices.Sorted(maps.Keys(now)) {
		if n := now[creator] - usual[creator]; n > 0 {
			more += n
			t.Logf("%d goroutines more by %s", n, creator)
		}
	}
	verdict(t, more <= soakGoroutine, "%d goroutines more than in a wallet that nobody called, at most %d wanted", more, soakGoroutine)
}

func verdict(t *testing.T, good bool, format string, args ...any) {
	t.Helper()
	if text := fmt.Sprintf(format, args...); good {
		t.Log("good: " + text)
	} else {
		t.Error("NOT GOOD: " + text)
	}
}
