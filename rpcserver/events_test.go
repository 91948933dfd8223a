package rpcserver_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/rpcserver"
	"billfold/rpcserver/events"
	"billfold/walletcore"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
)

// subscriber is a wallet of alice and bobby whose events reach a websocket.
type subscriber struct {
	*testing.T
	*testwallet.Wallet
	conn    *websocket.Conn
	skipped []string // events that came while waiting for others
}

func newSubscriber(t *testing.T) *subscriber {
	t.Helper()
	return newSubscriberTo(t, events.SourcesOf)
}

// newSubscriberTo returns a subscriber whose publisher follows the sources that seen returns.
func newSubscriberTo(t *testing.T, seen func(*walletcore.Wallet) events.Sources) *subscriber {
	t.Helper()
	on := testwallet.New(t, nil)
	on.Hold("alice", "bobby")
	s := &subscriber{T: t, Wallet: on}
	s.connect(seen(on.Wallet))
	return s
}

func (s *subscriber) connect(from events.Sources) {
	s.Helper()
	feed := rpcserver.NewFeed()
	publisher := events.New(from, feed)
	server, err := rpcserver.New(rpcserver.Options{WSAddr: "127.0.0.1:0", Feed: feed, Caller: walletapi.New(walletapi.Core{})})
	must(s, err)
	testwallet.Run(s, server.Serve)
	testwallet.Run(s, func(ctx context.Context) error {
		publisher.Run(ctx)
		return nil
	})
	s.conn, _, err = websocket.DefaultDialer.Dial("ws://"+server.WSAddr(), nil)
	must(s, err)
	s.Cleanup(func() { _ = s.conn.Close() })
	must(
		s,
		s.conn.WriteMessage(websocket.TextMessage,
			[]byte(`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":[`+quoted(strings.Join(rpcserver.Topics(), ","))+`]}`)),
	)
	// The first scan publishes nothing, so make blocks until one is published.
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
	s.waitEvent("blocks", "head_block_num")
	close(told)
	<-done
}

func quoted(text string) string { return `"` + text + `"` }

// waitEvent waits for an event of a topic that contains all of words.
func (s *subscriber) waitEvent(topic string, words ...string) {
	s.Helper()
	s.waitEvents(append([]string{topic}, words...))
}

// waitEvents waits for several events, each given as a topic with words, in any order.
func (s *subscriber) waitEvents(wanted ...[]string) {
	s.Helper()
	for len(wanted) > 0 {
		_ = s.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		_, text, err := s.conn.ReadMessage()
		if err != nil {
			s.Fatalf("no event %q came: %v", wanted, err)
		}
		left := slices.DeleteFunc(slices.Clone(wanted), func(want []string) bool { return isAbout(string(text), want) })
		if len(left) == len(wanted) {
			s.skipped = append(s.skipped, string(text))
		}
		wanted = left
	}
}

// isAbout reports whether an event has the topic want[0] and contains all of the words after it.
func isAbout(event string, want []string) bool {
	return strings.Contains(event, `"topic":"`+want[0]+`"`) &&
		!slices.ContainsFunc(want[1:], func(word string) bool { return !strings.Contains(event, word) })
}

// waitOrSkipped is waitEvents for events of which some may have come during the last waitEvent:
// balances include pending payments, so they may change before a block.
func (s *subscriber) waitOrSkipped(wanted ...[]string) {
	s.Helper()
	s.waitEvents(slices.DeleteFunc(wanted, func(want []string) bool {
		return slices.ContainsFunc(s.skipped, func(event string) bool { return isAbout(event, want) })
	})...)
}

// mine makes blocks and returns the number of the last one.
func (s *subscriber) mine(n int) (num uint32) {
	s.Helper()
	for range n {
		id, err := s.Box.Mine()
		if err != nil {
			s.Error(err)
		}
		num = id.Num()
	}
	return num
}

func (s *subscriber) pay(amount string) {
	s.Helper()
	_, err := s.Wallet.Payments.Spend(
		s.Ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: amount, Asset: "DCT", Memo: "order 77"},
			txbuild.Transfer),
		payment.Sending{Broadcast: true},
	)
	must(s, err)
}

func TestPaymentEventsStepByStep(t *testing.T) {
	t.Parallel()
	s := newSubscriber(t)
	s.skipped = nil
	s.pay("12.25")
	s.waitEvent("payments", `"state":"sent"`)
	s.mine(1)
	s.waitOrSkipped(
		[]string{"deposits", `"state":"in_block"`, `"amount":"1225000000"`, `"memo":"order 77"`, `"account":"bobby"`},
		[]string{
			"balances", `"account":"bobby"`, `"asset":"DCT"`,
		},
		[]string{"balances", `"account":"alice"`},
		[]string{"payments", `"state":"in_block"`},
	)
	s.mine(6)
	s.waitEvents([]string{"deposits", `"state":"irreversible"`, `"amount":"1225000000"`}, []string{"payments", `"state":"irreversible"`})
}

func TestDepositRemovedByAFork(t *testing.T) {
	t.Parallel()
	s := newSubscriber(t)
	_, err := s.Box.Fund("bobby", "3", "DCT") // not a payment of the wallet, which it would send again
	must(t, err)
	s.mine(1)
	s.waitEvent("deposits", `"state":"in_block"`)
	_, err = s.Box.Fork(1, false)
	must(t, err)
	s.mine(2)
	s.waitEvent("deposits", `"state":"gone"`, `"amount":"300000000"`)
}

func TestLockEvents(t *testing.T) {
	t.Parallel()
	s := newSubscriber(t)
	s.Wallet.Vault.Lock()
	s.waitEvent("lock", `{"state":"locked"}`)
	must(t, s.Wallet.Vault.Unlock(s.Ctx, "correct horse"))
	s.waitEvent("lock", `{"state":"unlocked"}`)
}
