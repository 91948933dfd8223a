package rpcserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// These benchmarks compare the wallet's is_locked with a handler that only answers, over
// the same kind of connection, in the same run.
//
//	go test -run - -bench . ./rpcserver

func BenchmarkHTTP(b *testing.B) {
	h := open(b, quiet)
	b.Run("is_locked", func(b *testing.B) { benchHTTP(b, "http://"+h.HTTPAddr()+"/rpc") })
	empty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, unlocked)
	}))
	defer empty.Close()
	b.Run("empty_handler", func(b *testing.B) { benchHTTP(b, empty.URL) })
}

func BenchmarkWebsocket(b *testing.B) {
	h := open(b, quiet)
	b.Run("is_locked", func(b *testing.B) { benchWebsocket(b, "ws://"+h.WSAddr()) })
	empty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var up websocket.Upgrader
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		for {
			if _, _, err := conn.ReadMessage(); err != nil {
				return
			}
			if conn.WriteMessage(websocket.TextMessage, []byte(unlocked)) != nil {
				return
			}
		}
	}))
	defer empty.Close()
	b.Run("empty_handler", func(b *testing.B) { benchWebsocket(b, "ws"+strings.TrimPrefix(empty.URL, "http")) })
}

func quiet(o *Options) { o.Logger = nil }

func benchHTTP(b *testing.B, url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			resp, err := client.Post(url, "application/json", strings.NewReader(isLocked))
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

func benchWebsocket(b *testing.B, url string) {
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		conn, _, err := websocket.DefaultDialer.Dial(url, nil)
		if err != nil {
			b.Error(err)
			return
		}
		defer conn.Close()
		for pb.Next() {
			if err := conn.WriteMessage(websocket.TextMessage, []byte(isLocked)); err != nil {
				b.Error(err)
				return
			}
			if _, _, err := conn.ReadMessage(); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

// BenchmarkPipelinedReads measures calls that run at the same time on one websocket.
func BenchmarkPipelinedReads(b *testing.B) {
	conn := open(b, quiet).mustDial()
	const window = 16
	for i := range b.N + window {
		if i < b.N {
			send(b, conn, `{"id":1,"method":"echo","params":[1,2]}`)
		}
		if i >= min(window, b.N) && i < b.N+min(window, b.N) {
			receive(b, conn)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

func BenchmarkEnvelope(b *testing.B) {
	limits := Limits{}.withDefaults()
	text := []byte(`{"jsonrpc":"2.0","id":7,"method":"transfer","params":["nathan","alice","1.5","DCT","a memo","true"]}`)
	b.ReportAllocs()
	for b.Loop() {
		_ = readMessage(text, limits)
	}
}
