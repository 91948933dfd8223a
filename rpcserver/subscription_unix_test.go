//go:build unix

package rpcserver

import (
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// BenchmarkSubscribers measures the processor time of this process for a block with many subscribers, alone and with
// changes. All subscribers but one do not read what they are sent; the system buffers it.
func BenchmarkSubscribers(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("block/n=%d", n), func(b *testing.B) { benchSubscribers(b, n, 0) })
		b.Run(fmt.Sprintf("block-and-9/n=%d", n), func(b *testing.B) { benchSubscribers(b, n, 9) })
		b.Run(fmt.Sprintf("bare-writes/n=%d", n), func(b *testing.B) { benchWrites(b, n) })
	}
}

// benchSubscribers measures blocks that change a number of balances.
func benchSubscribers(b *testing.B, n, changes int) {
	f, h := listen(b, quiet)
	conns := make([]*websocket.Conn, n)
	for i := range conns {
		conns[i] = h.mustDial()
		ask(b, conns[i], "subscribe", `["blocks,balances,deposits,payments,lock"]`)
	}
	change := Event{"balances", json.RawMessage(`{"account":"customer-012345","account_id":"1.2.12345","asset":"DCT","asset_id":"1.3.0",` +
		`"amount":"1234567890","pretty_amount":"12.34567890"}`)}
	before := processorTime(b)
	for i := range b.N {
		f.Publish(append([]Event{{"blocks", number(i)}}, slices.Repeat([]Event{change}, changes)...)...)
		for range 1 + changes {
			receiveEvent(b, conns[0])
		}
		time.Sleep(10 * time.Millisecond) // as between blocks, so that all writers are done
	}
	spent := processorTime(b) - before
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N)/1000, "cpu-ms/block")
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N)/float64(n), "cpu-µs/block/subscriber")
}

// benchWrites measures the limit: one goroutine writes the bytes of a block with nine changes to as many connections.
func benchWrites(b *testing.B, n int) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	conns := make([]net.Conn, n)
	for i := range conns {
		client, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		defer client.Close()
		if conns[i], err = l.Accept(); err != nil {
			b.Fatal(err)
		}
		defer conns[i].Close()
	}
	block := make([]byte, 2400)
	before := processorTime(b)
	for range b.N {
		for _, conn := range conns {
			if _, err := conn.Write(block); err != nil {
				b.Fatal(err)
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	spent := processorTime(b) - before
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N)/1000, "cpu-ms/block")
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N)/float64(n), "cpu-µs/block/subscriber")
}

// processorTime returns the processor time that this process has used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
