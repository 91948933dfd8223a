package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox"
	"billfold/sandbox/chain/genesis"
)

// The limits for a wallet of very many accounts.
const (
	manyAccounts = 100_000
	manyExist    = 20_000 // how many exist: a ledger with more needs more memory than an ordinary machine has
	fewAccounts  = 10
	manyStart    = time.Second // of processor time, from the start of the program to its listeners
	manyMemory   = 250e6       // bytes, at every moment
	manyShare    = 0.8         // of the payments per second of a wallet of few accounts, measured in turns
	manyPassword = "many"
)

// TestManySpeed starts wallet processes with few and with very many accounts on one ledger, which has the first 20,000
// of these accounts. It prints their costs: to start, to unlock, while the password's cost is raised, for a payment and
// for a block.
func TestManySpeed(t *testing.T) {
	if os.Getenv("SPEED") == "" || runtime.GOOS != "linux" {
		t.Skip("the figures are worth something on a quiet machine only, and are read from /proc: make bench runs it")
	}
	program := buildProgram(t)
	c := makeCustomers(t, manyAccounts)
	path := filepath.Join(t.TempDir(), "genesis.json")
	must(t, os.WriteFile(path, c.genesis.Text(), 0o600))
	box := launch(t, program, "sandbox", "--listen=127.0.0.1:0", "--genesis="+path)
	node := box.line(`^websocket +(ws://\S+)$`)
	var first struct{ ID ledger.AccountID }
	must(t, json.Unmarshal([]byte(remote{t, box.line(`^HTTP +(http://\S+)$`)}.ok("get_account_by_name", customerName(0))), &first))
	c.first = first.ID

	table := &manyTable{}
	floor := &keystore.Options{Params: keystore.Params{MemoryKiB: 64 << 10, Time: 3, Threads: 4}}
	raised := c.open(t, program, node, manyAccounts, floor)
	table.add(t, raised, "the password's cost is raised")
	raised.stop()
	var wallets []*manyWallet
	for _, n := range []int{fewAccounts, 1_000, 10_000, manyAccounts} {
		w := c.open(t, program, node, n, nil)
		w.measureBlocks(t)
		table.add(t, w, "")
		wallets = append(wallets, w)
	}
	few, many := wallets[0], wallets[len(wallets)-1]
	comparePayments(t, c, few, many)
	t.Logf("payments a second: %.0f with %d accounts, %.0f with %d\n%s", few.payments, few.accounts, many.payments, many.accounts,
		table.text.String())
}

// customers are accounts with a key each.
type customers struct {
	genesis *sandbox.Genesis
	keys    []ledger.PrivateKey
	public  []ledger.PublicKey
	first   ledger.AccountID
}

func customerName(i int) string { return fmt.Sprintf("customer-%06d", i) }

// makeCustomers adds accounts to the demo's genesis. The first few have funds.
func makeCustomers(t testing.TB, n int) *customers {
	t.Helper()
	g, err := sandbox.DemoGenesis(time.Now())
	must(t, err)
	c := &customers{}
	for i := range n {
		secret := [32]byte{0: 1}
		binary.BigEndian.PutUint64(secret[24:], uint64(i))
		key, err := ledger.NewPrivateKey(secret)
		must(t, err)
		public := key.Public()
		c.keys, c.public = append(c.keys, key), append(c.public, public)
		if i >= manyExist {
			continue
		}
		g.InitialAccounts = append(g.InitialAccounts, genesis.Account{Name: customerName(i), OwnerKey: public, ActiveKey: public})
		if i < fewAccounts {
			g.InitialBalances = append(g.InitialBalances, genesis.Balance{Owner: customerName(i), AssetSymbol: "DCT", Amount: 1e13})
		}
	}
	text, err := codec.Marshal(g)
	must(t, err)
	c.genesis, err = sandbox.ReadGenesis(text)
	must(t, err)
	return c
}

// keyFile writes the key file of the first n customers and returns its folder.
func (c *customers) keyFile(t testing.TB, n int, opts *keystore.Options) string {
	t.Helper()
	public := keystore.Public{ChainID: c.genesis.ChainID()}
	var secrets keystore.Secrets
	for i := range n {
		id := c.first + ledger.AccountID(i)
		_, err := secrets.AddKey(c.keys[i])
		must(t, err)
		public.Accounts = append(public.Accounts, keystore.Account{ID: id, Name: customerName(i)})
		public.AccountKeys = append(public.AccountKeys, keystore.AccountKeys{Account: id, Keys: c.public[i : i+1]})
	}
	folder := t.TempDir()
	store, err := keystore.Create(filepath.Join(folder, keystoreName), manyPassword, public, &secrets, opts)
	must(t, err)
	store.Lock()
	return folder
}

// manyWallet is a wallet with its measured costs.
type manyWallet struct {
	soaked
	accounts     int
	start, began time.Duration // processor time and time until it listened
	unlock       time.Duration // processor time
	read, opened uint64        // resident bytes when it listened, and after the unlock
	first, block time.Duration // processor time of the first block after the unlock, and of each later one
	payments     float64       // per second
	peak         uint64        // the most resident bytes
}

