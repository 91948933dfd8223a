package main

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// password is the password of the wallets made here.
const password = "tram-kettle-orbit-93-velvet"

// proxy passes connections between the program and its node. It can be cut and joined again while the ledger continues.
type proxy struct {
	addr, to string

	mu    sync.Mutex
	l     net.Listener
	conns []net.Conn
}

// join accepts connections.
func (n *proxy) join() error {
	if n.addr == "" {
		n.addr = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", n.addr)
	if err != nil {
		return err
	}
	n.mu.Lock()
	n.l, n.addr = l, l.Addr().String()
	n.mu.Unlock()
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			n.pass(from)
		}
	}()
	return nil
}

func (n *proxy) pass(from net.Conn) {
	to, err := net.Dial("tcp", n.to)
	if err != nil {
		_ = from.Close()
		return
	}
	n.mu.Lock()
	n.conns = append(n.conns, from, to)
	n.mu.Unlock()
	for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
		go func() {
			_, _ = io.Copy(way[0], way[1]) // closing the connection ends the other direction, too
			_ = way[0].Close()
		}()
	}
}

// cut closes all connections and accepts no new ones.
func (n *proxy) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	_ = n.l.Close()
	for _, c := range n.conns {
		_ = c.Close()
	}
	n.conns = nil
}

