package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/osfile"
	"billfold/rpcserver/auth/certificate"
	"billfold/walletcore/testwallet"
)

// patience is the time limit of every wait. It is reached only if something is broken.
const patience = 30 * time.Second

// process is a running billfold process.
type process struct {
	t    testing.TB
	cmd  *exec.Cmd
	seen chan string // lines of stdout and stderr

	dumped bool // it does not end normally, but with a dump of its goroutines
	ending sync.Once
}

// start runs billfold until the test ends. It must end without an error when it is stopped.
func start(t testing.TB, args ...string) *process {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	return launch(t, program, args...)
}

// launch is start with another program file.
func launch(t testing.TB, program string, args ...string) *process {
	t.Helper()
	return begin(t, "1", exec.Command(program, args...))
}

// begin is launch with a value for asProgram.
func begin(t testing.TB, as string, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd, seen: make(chan string, 1000)}
	p.cmd.Env = append(os.Environ(), asProgram+"="+as, "GORACE="+quickExit, "HOME="+testwallet.Folder(t))
	read, write, err := os.Pipe()
	must(t, err)
	p.cmd.Stdout, p.cmd.Stderr = write, write
	must(t, p.cmd.Start())
	must(t, write.Close())
	go p.read(read)
	t.Cleanup(p.stop)
	return p
}

// quiet matches lines of the log that may be many, and that nobody may wait for.
var quiet = regexp.MustCompile(`level=(INFO|DEBUG) `)

func (p *process) read(from io.ReadCloser) {
	defer close(p.seen)
	defer from.Close()
	for lines := bufio.NewScanner(from); lines.Scan(); {
		if text := lines.Text(); !quiet.MatchString(text) || len(p.seen) < cap(p.seen)/2 {
			p.seen <- text
		}
	}
}

// line waits for a line that matches form and returns what its group matched.
func (p *process) line(form string) string {
	p.t.Helper()
	pattern, late := regexp.MustCompile(form), time.After(patience)
	for {
		select {
		case text, open := <-p.seen:
			if !open {
				p.t.Fatalf("it ended without a line %s", form)
			}
			if found := pattern.FindStringSubmatch(text); found != nil {
				return found[1]
			}
		case <-late:
			p.t.Fatalf("no line %s came", form)
		}
	}
}

func (p *process) stop() { p.ending.Do(p.end) }

