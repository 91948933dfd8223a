package sandbox

import (
	"net"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox/chain/state"

	"github.com/gorilla/websocket"
)

// Many clients pay, read and listen while blocks are made; nothing is lost and
// nothing is made up.
func TestManyClientsAtOnceLoseNothing(t *testing.T) {
	const clients, payments = 12, 10
	s := startDemo(t, Options{BlockTime: 200 * time.Millisecond})
	setup := dial(t, s).enable()
	alice, bobby := setup.account("alice").ID, setup.account("bobby").ID
	before := setup.balance(bobby)
	var all sync.WaitGroup
	for i := range clients {
		c := dial(t, s).enable()
		all.Go(func() {
			for n := range payments {
				op := &ledger.TransferObsoleteOp{From: alice, To: bobby, Amount: ledger.AssetAmount{Amount: int64(i*payments + n + 1)}}
				a := c.call("network_broadcast", "broadcast_transaction", c.pay(DemoKeys()[0].Key, op))
				if a.Error != nil {
					t.Errorf("client %d: %s", i, a.Error.Message)
				}
				c.balance(bobby)
			}
		})
	}
	all.Wait()
	mine(t, s)
	const total = clients * payments * (clients*payments + 1) / 2
	if got := setup.balance(bobby) - before; got != total {
		t.Errorf("bobby received %d, want %d", got, total)
	}
	var list []ledger.HistoryRecord
	setup.get(&list, "history", "get_relative_account_history", bobby, 0, 100, 0)
	if len(list) != 100 {
		t.Errorf("%d records on the first page", len(list))
	}
	s.chain.View(func(st *state.State) {
		sum, core, d := st.RealSupply(), st.Assets.Data(0), st.Dynamic()
		real := sum.AccountBalances + sum.VestingBalances + sum.Pools
		if real+core.AssetPool+d.UnspentFeeBudget != core.CurrentSupply+d.MinerBudgetFromFees+d.MinedRewards {
			t.Errorf("the supply is %+v, %+v and %+v", sum, core, d)
		}
	})
}

// What one client does wrong, or not at all, the others do not notice: bad and
// giant frames, readers that never read, connections that are only half there.
func TestBadClientsDoNotDisturbOthers(t *testing.T) {
	s := start(t, Options{})
	heard, leave := connectMany(t, s, 50)
	defer leave()
	for i := range 12 {
		go func() { _ = badClient(s, i) }()
	}
	good := dial(t, s).enable()
	alice, bobby := good.account("alice").ID, good.account("bobby").ID
	for n := range int64(20) {
		tx := good.pay(DemoKeys()[0].Key, &ledger.TransferObsoleteOp{From: alice, To: bobby, Amount: ledger.AssetAmount{Amount: n + 1}})
		good.get(nil, "network_broadcast", "broadcast_transaction", tx)
		mine(t, s)
	}
	for end := time.Now().Add(10 * time.Second); heard.Load() < 50*20; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d notices of 1,000 came", heard.Load())
		}
	}
}

// badClient misbehaves in one of several ways, and leaves without a word.
func badClient(s *Sandbox, kind int) error {
	raw, err := net.Dial("tcp", s.server.listener.Addr().String())
	if err != nil {
		return err
	}
	defer raw.Close()
	if kind%3 == 0 { // half a request, then silence
		_, err = raw.Write([]byte("GET / HTTP/1.1\r\nHost: localhost\r\nUpgr"))
		time.Sleep(300 * time.Millisecond)
		return err
	}
	dialer := websocket.Dialer{NetDial: func(string, string) (net.Conn, error) { return raw, nil }}
	conn, _, err := dialer.Dial(s.URL(), nil)
	if err != nil {
		return err
	}
	if kind%3 == 1 {
		_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"id":1,"method":"call","params":[[[[`))
		return conn.WriteMessage(websocket.BinaryMessage, make([]byte, maxFrame+1))
	}
	for range 2000 { // asks for much and never reads
		if err := conn.WriteMessage(websocket.TextMessage, []byte(`{"id":1,"method":"list_operations","params":[]}`)); err != nil {
			return err
		}
	}
	return nil
}
