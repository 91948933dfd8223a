package rpcserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestSlotsWaitThenRefuse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := make(slots, 1)
		ctx, cancel := context.WithCancel(t.Context())
		if !s.acquire(ctx, 0) {
			t.Fatal("a free slot was refused")
		}
		start := time.Now()
		if s.acquire(ctx, time.Second) || time.Since(start) != time.Second {
			t.Errorf("refused after %v, want 1 s", time.Since(start))
		}
		go func() {
			time.Sleep(time.Second / 2)
			s.release()
		}()
		if !s.acquire(ctx, time.Second) {
			t.Error("a slot that became free was not taken")
		}
		cancel()
		start = time.Now()
		if s.acquire(ctx, time.Second) || time.Since(start) != 0 {
			t.Errorf("waited %v for a client that left", time.Since(start))
		}
	})
}

// fakeConn is a connection that only has an address and records that it was closed.
type fakeConn struct {
	net.Conn
	name   string
	closed bool
}

func (p *fakeConn) RemoteAddr() net.Addr { return localAddr(p.name) }
func (p *fakeConn) Close() error         { p.closed = true; return nil }

// Connections without a complete request are closed for new ones, the longest idle first.
// If all have calls under way, new ones are marked as in excess, and finally refused.
func TestConnectionsWithoutRequestMakeRoom(t *testing.T) {
	c := newConnLimit(2)
	peers := make([]*fakeConn, 8)
	for i := range peers {
		peers[i] = &fakeConn{name: fmt.Sprint(i)}
	}
	for i := range 3 {
		if !c.add(peers[i]) || c.inExcess(peers[i].name) {
			t.Fatalf("connection %d was not let in", i)
		}
	}
	if !peers[0].closed || peers[1].closed || c.markBusy("0") {
		t.Error("the lazy connection that came first was not the one to go")
	}
	if !c.markBusy("1") || !c.markBusy("2") {
		t.Fatal("connections that are open are not known")
	}
	for i := 3; i < 5; i++ {
		if !c.add(peers[i]) || !c.inExcess(peers[i].name) || !c.markBusy(peers[i].name) {
			t.Errorf("connection %d in excess: %v", i, c.inExcess(peers[i].name))
		}
	}
	if c.add(peers[5]) {
		t.Error("a fifth connection is kept at a limit of two")
	}
	c.remove("5") // as the server does when a connection is closed
	c.markIdle("1")
	if !c.add(peers[6]) || !peers[1].closed {
		t.Error("a connection that rests again did not make room")
	}
	for _, client := range []string{"2", "3", "4", "6"} {
		c.remove(client)
	}
	if !c.add(peers[7]) || c.inExcess("7") || c.idle.Len() != 1 {
		t.Error("a free place was not given")
	}
}

// No principal has more than its share, and a free place goes to the one that has the
// fewest.
func TestPlacesAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedule(4, 2)
		ctx := t.Context()
		for range 2 {
			if s.acquire(ctx, "greedy", 1, 0) == 0 || s.acquire(ctx, "other", 1, 0) == 0 {
				t.Fatal("a free place was refused")
			}
		}
		if s.acquire(ctx, "greedy", 1, time.Second) > 0 {
			t.Error("more than its share was given")
		}
		var order []string
		done := make(chan string)
		for _, p := range []string{"greedy", "greedy", "new"} {
			go func() {
				if s.acquire(ctx, p, 1, time.Minute) > 0 {
					done <- p
				}
			}()
			synctest.Wait()
		}
		for range 2 {
			s.release("greedy", 1)
			order = append(order, <-done)
		}
		if order[0] != "new" || order[1] != "greedy" {
			t.Errorf("places went to %v", order)
		}
		s.release("other", 1)
		if got := <-done; got != "greedy" || s.busy != 4 || s.held["greedy"] != 2 {
			t.Errorf("%s, %d busy, %v", got, s.busy, s.held)
		}
	})
}

// A withdrawn turn takes nobody's place, even if it is granted late.
func TestWithdrawnTurnsGetNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedule(1, 1)
		ctx, cancel := context.WithCancel(t.Context())
		p, ok := s.enter(ctx, "a", 0)
		if !ok {
			t.Fatal("a free place was refused")
		}
		if s.acquire(ctx, "b", 1, time.Second) > 0 {
			t.Error("a taken place was given")
		}
		cancel()
		if s.acquire(ctx, "c", 1, time.Second) > 0 || len(s.waiting) != 0 {
			t.Errorf("who left still waits: %v", s.waiting)
		}
		p.release()
		p.release()
		if s.busy != 0 || len(s.held) != 0 {
			t.Errorf("%d busy, %v", s.busy, s.held)
		}
	})
}

// The budget counts what arrives, and one principal leaves some of it to others.
func TestTextBudgetIsShared(t *testing.T) {
	c := newTextBudget(256<<10, 128<<10)
	var kept []*text
	for range 1000 { // each as small as an ordinary call, so none is counted
		small, err := c.read(strings.NewReader(strings.Repeat("x", uncountedBytes-1)), "a", 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, small)
	}
	if c.total != 0 || cap(kept[0].bytes) > uncountedBytes {
		t.Errorf("%d counted, room for %d", c.total, cap(kept[0].bytes))
	}
	large := func(who string) (*text, error) {
		return c.read(strings.NewReader(strings.Repeat("x", 100<<10)), who, 1<<20)
	}
	first, err := large("a")
	if err != nil || len(first.bytes) != 100<<10 {
		t.Fatal(err)
	}
	if _, err := large("a"); !errors.Is(err, errFull) {
		t.Errorf("more than its share was received: %v", err)
	}
	second, err := large("b")
	if err != nil {
		t.Error("another principal was kept out:", err)
	}
	if _, err := c.read(strings.NewReader(strings.Repeat("x", 300)), "c", 200); !errors.Is(err, errTooLong) {
		t.Errorf("over the limit: %v", err)
	}
	first.release()
	first.release()
	second.release()
	if c.total != 0 || len(c.held) != 0 {
		t.Errorf("%d bytes are still counted, %v", c.total, c.held)
	}
}

func TestRefusalsAreLoggedAtABoundedRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := newRefusalLog(slog.New(slog.NewTextHandler(&out, nil)))
		for range 5000 {
			l.record(slog.LevelWarn, "flood", "refused")
		}
		time.Sleep(logEvery)
		l.record(slog.LevelWarn, "flood", "refused")
		l.record(slog.LevelWarn, "flood", "refused")
		for n := range maxKinds + 500 {
			l.record(slog.LevelWarn, fmt.Sprint("kind ", n), "refused")
		}
		l.flush()
		text := out.String()
		if lines := strings.Count(text, "\n"); lines > maxKinds+5 || !strings.Contains(text, "more_before=4999") ||
			!strings.Contains(text, "kind=others count=") {
			t.Errorf("%d lines:\n%s", lines, text)
		}
	})
}

func TestLimitsKeepWhatIsSet(t *testing.T) {
	l := Limits{Body: 5}.withDefaults()
	if l.Body != 5 || l.Depth != 64 || l.PerClient != 32 {
		t.Errorf("%+v", l)
	}
}
