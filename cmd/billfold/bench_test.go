package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gorilla/websocket"

	"billfold/ledger"
	"billfold/rpcserver"
)

// startBench runs the whole program on the embedded ledger, unlocked, with a
// websocket listener, and gives the addresses of wallet and daemon.
func startBench(b *testing.B) (wallet, daemon string) {
	b.Helper()
	p, err := newProgram(&settings{sandbox: true, rpcWS: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan string), make(chan error, 1)
	go func() {
		done <- p.run(ctx, func(ctx context.Context) error {
			if err := p.wallet.Unlock(ctx, sandboxPassword); err != nil {
				return err
			}
			server, err := p.newServer(nil)
			if err != nil {
				return err
			}
			ready <- "ws://" + server.WSAddr()
			return server.Serve(ctx)
		})
	}()
	b.Cleanup(func() {
		cancel()
		<-done
		p.close()
	})
	select {
	case wallet = <-ready:
	case err := <-done:
		b.Fatal(err)
	}
	return wallet, p.box.URL()
}

// callsPerSecond makes b.N calls over so many connections, each waiting for its
// answer, and reports the rate.
func callsPerSecond(b *testing.B, url string, connections int, frame string) {
	b.Helper()
	var left atomic.Int64
	left.Store(int64(b.N))
	lines := make([]*websocket.Conn, connections)
	for i := range lines {
		line, _, err := websocket.DefaultDialer.Dial(url, nil)
		if err != nil {
			b.Fatal(err)
		}
		defer line.Close()
		lines[i] = line
	}
	b.ResetTimer()
	var wg sync.WaitGroup
	for _, line := range lines {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := line.WriteMessage(websocket.TextMessage, []byte(frame)); err != nil {
					b.Error(err)
					return
				}
				_, answer, err := line.ReadMessage()
				if err != nil || strings.Contains(string(answer[:min(len(answer), 60)]), `"error"`) {
					b.Errorf("%s (%v)", answer, err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

func request(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
}

// startEmpty serves an operation that does nothing through the same server: the
// limit of every read.
func startEmpty(b *testing.B) string {
	b.Helper()
	nothing := rpcserver.CallerFunc(func(context.Context, string, rpcserver.Params) (json.RawMessage, error) {
		return json.RawMessage("true"), nil
	})
	server, err := rpcserver.New(rpcserver.Options{WSAddr: "127.0.0.1:0", Caller: nothing})
	if err != nil {
		b.Fatal(err)
	}
	return serveFor(b, server)
}

func serveFor(b *testing.B, server *rpcserver.Server) string {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx) }()
	b.Cleanup(func() {
		cancel()
		<-done
	})
	return "ws://" + server.WSAddr()
}

// startEcho is a bare websocket that sends back what it gets: what the library
// and the machine can do.
func startEcho(b *testing.B) string {
	b.Helper()
	up := websocket.Upgrader{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		line, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer line.Close()
		for {
			kind, frame, err := line.ReadMessage()
			if err != nil || line.WriteMessage(kind, frame) != nil {
				return
			}
		}
	}))
	b.Cleanup(server.Close)
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

func BenchmarkReads(b *testing.B) {
	wallet, daemon := startBench(b)
	empty, echo := startEmpty(b), startEcho(b)
	for _, n := range []int{1, 8, 64} {
		for _, c := range []struct{ name, url, frame string }{
			{"limit: bare echo", echo, request("is_locked", "[]")},
			{"limit: empty handler", empty, request("is_locked", "[]")},
			{"is_locked", wallet, request("is_locked", "[]")},
			{"limit: daemon get_accounts", daemon, `{"id":1,"method":"call","params":["database_api","get_accounts",[["1.2.16"]]]}`},
			{"get_account", wallet, request("get_account", `["1.2.16"]`)},
			{"get_account_history 10 rows", wallet, request("get_account_history", `["alice",10]`)},
		} {
			b.Run(fmt.Sprintf("%s/connections=%d", c.name, n), func(b *testing.B) { callsPerSecond(b, c.url, n, c.frame) })
		}
	}
}

func BenchmarkTransfer(b *testing.B) {
	wallet, _ := startBench(b)
	frame := request("transfer", `["alice","bobby","0.001","DCT","memo here",false]`)
	b.Run("limit: signature and memo, one core", func(b *testing.B) { bareTransfers(b, 1) })
	b.Run("limit: signature and memo, all cores", func(b *testing.B) { bareTransfers(b, runtime.GOMAXPROCS(0)) })
	for _, n := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("transfer/connections=%d", n), func(b *testing.B) { callsPerSecond(b, wallet, n, frame) })
	}
}

// bareTransfers does what a transfer cannot do without: encrypt the memo with a
// known shared secret, and sign.
func bareTransfers(b *testing.B, workers int) {
	from, to := ledger.DeriveKey("bench", 0), ledger.DeriveKey("bench", 1).Public()
	secret, err := from.SharedSecret(to)
	if err != nil {
		b.Fatal(err)
	}
	own := from.Public()
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				n := left.Add(-1)
				if n < 0 {
					return
				}
				memo, err := ledger.EncryptMemoWith(secret, own, to, 0, "memo here")
				if err != nil {
					b.Error(err)
					return
				}
				tx := ledger.Transaction{Expiration: ledger.Time(n), Operations: []ledger.Operation{
					ledger.NewOperation(&ledger.TransferObsoleteOp{From: 16, To: 17, Amount: ledger.AssetAmount{Amount: 1}, Memo: &memo})}}
				digest, err := tx.Digest(ledger.ChainID{})
				if err != nil {
					b.Error(err)
					return
				}
				from.Sign(digest)
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

// BenchmarkStart measures from nothing to a listener, without a daemon.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		p, err := newProgram(&settings{dataDir: b.TempDir(), daemonURL: "ws://127.0.0.1:1", rpcWS: "127.0.0.1:0"})
		if err != nil {
			b.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		if err := p.run(ctx, func(context.Context) error {
			server, err := p.newServer(nil)
			if err != nil {
				return err
			}
			return server.Close()
		}); err != nil {
			b.Fatal(err)
		}
		cancel()
		p.close()
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/start")
}
