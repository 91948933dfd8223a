package walletcore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/deposit"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"

	"github.com/gorilla/websocket"
)

const (
	// blockStep is the time between blocks of the scene's ledger, and behind how far
	// before this machine's clock it starts: its blocks are produced as fast as
	// possible, and must not overtake the clock.
	blockStep = 2 * time.Second
	behind    = 10 * time.Minute
	// callTime is the deadline of each call of the wallet; a call that has not returned
	// callGrace after it counts as hanging.
	callTime  = 5 * time.Second
	callGrace = 7 * time.Second
)

// scene is a ledger, a liar in front of it, and a wallet's folder.
type scene struct {
	t     testing.TB
	luck  *rand.Rand
	dir   string
	box   *sandbox.Sandbox
	liar  *liar
	line  *truthLine // to the ledger, bypassing the liar
	clock struct {
		sync.Mutex
		ahead time.Duration
	}
	began time.Time
	until time.Time // when no more operations start; zero: all do

	found    *findings
	requests []*request
	mu       sync.Mutex
	seen     map[ledger.TransactionID]bool
	later    []func() // what to do once the liar turns honest
	blocks   []*ledger.Block
	known    map[ledger.TransactionID]uint32 // transactions of the ledger, with their block
	accounts map[string]ledger.Account
	funded   int
	miners   []ledger.MinerID
	handed   map[string]bool // deposits, by position
	wallet   *walletcore.Wallet
	deposits *deposit.Queue
	closing  func()
}

// genesis is made once: its keys take most of the time to start a ledger.
var genesis = sync.OnceValues(func() (*sandbox.Genesis, error) { return sandbox.DemoGenesis(time.Now().Add(-behind)) })

// key returns the only key of an account, or a miner, of the demo.
func key(name string) ledger.PrivateKey { return ledger.DeriveKey("billfold sandbox "+name, 0) }

func minerKeys() (keys []ledger.PrivateKey) {
	for c := 'a'; c <= 'k'; c++ {
		keys = append(keys, key("miner-"+string(c)))
	}
	return keys
}

// newScene starts a ledger and a liar, which tells the truth at first.
func newScene(t testing.TB, seed uint64) *scene {
	t.Helper()
	g, err := genesis()
	must(t, err)
	s := &scene{
		t: t, luck: rand.New(rand.NewPCG(seed, seed)), dir: testwallet.Folder(t), began: time.Now(),
		found: &findings{}, seen: map[ledger.TransactionID]bool{}, known: map[ledger.TransactionID]uint32{},
		accounts: map[string]ledger.Account{}, handed: map[string]bool{},
	}
	s.box, err = sandbox.New(sandbox.Options{
		Genesis: g, MinerKeys: minerKeys(), Listen: "127.0.0.1:0", BlockTime: 24 * time.Hour, // only Mine makes blocks
		Now: s.now,
	})
	must(t, err)
	s.run(s.box.Run)
	s.mine(12) // every miner has signed
	s.line = reach(t, s.box.URL())
	s.liar = newLiar(t, s.box.URL(), s.broadcast)
	return s
}

// now returns the time of the scene's ledger.
func (s *scene) now() time.Time {
	s.clock.Lock()
	defer s.clock.Unlock()
	return s.began.Add(-behind + s.clock.ahead)
}

// late reports whether no more operations start.
func (s *scene) late() bool { return !s.until.IsZero() && time.Now().After(s.until) }

// mine produces n blocks.
func (s *scene) mine(n int) {
	s.t.Helper()
	for range n {
		s.clock.Lock()
		s.clock.ahead += blockStep
		s.clock.Unlock()
		_, err := s.box.Mine()
		must(s.t, err)
	}
}

// run runs part until the scene ends or stop is called.
func (s *scene) run(part func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- part(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case <-done:
		case <-time.After(callGrace):
			s.found.hang("the end of the wallet")
		}
	})
	s.t.Cleanup(stop)
	return stop
}

// open starts the wallet from what is on disk.
func (s *scene) open() {
	s.t.Helper()
	book, err := sqlite.Open(filepath.Join(s.dir, "payments.db"))
	must(s.t, err)
	index, err := historyindex.Open(filepath.Join(s.dir, "history.db"))
	must(s.t, err)
	path := filepath.Join(s.dir, "wallet.keys")
	chain, err := walletcore.ChainOf(path)
	must(s.t, err)
	client := daemonclient.New(daemonclient.Config{
		ChainID: chain, URLs: []string{s.liar.url}, MinBackoff: time.Millisecond, MaxBackoff: 20 * time.Millisecond,
		ProbeInterval: 25 * time.Millisecond,
		AnswerTimeout: 400 * time.Millisecond, CallTimeout: time.Second, ConnectTimeout: 2 * time.Second,
		LagAfter: 2 * behind, StaleAfter: 2 * behind,
	})
	w, err := walletcore.Open(walletcore.Config{
		Path: path, Daemon: client, Index: index, Store: book,
		Keystore: &keystore.Options{Params: keystore.Params{MemoryKiB: 8, Time: 1, Threads: 1}, AllowWeak: true},
	})
	must(s.t, err)
	stopClient, stopWallet := s.run(client.Run), s.run(w.Run)
	s.wallet, s.deposits = w, deposit.New(book.Cursors,
		deposit.Sources{Accounts: w.View.Accounts, History: w.History, Prover: w.Deposits, Chain: w.View.Chain})
	s.closing = sync.OnceFunc(func() {
		stopWallet()
		stopClient()
		for _, c := range []interface{ Close() error }{book, index} {
			if err := c.Close(); err != nil {
				s.t.Error(err)
			}
		}
	})
	s.t.Cleanup(s.closing)
	s.bounded("waiting for the daemon", func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		_ = client.WaitOnline(ctx) // a liar may be refused
	})
	if !w.Vault.IsNew() {
		must(s.t, w.Vault.Unlock(context.Background(), testwallet.Password))
	}
}