func (p *process) end() {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Error(err)
	}
	for range p.seen {
	}
	if err := p.cmd.Wait(); err != nil && !p.dumped {
		p.t.Errorf("%v ended with %v", p.cmd.Args[1:], err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// remote calls wallet operations over HTTP.
type remote struct {
	t   testing.TB
	url string
}

type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (r remote) call(method string, params ...string) reply {
	r.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": append([]string{}, params...)})
	must(r.t, err)
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Post(r.url, "application/json", bytes.NewReader(body))
	must(r.t, err)
	defer answer.Body.Close()
	var out reply
	must(r.t, json.NewDecoder(answer.Body).Decode(&out))
	return out
}

func (r remote) ok(method string, params ...string) string {
	r.t.Helper()
	out := r.call(method, params...)
	if out.Error != nil {
		r.t.Fatalf("%s: %d %s", method, out.Error.Code, out.Error.Message)
	}
	return string(out.Result)
}

// until repeats a call, which may fail at first, until its result contains text.
func (r remote) until(text, method string, params ...string) string {
	r.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if out := r.call(method, params...); out.Error == nil && strings.Contains(string(out.Result), text) {
			return string(out.Result)
		}
	}
	r.t.Fatalf("%s never answered %s", method, text)
	return ""
}

const (
	nathanWIF = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
	aliceWIF  = "5J9bWm2ThenDm3tjvmUgHtWCVMUdjRR1pxnRtnJjvKA4b2ut5WK"
)

// A first payment, with two programs that know only each other's address.
func TestWalletAndLedgerInTwoProcesses(t *testing.T) {
	t.Parallel()
	box := start(t, "sandbox", "--genesis=testdata/genesis.json", "--listen=127.0.0.1:0", "--block-time=0")
	if id := box.line(`^chain id +(\w+)$`); id != "640bd0c466552fe0e6314c05a62bf69b66ae59490f2314f1b82c771c434d7a82" {
		t.Fatalf("the chain id is %s", id)
	}
	api, _ := startWallet(t, box.line(`^websocket +(ws://\S+)$`))
	ledger := remote{t, box.line(`^HTTP +(http://\S+)$`)}
	mine := func() { ledger.ok("sandbox_mine", "1") } // blocks on a faster schedule would run ahead of the clock
	mine()
	if got := api.ok("is_new"); got != "true" {
		t.Errorf("is_new: %s", got)
	}
	api.ok("set_password", "correct horse")
	if out := api.call("transfer", "nathan", "alice", "1", "DCT", "", "true"); out.Error == nil || out.Error.Code != 507 {
		t.Errorf("the locked wallet answered %s %+v", out.Result, out.Error)
	}
	api.ok("unlock", "correct horse")
	api.until("1.2.16", "get_account", "nathan")
	if got := api.ok("import_key", "nathan", nathanWIF); got != "true" {
		t.Errorf("import_key: %s", got)
	}
	alice := strings.Trim(api.ok("get_public_key", aliceWIF), `"`)
	api.ok("register_account", "alice", alice, alice, "nathan", "true")
	mine()
	api.until(`"id":"1.2.17"`, "get_account", "alice")
	api.ok("transfer", "nathan", "alice", "12.5", "DCT", "welcome, alice", "true")
	mine()
	for _, name := range []string{"nathan", "alice"} {
		history := api.until(`"memo":"welcome, alice"`, "get_account_history", name, "10")
		if !strings.Contains(history, "Transfer 12.50000000 DCT from nathan to alice") {
			t.Errorf("the history of %s is %s", name, history)
		}
	}
	if got := api.ok("list_account_balances", "alice"); !strings.Contains(got, `"12.50000000 DCT"`) {
		t.Errorf("alice has %s", got)
	}
}

// A wallet that is told to end prints that, and frees the address for the next one.
func TestWalletShutsDownInOrder(t *testing.T) {
	t.Parallel()
	api, wallet := startWallet(t, "ws://127.0.0.1:1")
	if got := api.ok("is_locked"); got != "true" {
		t.Errorf("is_locked: %s", got)
	}
	if out := api.call("info"); out.Error == nil || out.Error.Message == "" {
		t.Errorf("without a daemon info answers %s", out.Result)
	}
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/readyz": http.StatusServiceUnavailable} {
		resp, err := http.Get(strings.TrimSuffix(api.url, "/rpc") + path)
		must(t, err)
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("without a daemon %s answers %s", path, resp.Status)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	must(t, wallet.cmd.Process.Signal(syscall.SIGINT))
	wallet.line(`(the wallet is locked)$`)
}

// What /readyz says last of a wallet that only a person can make ready.
const (
	onlyKeyless = "not ready: " + keylessWhy + "\n"
	onlyLocked  = "not ready: " + lockedWhy + "\n"
)

// A wallet that pays nothing until somebody unlocks it is not ready before, and not any more once it is locked again. Whether a
// program runs at all is another question.
func TestReadinessFollowsTheLock(t *testing.T) {
	t.Parallel()
	wallet := start(t, "--sandbox", "--rpc-http=127.0.0.1:0")
	api := remote{t, wallet.line(`^wallet API over HTTP on (http://\S+)$`)}
	api.isReady(onlyLocked)
	if code, text := api.status(t, "status"); code != shell.IsLocked || !strings.Contains(text, onlyLocked) || !strings.Contains(text, "\nlocked\n") {
		t.Errorf("billfold status ends with %d: %s", code, text)
	}
	api.ok("unlock", sandboxPassword)
	api.isReady("ok")
	if code, text := api.status(t, "status", "--json"); code != shell.Done || !strings.Contains(text, `"answers":true,"ready":true,"not_ready":[],"locked":false,"head_block":`) {
		t.Errorf("billfold status --json ends with %d: %s", code, text)
	}
	api.ok("lock")
	api.isReady(onlyLocked)
	resp, err := http.Get(strings.TrimSuffix(api.url, "/rpc") + "/healthz")
	must(t, err)
	must(t, resp.Body.Close())
	http.DefaultClient.CloseIdleConnections()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("a locked wallet answers /healthz with %s", resp.Status)
	}
	wallet.stop()
	if code, text := api.status(t, "status"); code != shell.Refused || !strings.Contains(text, "no wallet server answers at ") {
		t.Errorf("billfold status of a server that ended ends with %d: %s", code, text)
	}
	if code, text := api.status(t, "status", "--json"); code != shell.Refused ||
		!strings.Contains(text, `"answers":false,"ready":false,"not_ready":["no wallet server answers at `) || strings.Contains(text, "billfold:") {
		t.Errorf("billfold status --json of a server that ended ends with %d: %s", code, text)
	}
}

