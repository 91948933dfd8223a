package news

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/rpcserver"
	"billfold/sandbox"
	"billfold/walletcore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func run(t testing.TB, part func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- part(ctx) }()
	t.Cleanup(func() {
		cancel()
		must(t, <-done)
	})
}

// stage is a wallet of alice and bobby whose news reach a websocket.
type stage struct {
	*testing.T
	ctx    context.Context
	box    *sandbox.Sandbox
	wallet *walletcore.Wallet
	conn   *websocket.Conn
}

func begin(t *testing.T) *stage {
	t.Helper()
	genesis, err := sandbox.DemoGenesis(time.Now())
	must(t, err)
	box, err := sandbox.New(sandbox.Options{Genesis: genesis, Listen: "127.0.0.1:0"})
	must(t, err)
	run(t, box.Run)
	client := daemonclient.New(daemonclient.Config{URL: box.URL()})
	w, err := walletcore.Open(walletcore.Config{
		Path: t.TempDir() + "/wallet.keys", Daemon: client,
		Keystore: &keystore.Options{Params: keystore.Params{MemoryKiB: 64, Time: 1, Threads: 1}, AllowWeak: true},
	})
	must(t, err)
	run(t, client.Run)
	run(t, w.Run)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	must(t, client.WaitOnline(ctx))
	must(t, w.Create(ctx, "correct horse"))
	for _, k := range sandbox.DemoKeys()[:2] {
		_, err := w.ImportSingleKey(ctx, k.Account, k.Key.WIF())
		must(t, err)
	}
	s := &stage{T: t, ctx: ctx, box: box, wallet: w}
	s.connect()
	return s
}

func (s *stage) connect() {
	s.Helper()
	feed := rpcserver.NewFeed()
	news := New(s.wallet, feed)
	server, err := rpcserver.New(rpcserver.Options{WSAddr: "127.0.0.1:0", Feed: feed, Caller: rpcserver.CallerFunc(
		func(context.Context, string, rpcserver.Params) (json.RawMessage, error) { return nil, nil })})
	must(s, err)
	run(s, server.Serve)
	run(s, func(ctx context.Context) error {
		news.Run(ctx)
		return nil
	})
	s.conn, _, err = websocket.DefaultDialer.Dial("ws://"+server.WSAddr(), nil)
	must(s, err)
	s.Cleanup(func() { _ = s.conn.Close() })
	must(s, s.conn.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":[`+quoted(strings.Join(rpcserver.Topics(), ","))+`]}`)))
	// The first look tells nothing; blocks are made until one is told.
	told, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for tick := time.NewTicker(20 * time.Millisecond); ; {
			select {
			case <-told:
				tick.Stop()
				return
			case <-tick.C:
				s.mine(1)
			}
		}
	}()
	s.hear("blocks", "head_block_num")
	close(told)
	<-done
}

func quoted(text string) string { return `"` + text + `"` }

// hear waits for an event of a topic that holds all of words.
func (s *stage) hear(topic string, words ...string) {
	s.Helper()
	s.hearAll(append([]string{topic}, words...))
}

// hearAll waits for several events, a topic with words each, in any order.
func (s *stage) hearAll(wanted ...[]string) {
	s.Helper()
	for len(wanted) > 0 {
		_ = s.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		_, text, err := s.conn.ReadMessage()
		if err != nil {
			s.Fatalf("no event %q came: %v", wanted, err)
		}
		wanted = slices.DeleteFunc(wanted, func(want []string) bool {
			return strings.Contains(string(text), `"topic":"`+want[0]+`"`) &&
				!slices.ContainsFunc(want[1:], func(word string) bool { return !strings.Contains(string(text), word) })
		})
	}
}

func (s *stage) mine(n int) {
	s.Helper()
	for range n {
		if _, err := s.box.Mine(); err != nil {
			s.Error(err)
		}
	}
}

func (s *stage) pay(amount string) {
	s.Helper()
	_, err := s.wallet.Transfer(s.ctx, walletcore.TransferRequest{From: "alice", To: "bobby", Amount: amount, Asset: "DCT", Memo: "order 77"}, walletcore.Sending{Broadcast: true})
	must(s, err)
}

func TestAPaymentIsToldStepByStep(t *testing.T) {
	s := begin(t)
	s.pay("12.25")
	s.hear("payments", `"state":"sent"`)
	s.mine(1)
	s.hearAll([]string{"deposits", `"state":"in_block"`, `"amount":"1225000000"`, `"memo":"order 77"`, `"account":"bobby"`},
		[]string{"balances", `"account":"bobby"`, `"asset":"DCT"`}, []string{"balances", `"account":"alice"`}, []string{"payments", `"state":"in_block"`})
	s.mine(6)
	s.hearAll([]string{"deposits", `"state":"irreversible"`, `"amount":"1225000000"`}, []string{"payments", `"state":"irreversible"`})
}

func TestADepositThatAForkTookAway(t *testing.T) {
	s := begin(t)
	_, err := s.box.Fund("bobby", "3", "DCT") // the wallet would send its own payment again
	must(t, err)
	s.mine(1)
	s.hear("deposits", `"state":"in_block"`)
	_, err = s.box.Fork(1, false)
	must(t, err)
	s.mine(2)
	s.hear("deposits", `"state":"gone"`, `"amount":"300000000"`)
}

func TestTheLockIsTold(t *testing.T) {
	s := begin(t)
	s.wallet.Lock()
	s.hear("lock", `{"state":"locked"}`)
	must(t, s.wallet.Unlock(s.ctx, "correct horse"))
	s.hear("lock", `{"state":"unlocked"}`)
}