// startLedger starts a ledger for this check behind a proxy, and reads the keys of its demo accounts. It ends with the check.
func (t *terminal) startLedger() *proxy {
	n := new(proxy)
	cmd := exec.Command(t.kit.binary, "sandbox", "--listen=127.0.0.1:0", "--block-time=5s")
	said := filepath.Join(t.home, "ledger.txt")
	out, err := os.Create(said)
	if err == nil {
		defer out.Close()
		cmd.Stdout = out
		err = cmd.Start()
	}
	if err != nil {
		t.fail("starting the ledger: %v", err)
		return n
	}
	t.cleanups = append(t.cleanups, func() { n.cut(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	keys := regexp.MustCompile(`(?s)ws://(\S+).*demo key +alice +(\S+).*demo key +bobby +(\S+)`)
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		text, _ := os.ReadFile(said) // read again while it is empty
		if m := keys.FindStringSubmatch(string(text)); m != nil {
			n.to, t.wif = m[1], map[string]string{"alice": m[2], "bobby": m[3]}
			break
		}
		if time.Now().After(end) {
			t.fail("the ledger does not start: %s", text)
			return n
		}
	}
	if err := n.join(); err != nil {
		t.fail("%v", err)
	}
	return n
}

// folder returns the folder of an account's wallet.
func (t *terminal) folder(account string) string { return filepath.Join(t.home, account) }

// makeWallet makes a wallet with the key of an account of the ledger.
func (t *terminal) makeWallet(n *proxy, account string) {
	t.call(n, account, password, "set_password", "-")
	t.call(n, account, password+"\n"+t.wif[account], "import_key", account, "-")
}

// call executes an operation with a wallet, which reads its secrets from standard input.
func (t *terminal) call(n *proxy, account, secrets string, operation ...string) {
	if t.err != nil {
		return
	}
	cmd := exec.Command(t.kit.binary, append([]string{"--data-dir=" + t.folder(account), "--daemon-url=ws://" + n.addr, "call"}, operation...)...)
	cmd.Stdin = strings.NewReader(secrets + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.fail("%s: %v: %s", operation[0], err, out)
	}
}

// open starts the program with alice's wallet and unlocks it.
func (t *terminal) open(n *proxy) {
	t.start("", "--data-dir="+t.folder("alice"), "--daemon-url=ws://"+n.addr)
	t.wait(`Password`)
	t.text(password)
	t.keys("Enter")
	t.wait(`DCT +1[23],\d{3}\.`)
	t.wait(`● #`)
}

// withNode starts a ledger, and the program with alice's wallet.
func withNode(t *terminal) *proxy {
	n := t.startLedger()
	t.makeWallet(n, "alice")
	t.open(n)
	return n
}

// payAndCut pays, and cuts the connection before the payment is in a block.
func payAndCut(t *terminal, n *proxy) {
	t.toReview("carol", "5")
	t.pause(time.Second)
	t.keys("S")
	t.wait(`(?i)waiting for the next block`)
	n.cut()
	t.wait(`outcome unknown`)
}

func nodeGone(t *terminal) {
	n := withNode(t)
	payAndCut(t, n)
	t.wait(`Do not send again`)
	t.wait(`only until`)
	t.framed()
	t.shot("unknown")
	t.keys("b")
	t.wait(`Not while the outcome is unknown`)
	t.keys("Escape 1")
	t.wait(`\? 5\.00000000 DCT`)
	t.shot("home")
}

func nodeBack(t *terminal) {
	n := withNode(t)
	payAndCut(t, n)
	if err := n.join(); err != nil {
		t.fail("%v", err)
	}
	t.waitLong(`✓ In a block`)
	t.shot("found")
	t.keys("Escape Escape 1")
	t.waitLong(`No pending payments`)
	t.keys("2")
	t.paidOnce()
}

// paidOnce fails unless History has one payment of 5 to carol.
func (t *terminal) paidOnce() {
	t.wait(`→ carol 1\.2\.18 .*-5\.00000000 DCT`)
	paid := strings.Count(t.screen(), "-5.00000000 DCT")
	t.want(paid == 1, "History has %d payments", paid)
	t.framed()
	t.shot("history")
}

func killed(t *terminal) {
	n := withNode(t)
	t.toReview("carol", "5")
	t.pause(time.Second)
	t.keys("S")
	t.kill()
	t.wait(`Killed`)
	t.end()
	t.open(n)
	t.wait(`[◐✓?] 5\.00000000 DCT|-5\.00000000 DCT`)
	t.shot("home")
	t.waitLong(`No pending payments`)
	t.keys("2")
	t.paidOnce()
}

// kill kills the program.
func (t *terminal) kill() {
	if t.err != nil {
		return
	}
	shell, err := t.kit.tmux("display-message", "-p", "-t", t.name, "#{pane_pid}")
	if err != nil {
		t.fail("%v", err)
		return
	}
	if out, err := exec.Command("pkill", "-KILL", "-P", strings.TrimSpace(shell)).CombinedOutput(); err != nil {
		t.fail("killing the program: %v: %s", err, out)
	}
}

func approves(t *terminal) {
	n := t.startLedger()
	t.makeWallet(n, "alice")
	t.makeWallet(n, "bobby")
	until := time.Now().UTC().Add(36 * time.Hour).Format("2006-01-02T15:04:05")
	t.call(n, "bobby", password, "propose_transfer", "bobby", "alice", "carol", "400", "DCT", "", until)
	t.open(n)
	t.keys("8")
	t.wait(`1\.6\.0`)
	t.wait(`400\.00000000 DCT`)
	t.wait(`happens at once`)
	t.framed()
	t.shot("proposal")
	t.keys("a")
	t.wait(`Review`)
	t.wait(`400\.00000000 DCT`)
	t.pause(time.Second)
	t.keys("Enter")
	t.hides(`In a block`)
	if t.has(`type the object id`) {
		t.text("1.2.18")
	}
	t.shot("review")
	t.pause(time.Second)
	t.keys("G")
	t.pause(time.Second)
	t.keys("S")
	t.waitLong(`✓ In a block`)
	t.shot("approved")
	t.keys("Escape Escape Escape 2")
	t.keys("g")
	t.wait(`-400\.00000000 DCT`)
	t.shot("history")
}

func offline(t *terminal) {
	n := withNode(t)
	t.keys("2")
	t.wait(`row 1 of`)
	n.cut()
	t.waitLong(`No node answers\. Shown as of`)
	t.wait(`History of alice 1\.2\.16 · as of`)
	t.framed()
	t.shot("history")
	for _, key := range strings.Fields("1 4 5 6 7 8 9 - = ,") {
		t.keys("Escape Escape " + key)
		t.wait(` (KEYS|TYPE) +` + pageNames()[key])
		t.framed()
	}
	t.keys("Escape Escape 1")
	t.wait(`as of`)
	t.shot("home")
	t.keys("3")
	t.text("carol")
	t.keys("Tab")
	t.text("5")
	t.wait(`not possible, no node|no node`)
	t.keys("C-s")
	t.pause(time.Second)
	t.shot("send")
	t.keys("Escape S")
	t.pause(time.Second)
	t.hides(`Prepared|In a block`)
}