// Whoever asks about a wallet is not told of another one, whose server listens where this one's would.
func TestStatusIsThatOfTheWallet(t *testing.T) {
	t.Parallel()
	folder, other := testwallet.Folder(t), testwallet.Folder(t)
	for _, dir := range []string{folder, other} {
		out, err := runProcess("a password of this test\n", "--data-dir="+dir, "--daemon-url=ws://127.0.0.1:1", "call", "set_password", "-")
		if err != nil {
			t.Fatal(out)
		}
	}
	api := start(t, "--data-dir="+folder, "--daemon-url=ws://127.0.0.1:1", "--rpc-http=127.0.0.1:0").line(`^wallet API over HTTP on (http://\S+)$`)
	for _, dir := range []string{folder, other} {
		must(t, os.WriteFile(filepath.Join(dir, configName), []byte("rpc-http: "+strings.TrimSuffix(strings.TrimPrefix(api, "http://"), "/rpc")+"\n"), 0o600))
	}
	for _, one := range []struct{ want, args string }{
		{"not ready: ", "--data-dir=" + folder},
		{"no server of this wallet answers: the one at " + api + " is another wallet's", "--data-dir=" + other},
		{"not ready: ", "--data-dir=" + other + " --to " + api},
		{"there is no wallet in " + filepath.Join(other, "none"), "--data-dir=" + filepath.Join(other, "none")},
	} {
		if out, err := runProcess("", append([]string{"status"}, strings.Fields(one.args)...)...); err == nil || !strings.Contains(out, one.want) {
			t.Errorf("%s: %v, not %q: %s", one.args, err, one.want, out)
		}
	}
}

