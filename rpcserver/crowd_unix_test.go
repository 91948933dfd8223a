//go:build unix

package rpcserver

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// BenchmarkSubscribers is what one event costs with so many subscribers, in processor time of this process:
// all but one do not read what they are sent, which the system keeps for them.
func BenchmarkSubscribers(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			f, h := listen(b, quiet)
			conns := make([]*websocket.Conn, n)
			for i := range conns {
				conns[i] = h.mustDial()
				ask(b, conns[i], "subscribe", `["blocks,balances,deposits,payments,lock"]`)
			}
			before := processorTime(b)
			for i := range b.N {
				f.Publish("blocks", number(i))
				expect(b, conns[0], "blocks", f.newest())
				time.Sleep(10 * time.Millisecond) // as blocks come: all have sent it by then
			}
			spent := processorTime(b) - before
			b.ReportMetric(float64(spent.Microseconds())/float64(b.N)/1000, "cpu-ms/event")
			b.ReportMetric(float64(spent.Microseconds())/float64(b.N)/float64(n), "cpu-µs/event/subscriber")
		})
	}
}

// processorTime returns what this process has used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
