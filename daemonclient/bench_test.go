package daemonclient_test

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"billfold/daemonclient"

	"github.com/gorilla/websocket"
)

// echoing answers as fast as a peer in Go can: the call's id cut out, a fixed result.
func echoing(result string) func(int, *websocket.Conn) {
	return welcoming(func(_ int, conn *websocket.Conn) {
		for {
			_, message, err := conn.ReadMessage()
			if err != nil {
				return
			}
			end := len(`{"id":`)
			for message[end] != ',' {
				end++
			}
			reply := append(append(append([]byte(nil), message[:end]...), `,"result":`...), result...)
			if err := conn.WriteMessage(websocket.TextMessage, append(reply, '}')); err != nil {
				return
			}
		}
	})
}

// BenchmarkCall counts calls over one line with 1, 8 and 64 callers: the line of
// a client with URL alone, and the connection in use of a pool of two. The peers share
// the machine and write each answer by itself.
func BenchmarkCall(b *testing.B) {
	for _, callers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("single/callers=%d", callers), func(b *testing.B) {
			benchmarkCalls(b, callers, daemonclient.Config{URL: newNode(b, nil).url})
		})
		b.Run(fmt.Sprintf("pool/callers=%d", callers), func(b *testing.B) {
			benchmarkCalls(b, callers, daemonclient.Config{URLs: []string{newNode(b, nil).url, newNode(b, nil).url}})
		})
	}
}

// BenchmarkBareCall is the same against a peer that only echoes.
func BenchmarkBareCall(b *testing.B) {
	for _, callers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			benchmarkCalls(b, callers, daemonclient.Config{URL: serve(b, echoing("21"))})
		})
	}
}

func benchmarkCalls(b *testing.B, callers int, cfg daemonclient.Config) {
	c := start(b, cfg)
	online(b, c)
	var left atomic.Int64
	left.Store(int64(b.N))
	done := make(chan error, callers)
	b.ReportAllocs()
	b.ResetTimer()
	for range callers {
		go func() {
			for left.Add(-1) >= 0 {
				var raw json.RawMessage
				if err := c.Call(b.Context(), daemonclient.Database, "get_account_count", &raw); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range callers {
		if err := <-done; err != nil {
			b.Error(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}
