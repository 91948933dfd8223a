package rpcserver

import (
	"cmp"
	"context"
	"time"
)

// Limits keep one client from harming the others. Each field's comment ends with its
// default, which a zero field means.
type Limits struct {
	Body        int64         // bytes of one HTTP body or websocket message; 1 MiB
	Depth       int           // nesting of arrays and objects; 64
	Batch       int           // requests of one batch; 100
	Received    int64         // total bytes of the messages being received or executed; 64 MiB
	Answer      int           // bytes after which the rest of a batch is refused; 16 MiB
	Unread      int           // total bytes of the answers that are being built or wait to be read, small ones not counted; 64 MiB
	Large       int           // total number of calls with answers of 64 KiB and more that run at the same time; 32
	Connections int           // open connections per listener, at most three quarters of them websockets; 2048
	InFlight    int           // total number of calls that run at the same time; 512
	Waiting     int           // total number of calls that wait for something to happen; 4096
	PerClient   int           // messages of one websocket that are executed at the same time; 32
	SlotWait    time.Duration // how long a call waits for its turn before it is refused; 1 s
	CallTime    time.Duration // the deadline of one HTTP body or websocket message; 60 s
	HeaderTime  time.Duration // to receive the header of an HTTP request; 10 s
	ReadTime    time.Duration // to receive a whole HTTP request; 30 s
	WriteTime   time.Duration // to write one answer; 10 s
	IdleTime    time.Duration // HTTP keep-alive, and the silence after which a websocket is dropped; 90 s
	DrainTime   time.Duration // for running calls to end at shutdown; 10 s
}

func (l Limits) withDefaults() Limits {
	l.Body = cmp.Or(l.Body, 1<<20)
	l.Depth = cmp.Or(l.Depth, 64)
	l.Batch = cmp.Or(l.Batch, 100)
	l.Received = cmp.Or(l.Received, 64<<20)
	l.Answer = cmp.Or(l.Answer, 16<<20)
	l.Unread = cmp.Or(l.Unread, 64<<20)
	l.Large = cmp.Or(l.Large, 32)
	l.Waiting = cmp.Or(l.Waiting, 4096)
	l.Connections = cmp.Or(l.Connections, 2048)
	l.InFlight = cmp.Or(l.InFlight, 512)
	l.PerClient = cmp.Or(l.PerClient, 32)
	l.SlotWait = cmp.Or(l.SlotWait, time.Second)
	l.CallTime = cmp.Or(l.CallTime, time.Minute)
	l.HeaderTime = cmp.Or(l.HeaderTime, 10*time.Second)
	l.ReadTime = cmp.Or(l.ReadTime, 30*time.Second)
	l.WriteTime = cmp.Or(l.WriteTime, 10*time.Second)
	l.IdleTime = cmp.Or(l.IdleTime, 90*time.Second)
	l.DrainTime = cmp.Or(l.DrainTime, 10*time.Second)
	return l
}

// slots is a counting semaphore. A client that sends more than it may is slowed
// down first, so that a burst of quick calls passes, and refused after a while.
type slots chan struct{}

// acquire waits up to wait for a slot. It reports false if none became free or ctx ended.
func (s slots) acquire(ctx context.Context, wait time.Duration) bool {
	select {
	case s <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case s <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

func (s slots) release() { <-s }

// drainFactor times the body limit is the part of an oversized body that is
// read and discarded. A client that is still sending would otherwise see a
// broken connection instead of the answer.
const drainFactor = 16
