//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
)

// fleet is a ledger, a database, and servers that share both, all of them processes.
type fleet struct {
	t        *testing.T
	random   seededRand
	ledger   remote // over HTTP
	store    *storetest.Cluster
	address  string // of the database at the start, without the relays
	first    string // host and port in address
	members  []*member
	client   *http.Client
	token    string // with a low limit
	counters counters
	record   *record
	away     time.Duration // the longest time that the database was away

	quit context.Context
	work sync.WaitGroup
	over atomic.Bool // the trial has failed and cannot continue
}

// seededRand is randomness that a seed repeats.
type seededRand struct {
	mu   sync.Mutex
	from *rand.Rand
}

// upTo returns a number below n.
func (l *seededRand) upTo(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.from.IntN(n)
}

// some returns n different numbers below limit.
func (l *seededRand) some(n, limit int) []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.from.Perm(limit)[:n]
}

// lasts returns a duration below most.
func (l *seededRand) lasts(most time.Duration) time.Duration { return time.Duration(l.upTo(int(most))) }

// counters count events by name.
type counters struct {
	mu    sync.Mutex
	times map[string]int
}

func (c *counters) add(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.times[what]++
}

func (c *counters) of(what string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.times[what]
}

// String returns the counts sorted by name.
func (c *counters) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for what, times := range c.times {
		out = append(out, fmt.Sprintf("%s %d", what, times))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// member is one server with its connections to ledger and database. It is restarted whenever it ends.
type member struct {
	fleet    *fleet
	n        int
	folder   string
	toLedger *testwallet.Relay
	toStore  *storetest.Relay

	mu      sync.Mutex
	process *os.Process
	url     string // of its API; set once it is unlocked
	words   []string
}

// currentAddress returns the current address of the database, for when nothing goes wrong any more.
func (f *fleet) currentAddress() string {
	return strings.Replace(f.address, f.first, f.store.Address(), 1)
}

const fleetPassword = "servers"

// newFleet starts everything. The other servers start with copies of the first server's folder.
func newFleet(t *testing.T, seed uint64, servers int, blockTime time.Duration, dayLimit string) *fleet {
	t.Helper()
	store := storetest.Start(t)
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time="+blockTime.String(),
		"--state="+filepath.Join(testwallet.Folder(t), "ledger"))
	node := box.line(`^websocket +(ws://\S+)$`)
	f := &fleet{
		t: t, random: seededRand{from: rand.New(rand.NewPCG(seed, seed))}, store: store, address: store.Database(), first: store.Address(),
		ledger: remote{t, box.line(`^HTTP +(http://\S+)$`)}, counters: counters{times: map[string]int{}}, record: newRecord(t),
		client: &http.Client{Timeout: callerPatience, Transport: &http.Transport{MaxIdleConnsPerHost: storeCallers}},
	}
	folder := f.makeFirstWallet(node, box.line(`^demo key +alice +(\w+)$`), dayLimit)
	f.program("store", "init", "--from="+folder, "--store="+f.address, "--store-may-lose", "--data-dir="+folder)
	var end func()
	f.quit, end = context.WithCancel(context.Background())
	t.Cleanup(func() {
		end()
		f.each(func(m *member) { m.signal(syscall.SIGCONT); m.signal(syscall.SIGTERM) })
		f.work.Wait()
		f.client.CloseIdleConnections()
	})
	for n := range servers {
		m := &member{fleet: f, n: n, folder: folder, toLedger: testwallet.RelayTo(t, node), toStore: store.Relay()}
		if n > 0 {
			m.folder = testwallet.Folder(t)
			text, err := os.ReadFile(filepath.Join(folder, keystoreName))
			must(t, err)
			must(t, os.WriteFile(filepath.Join(m.folder, keystoreName), text, 0o600))
		}
		f.members = append(f.members, m)
	}
	for _, m := range f.members {
		f.work.Go(m.keepRunning)
	}
	f.observe()
	f.until("every server is there", patience, func() bool {
		return !slices.ContainsFunc(f.members, func(m *member) bool { return m.api() == "" })
	})
	return f
}

// makeFirstWallet makes a wallet that pays for alice, and a token with a daily limit.
func (f *fleet) makeFirstWallet(node, wif, dayLimit string) (folder string) {
	f.t.Helper()
	folder = testwallet.Folder(f.t)
	p := start(f.t, "--daemon-url="+node, "--data-dir="+folder, "--rpc-http=127.0.0.1:0")
	api := remote{f.t, p.line(`^wallet API over HTTP on (http://\S+)$`)}
	api.ok("set_password", fleetPassword)
	api.ok("unlock", fleetPassword)
	api.until("1.2.", "get_account", "alice")
	api.ok("import_key", "alice", wif)
	p.stop()
	said := f.program("token", "new", "till", "--methods=transfer", "--per-day="+dayLimit, "--data-dir="+folder)
	f.token = strings.TrimSpace(said[strings.LastIndex(strings.TrimSpace(said), "\n")+1:])
	return folder
}