// runProcess runs the program to its end, and returns what it printed.
func runProcess(typed string, args ...string) (string, error) {
	cmd := processOf(args)
	cmd.Stdin = strings.NewReader(typed)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// A server with a certificate of its own is asked by whoever has that certificate: the wallet itself, or who names its file. Everybody else is told
// what is wrong, and what to do.
func TestStatusOverTLS(t *testing.T) {
	t.Parallel()
	folder, other, another := testwallet.Folder(t), testwallet.Folder(t), testwallet.Folder(t)
	_, err := certificate.Own(another, nil, nil)
	must(t, err)
	wallet := start(t, "--data-dir="+folder, "--daemon-url=ws://127.0.0.1:1", "--rpc-http=127.0.0.1:0", "--rpc-tls")
	url := wallet.line(`^wallet API over HTTP on (https://\S+)$`)
	plain := start(t, "--sandbox", "--rpc-http=127.0.0.1:0").line(`^wallet API over HTTP on http(://\S+)$`)
	for _, one := range []struct{ want, args string }{
		{"wallet server at https", "--data-dir=" + folder + " --to " + url},
		{"wallet server at https", "--data-dir=" + other + " --server-cert=" + folder + "/rpc-cert.pem --to " + url},
		{"hint: name the server's certificate with --server-cert FILE", "--data-dir=" + other + " --to " + url},
		{"has another certificate than ", "--data-dir=" + other + " --server-cert=" + another + "/rpc-cert.pem --to " + url},
		{"is not the server's certificate: it is a private key without a certificate", "--data-dir=" + other + " --server-cert=" + folder + "/rpc-key.pem --to " + url},
		{"where it encrypts (--rpc-tls), the address begins with https://", "--data-dir=" + other + " --to " + strings.Replace(url, "https", "http", 1)},
		{"speaks no TLS", "--data-dir=" + other + " --to https" + plain},
	} {
		out, err := processOf(append([]string{"status"}, strings.Fields(one.args)...)).CombinedOutput()
		if _, failed := errors.AsType[*exec.ExitError](err); !failed || !strings.Contains(string(out), one.want) {
			t.Errorf("%s: %v, not %q: %s", one.args, err, one.want, out)
		}
	}
}

// Where programs may pay nothing, nobody waits for the lock. Without keys, unlocking makes nothing ready.
func TestReadinessFollowsKeysAndPolicy(t *testing.T) {
	t.Parallel()
	wallet := start(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--rpc-spends=deny")
	remote{t, wallet.line(`^wallet API over HTTP on (http://\S+)$`)}.isReady("ok")
	node := start(t, "sandbox", "--listen=127.0.0.1:0").line(`^websocket +(ws://\S+)$`)
	api, _ := startWallet(t, node)
	api.isReady(onlyKeyless)
	api.ok("set_password", "correct horse")
	api.ok("unlock", "correct horse")
	api.isReady(onlyKeyless)
}

// A disk with too little left for the next payments makes a wallet unready, with both numbers.
func TestReadinessFollowsTheDisk(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if why := diskFault(folder, 0); why != "" {
		t.Errorf("a disk that needs nothing is full: %s", why)
	}
	if _, _, known := osfile.Room(folder); !known {
		t.Skip("this disk does not say how much is left")
	}
	if why := diskFault(folder, 1<<62); !strings.Contains(why, "MiB are left, and") {
		t.Errorf("a disk that needs more than it has: %q", why)
	}
}

// status runs billfold status on the server, and returns its exit code and all that it prints.
func (r remote) status(t *testing.T, args ...string) (code int, text string) {
	t.Helper()
	cmd := processOf(append(args, "--to", r.url))
	out, err := cmd.CombinedOutput()
	if ended, is := errors.AsType[*exec.ExitError](err); is {
		return ended.ExitCode(), string(out)
	}
	must(t, err)
	return shell.Done, string(out)
}

// isReady waits until a line of what /readyz answers begins with want, with the matching status; a want with the end of its line is
// the whole answer.
func (r remote) isReady(want string) {
	r.t.Helper()
	text, status := []byte(nil), 0
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		resp, err := http.Get(strings.TrimSuffix(r.url, "/rpc") + "/readyz")
		must(r.t, err)
		text, err = io.ReadAll(resp.Body)
		must(r.t, errors.Join(err, resp.Body.Close()))
		status = resp.StatusCode
		said := string(text)
		if strings.HasSuffix(want, "\n") && said != want {
			continue
		}
		if (strings.HasPrefix(said, want) || strings.Contains(said, "\n"+want)) && (status == http.StatusOK) == (want == "ok") {
			http.DefaultClient.CloseIdleConnections()
			return
		}
	}
	r.t.Errorf("/readyz answers %d %s, not %q", status, text, want)
}

func startWallet(t *testing.T, daemon string) (remote, *process) {
	t.Helper()
	wallet := start(t, "--daemon-url="+daemon, "--data-dir="+testwallet.Folder(t), "--rpc-http=127.0.0.1:0")
	return remote{t, wallet.line(`^wallet API over HTTP on (http://\S+)$`)}, wallet
}