func (c *customers) open(t testing.TB, program, node string, n int, opts *keystore.Options) *manyWallet {
	t.Helper()
	folder := c.keyFile(t, n, opts)
	w := &manyWallet{accounts: n}
	begin := time.Now()
	p := launch(t, program, "--daemon-url="+node, "--data-dir="+folder, "--rpc-http=127.0.0.1:0", "--rpc-ws=127.0.0.1:0")
	w.soaked = soaked{p, p.line(`^wallet API over HTTP on (http://\S+)$`), p.line(`^wallet API over websocket on (ws://\S+)$`)}
	w.began, w.start, w.read = time.Since(begin), p.processorTime(), p.resident()
	api := remote{t, w.http}
	api.until("1.2.", "get_account", customerName(0))
	before := p.processorTime()
	body := strings.NewReader(request("unlock", `["`+manyPassword+`"]`))
	answer, err := (&http.Client{Timeout: 10 * patience}).Post(w.http, "application/json", body)
	must(t, err)
	must(t, answer.Body.Close())
	w.unlock, w.opened = p.processorTime()-before, p.resident()
	return w
}

// measureBlocks measures blocks in which nothing happens to the wallet. During the first one, the garbage of the unlock is still
// being collected, on processors that have nothing else to do.
func (w *manyWallet) measureBlocks(t testing.TB) {
	t.Helper()
	const blocks = 5
	w.first = w.during(func() { time.Sleep(sandbox.DefaultBlockTime) })
	w.block = w.during(func() { time.Sleep(blocks * sandbox.DefaultBlockTime) }) / blocks
}

// comparePayments makes two wallets pay in turns, between accounts that both have.
func comparePayments(t *testing.T, c *customers, few, many *manyWallet) {
	t.Helper()
	frame := request("transfer", fmt.Sprintf(`[%q,%q,"0.00001","DCT","memo here",true]`, customerName(0), customerName(1)))
	var felts [2]callStats
	for range speedTurns {
		for i, w := range []*manyWallet{few, many} {
			felts[i].turn(t, dialWS(w.ws, frame), 4, nodeTurn)
		}
	}
	few.payments, many.payments = felts[0].rate(), felts[1].rate()
	if failed := felts[0].failed + felts[1].failed; failed > 0 {
		t.Errorf("%d payments failed: %v %v", failed, felts[0].fault, felts[1].fault)
	}
	if many.payments < manyShare*few.payments {
		t.Errorf("with %d accounts %.0f payments a second are made, with %d %.0f", many.accounts, many.payments, few.accounts, few.payments)
	}
}

// manyTable is a table of the costs of wallets, checked against the limits.
type manyTable struct{ text strings.Builder }

func (table *manyTable) add(t *testing.T, w *manyWallet, remark string) {
	t.Helper()
	w.peak = w.status("VmHWM:")
	if table.text.Len() == 0 {
		fmt.Fprintln(&table.text, "accounts | start: processor, clock | resident | unlock: processor | resident | peak | "+
			"first block, then: processor")
	}
	row := fmt.Sprintf("%8d | %4d ms, %5d ms | %4d MB | %5d ms | %4d MB | %4d MB | %4d ms, %6.1f ms %s\n", w.accounts, w.start.Milliseconds(),
		w.began.Milliseconds(), w.read/1e6, w.unlock.Milliseconds(), w.opened/1e6, w.peak/1e6, w.first.Milliseconds(), float64(w.block)/1e6,
		remark)
	t.Log(row)
	table.text.WriteString(row)
	if w.start >= manyStart {
		t.Errorf("with %d accounts the start takes %v of processor time", w.accounts, w.start)
	}
	if w.accounts == manyAccounts && w.peak >= manyMemory { // for a smaller file, each password attempt may cost up to 512 MiB
		t.Errorf("with %d accounts %d MB are resident at the most", w.accounts, w.peak/1e6)
	}
}

// status returns an amount of memory in the process's status, in bytes.
func (p *process) status(field string) uint64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	must(p.t, err)
	_, rest, _ := strings.Cut(string(text), field)
	var kib uint64
	_, err = fmt.Sscan(rest, &kib)
	must(p.t, err)
	return kib << 10
}

// during returns the processor time of the process while work runs, 0 if there is no process or the time is not known.
func (p *process) during(work func()) time.Duration {
	if p == nil || runtime.GOOS != "linux" {
		work()
		return 0
	}
	before := p.processorTime()
	work()
	return p.processorTime() - before
}

// processorTime returns the processor time that the process has used so far.
func (p *process) processorTime() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	must(p.t, err)
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest) // the fields from the third on
	user, err := strconv.Atoi(fields[11])
	must(p.t, err)
	system, err := strconv.Atoi(fields[12])
	must(p.t, err)
	return time.Duration(user+system) * time.Second / 100
}