// program runs billfold to its end and returns its output.
func (f *fleet) program(args ...string) string {
	f.t.Helper()
	out, told, code := runToEnd(f.t, "", args...)
	if code != 0 {
		f.t.Fatalf("billfold %s ended with %d: %s%s", strings.Join(args, " "), code, out, told)
	}
	return out
}

func (f *fleet) each(do func(*member)) {
	for _, m := range f.members {
		do(m)
	}
}

// until waits for a condition that only fails to come true if something is broken.
func (f *fleet) until(what string, within time.Duration, is func() bool) {
	f.t.Helper()
	for end := time.Now().Add(within); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			f.logOutput()
			f.t.Fatalf("never: %s; what everything did, by time, is in %s", what, f.record.path())
		}
	}
}

// logOutput logs the last output of the servers, and the payments without an outcome in the store.
func (f *fleet) logOutput() {
	f.logOpen()
	f.each(func(m *member) { f.t.Logf("server %d at %q said:\n%s", m.n, m.api(), m.lastOutput()) })
}

// fleetPatience is longer than payments, leases and starts take in sequence.
const fleetPatience = 3 * time.Minute

// keepRunning runs the server, and restarts it whenever it ends.
func (m *member) keepRunning() {
	for m.fleet.quit.Err() == nil {
		if err := m.run(); err != nil {
			m.fleet.t.Error(err)
			return
		}
		select {
		case <-m.fleet.quit.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (m *member) run() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close()
	cmd := exec.Command(program, "--store="+m.toStore.URL(m.fleet.t, m.fleet.address), "--store-may-lose",
		fmt.Sprintf("--server-name=server-%d", m.n), "--daemon-url="+m.toLedger.URL, "--data-dir="+m.folder, "--rpc-http=127.0.0.1:0")
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE="+quickExit, "HOME="+m.folder)
	cmd.Stdout, cmd.Stderr = write, write
	ended, err := storetest.Spawn(cmd, syscall.SIGKILL)
	_ = write.Close()
	if err != nil {
		return err
	}
	m.set(func() { m.process = cmd.Process })
	m.read(read)
	<-ended
	m.set(func() { m.process, m.url = nil, "" })
	return nil
}

// read collects the server's output, and unlocks the server.
func (m *member) read(from io.Reader) {
	const announced = "wallet API over HTTP on "
	for lines := bufio.NewReader(from); ; { // a line may be long, and a server blocks if nobody reads its output
		text, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		text = strings.TrimSuffix(text, "\n")
		m.fleet.record.add(m.name(), text)
		m.set(func() { m.words = append(m.words, text)[max(0, len(m.words)-8):] })
		if strings.HasPrefix(text, "panic: ") || strings.Contains(text, "DATA RACE") ||
			strings.Contains(text, "is proven irreversible\" ends=") { // the ledger only takes back blocks that are not
			m.fleet.t.Errorf("server %d: %s", m.n, text)
		}
		if url, is := strings.CutPrefix(text, announced); is {
			m.fleet.work.Go(func() { m.unlock(url) })
		}
	}
}

func (m *member) unlock(url string) {
	for m.fleet.quit.Err() == nil {
		if out, err := m.fleet.post(url, "", "unlock", fleetPassword); err == nil && out.Error == nil {
			m.set(func() { m.url = url })
			return
		} else if err != nil && strings.Contains(err.Error(), "refused") { // the server has ended
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (m *member) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

// api returns the address of the server's API, "" while it cannot be called.
func (m *member) api() (url string) {
	m.set(func() { url = m.url })
	return url
}

func (m *member) lastOutput() (text string) {
	m.set(func() { text = strings.Join(m.words, "\n") })
	return text
}

func (m *member) signal(sig syscall.Signal) {
	m.set(func() {
		if m.process != nil {
			_ = m.process.Signal(sig) // fails if the process has ended
		}
	})
}

// answer is a server's answer to a call.
type answer struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    struct {
			Name string `json:"name"`
			Key  string `json:"request_key"`
		} `json:"data"`
	} `json:"error"`
}

// post calls a server. An error means that there was no answer.
func (f *fleet) post(url, token, method string, params ...any) (out answer, err error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return out, err
	}
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return out, err
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := f.client.Do(request)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	return out, json.NewDecoder(resp.Body).Decode(&out)
}
