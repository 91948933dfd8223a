package rpcserver_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/rpcserver/events"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/history"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/vault"
	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
)

// scanned is a wallet in memory, without accounts, whose blocks and payments a publisher follows. Only the test changes
// it, while the publisher waits.
type scanned struct {
	event.Broadcaster
	head     uint32
	payments map[ledger.TransactionID]payment.State
	read     int // how many payments were read
	looked   int // how often all states were looked at

	slow func() // runs before a payment is returned; nil = nothing
}

func newScanned() *scanned { return &scanned{payments: map[ledger.TransactionID]payment.State{}} }

func (s *scanned) sources() events.Sources {
	return events.Sources{Wallet: s, Accounts: s, History: s, Payments: s, Changes: s}
}

func (s *scanned) Subscribe() (<-chan event.Event, func()) { return s.Broadcaster.Subscribe() }

func (s *scanned) Unseen() ([]store.ObjectChange, bool) { return nil, true }

func (s *scanned) Status() walletcore.Status {
	return walletcore.Status{Daemon: walletcore.DaemonOnline, Head: s.head}
}

func (s *scanned) List() []vault.OwnAccount                                { return nil }
func (s *scanned) Count() int                                              { return 0 }
func (s *scanned) Of(ledger.AccountID) (own vault.OwnAccount, listed bool) { return own, false }
func (s *scanned) MovedSince(since uint64) ([]ledger.AccountID, uint64, bool) {
	return nil, since, false
}

func (s *scanned) Entries(context.Context, ledger.AccountID, ledger.HistoryID, int) ([]history.Entry, error) {
	return nil, errors.New("there are no accounts")
}

func (s *scanned) IncomingSince(context.Context, ledger.AccountID, uint32, int) ([]history.Entry, uint32, error) {
	return nil, 0, errors.New("there are no accounts")
}

func (s *scanned) States(with func(id ledger.TransactionID, s payment.State, prepared time.Time)) {
	s.looked++
	for id, state := range s.payments {
		with(id, state, time.Time{})
	}
}

func (s *scanned) Get(_ context.Context, id string) (payment.Info, error) {
	if s.slow != nil {
		s.slow()
	}
	s.read++
	parsed, err := ledger.ParseTransactionID(id)
	return payment.Info{TransactionID: parsed, State: s.payments[parsed].String()}, err
}

// runPublisher runs a publisher in virtual time while test runs. test calls scan to make the publisher scan.
func (s *scanned) runPublisher(t *testing.T, feed *rpcserver.Feed, test func(t *testing.T, scan func())) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { events.New(s.sources(), feed).Run(ctx) })
		synctest.Wait()
		test(t, func() {
			s.Publish(event.Event{Kind: event.Payment})
			time.Sleep(time.Second) // longer than the publisher rests between two scans
			synctest.Wait()
		})
		stop()
		running.Wait()
	})
}

// countingConn is a connection that counts how many events arrive together.
type countingConn struct {
	net.Conn
	events chan int
}

func (p *countingConn) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	if of := bytes.Count(b[:n], []byte(`"method":"event"`)); of > 0 {
		p.events <- of
	}
	return n, err
}

// subscribe subscribes a websocket to all topics of feed, outside of any virtual time. It sends the number of events in each
// piece that arrives on the channel, and closes the channel at the end.
func subscribe(t *testing.T, feed *rpcserver.Feed) <-chan int {
	t.Helper()
	server, err := rpcserver.New(rpcserver.Options{WSAddr: "127.0.0.1:0", Feed: feed, Caller: walletapi.New(walletapi.Core{})})
	must(t, err)
	testwallet.Run(t, server.Serve)
	arrived := make(chan int, 10_000)
	dialer := websocket.Dialer{NetDial: func(network, addr string) (net.Conn, error) {
		conn, err := net.Dial(network, addr)
		return &countingConn{conn, arrived}, err
	}}
	conn, _, err := dialer.Dial("ws://"+server.WSAddr(), nil)
	must(t, err)
	must(t, conn.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":["blocks,payments"]}`)))
	_, _, err = conn.ReadMessage()
	must(t, err)
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(arrived)
		for err := error(nil); err == nil; {
			_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
			_, _, err = conn.ReadMessage()
		}
	})
	t.Cleanup(func() {
		_ = conn.Close()
		reading.Wait()
	})
	return arrived
}

