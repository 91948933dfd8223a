package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/state"

	"github.com/gorilla/websocket"
)

// BenchmarkBroadcast sends signed transfers over four websockets with a block
// every second; one operation is one transfer accepted, its signature checked.
func BenchmarkBroadcast(b *testing.B) { benchmarkBroadcast(b, 0) }

// BenchmarkBroadcastSubscribers is the same while 1,000 other clients are notified of every block.
func BenchmarkBroadcastSubscribers(b *testing.B) { benchmarkBroadcast(b, 1000) }

func benchmarkBroadcast(b *testing.B, listeners int) {
	s, err := New(Options{Listen: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	defer func() { cancel(); <-done }()
	heard, leave := connectMany(b, s, listeners)
	defer leave()

	const lines = 4
	frames := make([][][]byte, lines)
	for i := range b.N {
		frames[i%lines] = append(frames[i%lines], signedFrame(b, s, i))
	}
	if err := s.SetBlockTime(time.Second); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	var all sync.WaitGroup
	for i := range lines {
		all.Go(func() { sendAll(b, s, frames[i]) })
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "transfers/s")
	before := heard.Load()
	if _, err := s.Mine(); err != nil {
		b.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); heard.Load() < before+int64(listeners); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			b.Fatalf("%d of %d listeners heard of the last block", heard.Load()-before, listeners)
		}
	}
}

// connectMany is many clients that listen for blocks; heard counts what they hear.
func connectMany(tb testing.TB, s *Sandbox, size int) (heard *atomic.Int64, leave func()) {
	heard = new(atomic.Int64)
	var all sync.WaitGroup
	var conns []*websocket.Conn
	for range size {
		conn, _, err := websocket.DefaultDialer.Dial(s.URL(), nil)
		if err != nil {
			tb.Fatal(err)
		}
		conns = append(conns, conn)
		_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"id":1,"method":"set_block_applied_callback","params":[7]}`))
		if _, _, err := conn.ReadMessage(); err != nil {
			tb.Fatal(err)
		}
		all.Go(func() {
			for {
				if _, _, err := conn.ReadMessage(); err != nil {
					return
				}
				heard.Add(1)
			}
		})
	}
	return heard, func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
		all.Wait()
	}
}

// BenchmarkRecoverOnly is the bare cost of the signatures, on all cores.
func BenchmarkRecoverOnly(b *testing.B) {
	key := DemoKeys()[0].Key
	digests := make([][32]byte, 64)
	signatures := make([]ledger.Signature, len(digests))
	for i := range digests {
		digests[i][0] = byte(i)
		signatures[i] = key.Sign(digests[i])
	}
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for i := 0; p.Next(); i++ {
			if _, err := ledger.RecoverKey(digests[i%len(digests)], signatures[i%len(digests)]); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "signatures/s")
}

func signedFrame(b *testing.B, s *Sandbox, n int) []byte {
	b.Helper()
	key := DemoKeys()[0].Key
	op := &ledger.TransferObsoleteOp{Amount: ledger.AssetAmount{Amount: 1}, Fee: ledger.AssetAmount{Amount: 100000 + int64(n%1000)}}
	tx := &ledger.SignedTransaction{}
	s.chain.View(func(st *state.State) {
		op.From, op.To = st.Accounts.ByName("alice").ID, st.Accounts.ByName("bobby").ID
		tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(st.Dynamic().HeadBlockID)
		tx.Expiration = st.HeadTime() + 600 + ledger.Time(n/1000)
	})
	tx.Operations = []ledger.Operation{ledger.NewOperation(op)}
	digest, err := tx.Digest(s.ChainID())
	if err != nil {
		b.Fatal(err)
	}
	tx.Signatures = []ledger.Signature{key.Sign(digest)}
	text, err := codec.Marshal(tx)
	if err != nil {
		b.Fatal(err)
	}
	return fmt.Appendf(nil, `{"id":%d,"method":"call","params":["network_broadcast","broadcast_transaction",[%s]]}`, n, text)
}

// sendAll keeps the line full and reads the answers alongside.
func sendAll(b *testing.B, s *Sandbox, frames [][]byte) {
	conn, _, err := websocket.DefaultDialer.Dial(s.URL(), nil)
	if err != nil {
		b.Error(err)
		return
	}
	defer conn.Close()
	for _, frame := range []string{
		`{"id":1,"method":"call","params":[1,"login",["",""]]}`,
		`{"id":2,"method":"call","params":[1,"network_broadcast",[]]}`,
	} {
		_ = conn.WriteMessage(websocket.TextMessage, []byte(frame))
		_, _, _ = conn.ReadMessage()
	}
	go func() {
		for _, frame := range frames {
			_ = conn.WriteMessage(websocket.TextMessage, frame)
		}
	}()
	for range frames {
		_, text, err := conn.ReadMessage()
		var a answer
		if err != nil || json.Unmarshal(text, &a) != nil || a.Error != nil {
			b.Errorf("%v: %s", err, text)
			return
		}
	}
}

func BenchmarkGetAccounts(b *testing.B) {
	s, err := New(Options{})
	if err != nil {
		b.Fatal(err)
	}
	session := s.server.newPost()
	frame := []byte(`{"id":1,"method":"get_accounts","params":[["1.2.16"]]}`)
	for b.Loop() {
		if session.reply(frame) == nil {
			b.Fatal("no answer")
		}
	}
}

// BenchmarkNewDemo measures the start of the demo: keys, memos, blocks.
func BenchmarkNewDemo(b *testing.B) {
	for b.Loop() {
		if _, err := New(Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
