package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/walletcore/testwallet"

	"github.com/gorilla/websocket"
)

// dutyDay is a service as its unit starts it, and what an operator and his clients know of it.
type dutyDay struct {
	t         *testing.T
	folder    string // the unit's state folder
	work      string // what clients and the operator keep
	node      string
	http, ws  string // its addresses, which stay the same
	trusted   *x509.CertPool
	tokenFile string
	notify    string
	told      *net.UnixConn
}

// dayRoots returns the folders that packages were installed into, the present one and the next: DAY_ROOT and DAY_NEXT_ROOT. Without
// them, as in the suite, the test's own program stands for both, and the units are those of the sources.
func dayRoots(t *testing.T) (units string, programs [2]string) {
	own, err := os.Executable()
	must(t, err)
	root, next := os.Getenv("DAY_ROOT"), os.Getenv("DAY_NEXT_ROOT")
	if root == "" {
		return "../../packaging/systemd", [2]string{own, own}
	}
	return filepath.Join(root, "usr/lib/systemd/system"), [2]string{filepath.Join(root, "usr/bin/billfold"), filepath.Join(next, "usr/bin/billfold")}
}

// start starts a program as the unit says, with the addition that unlocks it.
func (d *dutyDay) start(units, program string) *process {
	d.t.Helper()
	unit, err := os.ReadFile(filepath.Join(units, "billfold.service"))
	must(d.t, err)
	addition, err := os.ReadFile("../../packaging/systemd/unlock.conf")
	must(d.t, err)
	begins := regexp.MustCompile(`(?m)^ExecStart=(.*)$`).FindSubmatch(unit)
	unlocks := regexp.MustCompile(`(?m)^Environment=(.*)$`).FindSubmatch(addition)
	if begins == nil || unlocks == nil {
		d.t.Fatal("the unit starts nothing, or nothing unlocks it")
	}
	words := strings.Fields(strings.NewReplacer("/usr/bin/billfold", program, "/var/lib/billfold", d.folder).Replace(string(begins[1])))
	cmd := exec.Command("/usr/bin/env", append([]string{"NOTIFY_SOCKET=" + d.notify, "CREDENTIALS_DIRECTORY=" + filepath.Join(d.work, "credentials"),
		string(unlocks[1])}, words...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	p := begin(d.t, "1", cmd)
	supervised{p, d.told}.until("STATUS=ready: it pays")
	return p
}

// command returns a command of the operator that types lines.
func (d *dutyDay) command(program, typed string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE="+quickExit)
	cmd.Stdin = strings.NewReader(typed)
	return cmd
}

// billfold runs a command that has to succeed, and returns what it prints.
func (d *dutyDay) billfold(program, typed string, args ...string) string {
	d.t.Helper()
	out, err := d.command(program, typed, args...).CombinedOutput()
	if err != nil {
		d.t.Fatalf("billfold %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (d *dutyDay) client() *http.Client {
	return &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: d.trusted}}}
}

// ready reports whether the service says that it pays.
func (d *dutyDay) ready() bool {
	resp, err := d.client().Get("https://" + d.http + "/readyz")
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// example starts one of the example clients, in Python or Node.
func (d *dutyDay) example(typed string, args ...string) (wait func() string, end func()) {
	d.t.Helper()
	ctx, cancel := context.WithCancel(d.t.Context())
	d.t.Cleanup(cancel)
	program := "python3"
	if strings.HasSuffix(args[0], ".mjs") {
		program = "node"
	}
	cmd := exec.CommandContext(ctx, program, append([]string{filepath.Join("../../docs/examples", args[0])}, args[1:]...)...)
	trusted := filepath.Join(d.work, "trusted.pem")
	cmd.Env = append(os.Environ(), "WALLET_URL=https://"+d.http+"/rpc", "WALLET_TOKEN_FILE="+d.tokenFile, "SSL_CERT_FILE="+trusted,
		"NODE_EXTRA_CA_CERTS="+trusted, "PYTHONDONTWRITEBYTECODE=1", "PYTHONUNBUFFERED=1")
	var said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(typed), &said, &said
	must(d.t, cmd.Start())
	return func() string {
		d.t.Helper()
		late := time.AfterFunc(2*patience, cancel)
		defer late.Stop()
		if err := cmd.Wait(); err != nil {
			d.t.Errorf("%v: %v\n%s", args, err, said.String())
		}
		return said.String()
	}, func() { cancel(); _ = cmd.Wait() }
}

// payOverWebsocket pays an order, whatever becomes of connections, and returns its transaction id. A service that is ready before and
// after its refusal has no reason to refuse.
func (d *dutyDay) payOverWebsocket(n int) string {
	params := map[string]any{"from": "nathan", "to": "decent", "amount": "1", "asset_symbol": "DCT", "memo": "", "broadcast": true,
		"request_key": fmt.Sprint("ws-", n)}
	for end := time.Now().Add(2 * patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		before := d.ready()
		token, err := os.ReadFile(d.tokenFile)
		must(d.t, err)
		dialer := websocket.Dialer{TLSClientConfig: &tls.Config{RootCAs: d.trusted}, HandshakeTimeout: patience}
		conn, _, err := dialer.Dial("wss://"+d.ws, http.Header{"Authorization": {"Bearer " + strings.TrimSpace(string(token))}})
		if err != nil {
			continue
		}
		var out reply
		err = errors.Join(conn.SetReadDeadline(time.Now().Add(patience)),
			conn.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "transfer", "params": params}))
		if err == nil {
			err = conn.ReadJSON(&out)
		}
		_ = conn.Close()
		switch {
		case err != nil: // nobody knows: the same key again
		case out.Error != nil && before && d.ready():
			d.t.Errorf("a service that is ready refuses: %d %s", out.Error.Code, out.Error.Message)
			return ""
		case out.Error == nil:
			var paid struct {
				ID string `json:"transaction_id"`
			}
			must(d.t, json.Unmarshal(out.Result, &paid))
			return paid.ID
		}
	}
	d.t.Errorf("ws-%d was never paid", n)
	return ""
}