// The events of a scan are published in one piece when it is over, or after a moment if it takes long.
func TestEventsOfAScanAreSentTogether(t *testing.T) {
	t.Parallel()
	s, feed := newScanned(), rpcserver.NewFeed()
	arrived := subscribe(t, feed)
	rest, rested := make(chan struct{}), make(chan struct{}) // in virtual time
	go func() {
		defer close(rested)
		for range rest {
			time.Sleep(10 * time.Millisecond)
			rested <- struct{}{}
		}
	}()
	s.runPublisher(t, feed, func(t *testing.T, scan func()) {
		defer close(rest)
		s.head = 1
		scan() // the first block is not an event
		s.head++
		s.payments[numbered(1)], s.payments[numbered(2)] = payment.Sent, payment.Sent
		s.slow = func() {
			time.Sleep(10 * time.Millisecond)
			rest <- struct{}{}
			<-rested
		}
		if scan(); <-arrived != 3 {
			t.Error("an event did not wait for the others")
		}
		s.head++
		s.payments[numbered(1)], s.payments[numbered(2)] = payment.InBlock, payment.InBlock
		late := 0
		s.slow = sync.OnceFunc(func() {
			time.Sleep(60 * time.Millisecond)
			late = <-arrived
		})
		if scan(); late != 1 || <-arrived != 2 {
			t.Errorf("while a scan took long %d events came, and others not in one piece", late)
		}
		s.slow = nil
		scan()
		s.head++
		if scan(); <-arrived != 1 {
			t.Error("there was more than a block")
		}
	})
	if len(arrived) > 0 {
		t.Error("there was more to hear")
	}
}

func numbered(n int) (id ledger.TransactionID) {
	binary.BigEndian.PutUint32(id[:], uint32(n))
	return id
}

// A scan without changes copies nothing, however many payments there are, and payments that the wallet forgot are forgotten.
func TestPaymentsAreNotCopied(t *testing.T) { // not parallel, since allocations of all goroutines are counted
	// perScan returns what a scan without changes allocates with n payments.
	perScan := func(s *scanned, scan func()) (times, size uint64) {
		const scans = 20
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range scans {
			scan()
		}
		runtime.ReadMemStats(&after)
		return (after.Mallocs - before.Mallocs) / scans, (after.TotalAlloc - before.TotalAlloc) / scans
	}
	few, feed := newScanned(), rpcserver.NewFeed()
	var times, size uint64
	few.runPublisher(t, feed, func(_ *testing.T, scan func()) { times, size = perScan(few, scan) })
	s := newScanned()
	for i := range 1000 {
		s.payments[numbered(i)] = payment.Unknown
	}
	subscribe(t, feed)
	s.runPublisher(t, feed, func(t *testing.T, scan func()) {
		if scan(); s.read != 0 {
			t.Errorf("what was there before is published: %d", s.read)
		}
		if t2, size2 := perScan(s, scan); t2 > times+5 || size2 > size+1000 {
			t.Errorf("a scan without changes makes %d allocations of %d bytes, and %d of %d where there are no payments", t2, size2, times, size)
		}
		s.payments[numbered(7)], s.payments[numbered(5000)] = payment.InBlock, payment.Prepared
		if scan(); s.read != 2 {
			t.Errorf("%d of two changes are published", s.read)
		}
		const most, gone = 1000, 4000 // how many forgotten payments may be remembered, and how many the wallet forgets
		for i := range gone {
			s.payments[numbered(10_000+i)] = payment.Prepared
			if i%100 == 99 {
				scan()
				for j := i - 99; j <= i; j++ {
					delete(s.payments, numbered(10_000+j))
				}
			}
		}
		if s.read != 2+gone {
			t.Errorf("%d of %d payments are published", s.read-2, gone)
		}
		scan()
		for i := range gone {
			s.payments[numbered(10_000+i)] = payment.Prepared
		}
		if scan(); s.read-2-gone < gone-most {
			t.Errorf("of %d payments that were forgotten, %d are still noted", gone, gone-(s.read-2-gone))
		}
	})
}

// As long as nobody has subscribed, nothing is read, nor are states looked at. A subscriber gets the changes after subscribing.
func TestPaymentsAreNotReadWithoutSubscribers(t *testing.T) {
	t.Parallel()
	s, feed := newScanned(), rpcserver.NewFeed()
	begin, begun := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(begun)
		<-begin
		subscribe(t, feed)
	}()
	s.runPublisher(t, feed, func(t *testing.T, scan func()) {
		var reads []int
		for _, state := range []payment.State{payment.Prepared, payment.Sent, payment.InBlock, payment.InBlock} {
			if state == payment.InBlock && len(reads) == 2 {
				if s.looked > 0 {
					t.Errorf("the states of all payments were looked at %d times, and nobody has subscribed", s.looked)
				}
				close(begin)
				<-begun
			}
			s.payments[numbered(1)] = state
			scan()
			reads = append(reads, s.read)
		}
		if want := []int{0, 0, 1, 1}; !slices.Equal(reads, want) {
			t.Errorf("payments were read %v times, wanted %v", reads, want)
		}
	})
}