// begin creates the wallet with the keys of alice and bobby. If honest, the wallet also
// sees everybody it will pay.
func (s *scene) begin(honest bool) {
	s.t.Helper()
	s.open()
	must(s.t, s.wallet.Vault.Create(context.Background(), testwallet.Password))
	for _, name := range []string{"alice", "bobby"} {
		s.bounded("import", func(ctx context.Context) {
			if belongs, err := s.wallet.Import.ImportSingleKey(ctx, name, key(name).WIF()); honest && (err != nil || !belongs) {
				s.t.Fatalf("importing the key of %s: %v, %v", name, belongs, err)
			}
		})
	}
}

// reopen stops the wallet and starts it again, with only what is on disk.
func (s *scene) reopen() {
	s.t.Helper()
	s.closing()
	s.open()
}

// bounded makes a call that must return in time.
func (s *scene) bounded(what string, call func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		call(ctx)
	}()
	select {
	case <-done:
	case <-time.After(callTime + callGrace):
		s.found.hang(what)
		<-done // the scene cannot continue
	}
}

// truthLine is a connection to the ledger itself, for one question at a time.
type truthLine struct {
	mu   sync.Mutex
	conn *websocket.Conn
	id   int
	t    testing.TB
}

func reach(t testing.TB, url string) *truthLine {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial(url, nil)
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	l := &truthLine{conn: conn, t: t}
	l.ask(1, "login", "", "")
	return l
}

// ask returns the result, or nil for an error.
func (l *truthLine) ask(set int, method string, args ...any) json.RawMessage {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.id++
	if args == nil {
		args = []any{}
	}
	text, err := json.Marshal(map[string]any{"id": l.id, "method": "call", "params": []any{set, method, args}})
	must(l.t, err)
	must(l.t, l.conn.WriteMessage(websocket.TextMessage, text))
	for {
		_, message, err := l.conn.ReadMessage()
		must(l.t, err)
		var e envelope
		must(l.t, json.Unmarshal(message, &e))
		if e.ID != nil {
			return e.Result
		}
	}
}

// ask calls a database method of the ledger.
func (s *scene) ask(method string, args ...any) json.RawMessage {
	return s.line.ask(0, method, args...)
}

// rawAccount returns an account as the ledger has it, for a lie to change.
func (s *scene) rawAccount(name string) object {
	list, _ := decode(s.ask("lookup_account_names", []string{name})).([]any)
	if len(list) == 1 {
		if o, ok := list[0].(object); ok {
			return o
		}
	}
	s.t.Errorf("the ledger has no account %s", name)
	return object{}
}

// account returns an account as the ledger has it.
func (s *scene) account(name string) ledger.Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, ok := s.accounts[name]; ok {
		return a
	}
	var list []ledger.Account
	must(s.t, codec.Unmarshal(s.ask("lookup_account_names", []string{name}), &list))
	s.accounts[name] = list[0]
	return list[0]
}

// head returns the ledger's real head.
func (s *scene) head() (d ledger.DynamicGlobalProperties) {
	must(s.t, codec.Unmarshal(s.ask("get_dynamic_global_properties"), &d))
	return d
}

// block returns one of the ledger's blocks.
func (s *scene) block(num uint32) *ledger.Block {
	b := new(ledger.Block)
	must(s.t, codec.Unmarshal(s.ask("get_block", num), b))
	return b
}

// read reads the ledger's new blocks.
func (s *scene) read() {
	for head := s.head().HeadBlockNumber; uint32(len(s.blocks)) < head; {
		b := s.block(uint32(len(s.blocks)) + 1)
		s.blocks = append(s.blocks, b)
		for _, id := range b.TransactionIDs {
			s.known[id] = b.BlockID.Num()
		}
	}
}

// soon is called by lies for what to do once the liar turns honest.
func (s *scene) soon(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.later = append(s.later, do)
}

// findings collects violations of what must hold for every lie.
type findings struct {
	mu                                    sync.Mutex
	signed, finality, others, hangs, must []string
}

func (f *findings) add(list *[]string, format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	*list = append(*list, fmt.Sprintf(format, args...))
}

func (f *findings) hang(what string) { f.add(&f.hangs, "%s did not end in time", what) }