// newToken replaces the token that the clients use. They read it for each call.
func (d *dutyDay) newToken(program, name string) {
	d.t.Helper()
	said := d.billfold(program, "", "token", "new", name, "--data-dir="+d.folder, "--expires=90d",
		"--methods=transfer,wait_payment,deposits.next,deposits.wait,deposits.ack")
	token := regexp.MustCompile(`(?m)(billfold_\S+)`).FindStringSubmatch(said)
	if token == nil {
		d.t.Fatalf("no token in %s", said)
	}
	next := writeFile(d.t, d.work, "token.next", token[1]+"\n")
	must(d.t, os.Rename(next, d.tokenFile))
}

// freeAddress returns an address that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().String()
}

// An operator's day: a wallet.json of cli_wallet becomes a service that unlocks by itself; example clients pay and credit over HTTP, others pay over
// websocket, while it gets a new certificate, token and log level, is killed, started again, backed up, put back elsewhere, upgraded and taken back; at
// last the copy takes its place. Nothing is paid twice, no order lacks its answer, each deposit is credited once, and who says that it is ready pays. make day does the same with
// packages that were installed.
func TestAnOperatorsDay(t *testing.T) {
	stories.Long(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed, and the example clients are not run")
	}
	units, programs := dayRoots(t)
	box := start(t, "sandbox", "--genesis=testdata/genesis.json", "--listen=127.0.0.1:0", "--block-time=1s")
	d := &dutyDay{t: t, folder: testwallet.Folder(t), work: testwallet.Folder(t), node: box.line(`^websocket +(ws://\S+)$`),
		http: freeAddress(t), ws: freeAddress(t), trusted: x509.NewCertPool()}
	ledger := box.line(`^HTTP +(http://\S+)$`)

	// The wallet of cli_wallet is taken over.
	legacy, err := os.ReadFile(filepath.Join("testdata", "wallet-legacy.json"))
	must(t, err)
	old := writeFile(t, d.work, "wallet.json", string(legacy))
	if said := d.billfold(programs[0], "", "migrate", "cli_wallet -s "+d.node+" -w "+old+" -H 127.0.0.1:8093 --daemon"); !strings.Contains(said, "billfold") {
		t.Error(said)
	}
	d.billfold(programs[0], "pass123\n"+linearPassword+"\n"+linearPassword+"\n", "--data-dir="+d.folder, "import", old)
	must(t, os.Mkdir(filepath.Join(d.work, "credentials"), 0o700))
	writeFile(t, filepath.Join(d.work, "credentials"), "wallet-password", linearPassword)
	first, second := certificateIn(t), certificateIn(t)
	var chain []byte
	for _, from := range []string{first, second} {
		text, err := os.ReadFile(filepath.Join(from, "rpc-cert.pem"))
		must(t, err)
		chain = append(chain, text...)
	}
	d.trusted.AppendCertsFromPEM(chain)
	writeFile(t, d.work, "trusted.pem", string(chain))
	cert, key := copyTo(t, first, d.work, "rpc-cert.pem"), copyTo(t, first, d.work, "rpc-key.pem")
	config := "daemon-url: " + d.node + "\nrpc-http: " + d.http + "\nrpc-ws: " + d.ws + "\nrpc-auth: true\nrpc-tls: true\nrpc-tls-cert: " + cert + "\nrpc-tls-key: " + key + "\n"
	writeFile(t, d.folder, "config.yaml", config)
	d.tokenFile = filepath.Join(d.work, "token")
	d.notify = filepath.Join(testwallet.SocketFolder(t), "notify")
	d.told, err = net.ListenUnixgram("unixgram", &net.UnixAddr{Name: d.notify, Net: "unixgram"})
	must(t, err)
	defer d.told.Close()

	d.newToken(programs[0], "monday")
	s := d.start(units, programs[0])
	had := balanceOn(t, ledger, "decent")

	// Orders come in over both transports for as long as the day goes on.
	const overHTTP = 40
	books := filepath.Join(d.work, "books")
	_, endDeposits := d.example("", "python/deposits.py", "decent", books)
	paidByPython, _ := d.example(ordersOf("python", overHTTP), "python/payouts.py", "nathan")
	paidByNode := func() string { return "" }
	clients := []string{"python"}
	if _, err := exec.LookPath("node"); err == nil {
		paidByNode, _ = d.example(ordersOf("node", overHTTP), "node/payouts.mjs", "nathan")
		clients = append(clients, "node")
	} else {
		t.Log("node is not installed, and its example client pays nothing")
	}
	var told []string
	var lock sync.Mutex
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for n := 0; ; n++ {
			id := d.payOverWebsocket(n)
			lock.Lock()
			told = append(told, id)
			lock.Unlock()
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	pays := func(orders int) { // waits until so many more were paid
		t.Helper()
		lock.Lock()
		from := len(told)
		lock.Unlock()
		for end := time.Now().Add(2 * patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			lock.Lock()
			n := len(told)
			lock.Unlock()
			if n >= from+orders {
				return
			}
		}
		t.Fatal("it pays no more")
	}
	pays(5)

	// A new certificate, log level and token while it pays.
	copyTo(t, second, d.work, "rpc-cert.pem")
	copyTo(t, second, d.work, "rpc-key.pem")
	writeFile(t, d.folder, "config.yaml", config+"log-level: debug\n")
	must(t, s.cmd.Process.Signal(syscall.SIGHUP))
	s.line(`TLS certificate (` + fingerprintOf(t, second) + `)`)
	if got := fingerprintAt(t, d.http); got != fingerprintOf(t, second) {
		t.Errorf("it serves the certificate %s", got)
	}
	s.line(`(level=DEBUG .*)`)
	d.newToken(programs[0], "tuesday")
	d.billfold(programs[0], "", "token", "revoke", "monday", "--data-dir="+d.folder)
	pays(5)

	// It is killed and started again.
	s.dumped = true
	must(t, s.cmd.Process.Signal(syscall.SIGKILL))
	s.stop()
	if d.ready() {
		t.Error("who was killed is ready")
	}
	s = d.start(units, programs[0])
	pays(5)

	// A backup while it pays, and the drill: checked, put back elsewhere, and held.
	backup := filepath.Join(d.work, "backup")
	d.billfold(programs[0], "sealing wax\nsealing wax\n", "--data-dir="+d.folder, "backup", backup)
	pays(5)
	drill := filepath.Join(d.work, "drill")
	checked, _ := d.command(programs[0], "sealing wax\n"+linearPassword+"\n", "--data-dir="+drill, "--daemon-url="+d.node, "restore", "--check", backup).CombinedOutput()
	for _, want := range []string{"decent 1.2.15: the keys in the backup pay for it", "nathan 1.2.16: the keys in the backup pay for it",
		"alice 1.2.17: it is not on the ledger"} { // its old wallet knew it on another one
		if !strings.Contains(string(checked), want) {
			t.Errorf("the check lacks %q: %s", want, checked)
		}
	}
	d.billfold(programs[0], "sealing wax\n", "--data-dir="+drill, "restore", backup)
	must(t, os.Remove(filepath.Join(drill, "config.yaml")))
	held := begin(t, "1", exec.Command(programs[0], "--data-dir="+drill, "--daemon-url="+d.node, "--rpc-http=127.0.0.1:0"))
	api := remote{t, held.line(`^wallet API over HTTP on (http://\S+)$`)}
	api.ok("unlock", linearPassword)
	api.isReady("not ready: the payment journal is not the one that the wallet wrote last")
	if out := api.call("transfer", "nathan", "decent", "1", "DCT", "", "true"); out.Error == nil {
		t.Error("a backup that was put back pays before anybody said that it may")
	}
	held.stop()

	// Upgraded, and back.
	for _, program := range []string{programs[1], programs[0]} {
		s.stop()
		s = d.start(units, program)
		pays(5)
	}

	close(stop)
	<-stopped
	said := paidByPython() + paidByNode()
	s.line(`(state=irreversible)`)

	// Each order was answered with a transaction of its own, and each is on the ledger once.
	keys := map[string]string{} // by transaction id
	for n, id := range told {
		keys[id] = fmt.Sprint("ws-", n)
	}
	answered := func(said string) {
		t.Helper()
		for _, client := range clients {
			for n := range overHTTP {
				order := fmt.Sprint(client, "-", n)
				paid := regexp.MustCompile(`(?m)^`+order+` ([0-9a-f]{40})$`).FindAllStringSubmatch(said, -1)
				if len(paid) != 1 {
					t.Errorf("%s was answered %d times:\n%s", order, len(paid), said)
					continue
				}
				if other := keys[paid[0][1]]; other != "" && other != order {
					t.Errorf("%s and %s have one transaction", order, other)
				}
				keys[paid[0][1]] = order
			}
		}
	}
	answered(said)
	orders := len(told) + overHTTP*len(clients)
	if len(keys) != orders {
		t.Errorf("%d orders made %d payments", orders, len(keys))
	}
	for end := time.Now().Add(patience); balanceOn(t, ledger, "decent")-had != int64(orders)*100_000_000; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d orders brought decent from %d to %d", orders, had, balanceOn(t, ledger, "decent"))
		}
	}
	// Each was credited once, and nothing else was.
	credited := func() (n, distinct int) {
		out, err := exec.Command("python3", "-c", "import sqlite3,sys\nprint(*sqlite3.connect(sys.argv[1]).execute("+
			"'SELECT COUNT(*), COUNT(DISTINCT transaction_id) FROM credit').fetchone())", books).CombinedOutput()
		must(t, err)
		_, err = fmt.Sscan(string(out), &n, &distinct)
		must(t, err)
		return n, distinct
	}
	for end := time.Now().Add(2 * patience); ; time.Sleep(200 * time.Millisecond) {
		n, distinct := credited()
		if n == orders && distinct == orders {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("of %d orders %d were credited, %d of them different", orders, n, distinct)
		}
	}
	endDeposits()

	// The service is gone for good, and the drill takes its place: it finds what it lacks on the ledger, and is told which orders those were. Then every
	// client may ask for everything once more.
	s.stop()
	status, err := d.command(programs[0], "", "journal", "status", "--data-dir="+drill).CombinedOutput()
	from := regexp.MustCompile(`--from-block ([0-9]+)`).FindSubmatch(status)
	if err == nil || from == nil {
		t.Fatalf("journal status names no block to begin at: %s", status)
	}
	found := regexp.MustCompile(`[0-9a-f]{40}`).FindAllString(d.billfold(programs[0], linearPassword+"\n",
		"journal", "accept", "--data-dir="+drill, "--daemon-url="+d.node, "--from-block="+string(from[1])), -1)
	slices.Sort(found)
	found = slices.Compact(found)
	for _, id := range found {
		d.billfold(programs[0], "", "journal", "claim", keys[id], id, "--data-dir="+drill)
	}
	if len(found) == 0 || len(found) >= orders {
		t.Errorf("the drill lacked %d of %d payments", len(found), orders)
	}
	writeFile(t, drill, "config.yaml", config)
	d.folder = drill
	s = d.start(units, programs[0])
	again, _ := d.example(ordersOf("python", overHTTP), "python/payouts.py", "nathan")
	said = again()
	if len(clients) == 2 {
		again, _ = d.example(ordersOf("node", overHTTP), "node/payouts.mjs", "nathan")
		said += again()
	}
	answered(said)
	for n, id := range told {
		if now := d.payOverWebsocket(n); now != id {
			t.Errorf("ws-%d was %s, and is %s after the loss", n, id, now)
		}
	}
	if len(keys) != orders {
		t.Errorf("after the loss, %d orders made %d payments", orders, len(keys))
	}
	s.stop()
	if got := balanceOn(t, ledger, "decent") - had; got != int64(orders)*100_000_000 {
		t.Errorf("after the loss, %d orders brought %d", orders, got)
	}
	t.Logf("%d orders, %d of them lost and claimed", orders, len(found))
}

// ordersOf returns n orders as the example clients read them.
func ordersOf(client string, n int) string {
	var list strings.Builder
	for i := range n {
		fmt.Fprintf(&list, `{"order":"%s-%d","to":"decent","amount":"1","asset":"DCT","memo":"%s-%d"}`+"\n", client, i, client, i)
	}
	return list.String()
}

// balanceOn returns the DCT of an account on the ledger, in its smallest unit.
func balanceOn(t *testing.T, ledger, name string) int64 {
	t.Helper()
	resp, err := http.Post(ledger, "application/json", strings.NewReader(`{"id":1,"method":"get_named_account_balances","params":["`+name+`",["1.3.0"]]}`))
	must(t, err)
	defer resp.Body.Close()
	var out struct {
		Result []struct{ Amount json.Number }
	}
	must(t, json.NewDecoder(resp.Body).Decode(&out))
	if len(out.Result) != 1 {
		t.Fatalf("%s has %v", name, out)
	}
	amount, err := out.Result[0].Amount.Int64()
	must(t, err)
	return amount
}
