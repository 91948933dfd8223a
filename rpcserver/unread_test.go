package rpcserver

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A large turn waits until enough is free, smaller ones of its principal wait behind it, and others pass.
func TestAScheduleSharesBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedule(100, 60)
		ctx := t.Context()
		if got := s.acquire(ctx, "a", 1000, 0); got != 60 {
			t.Fatalf("who wants more than its share gets %d of 60", got)
		}
		order := make(chan string, 4)
		wait := func(principal string, n int) {
			go func() {
				if s.acquire(ctx, principal, n, time.Minute) > 0 {
					order <- fmt.Sprintf("%s %d", principal, n)
				}
			}()
			synctest.Wait()
		}
		wait("b", 50)
		wait("b", 1)
		wait("c", 30)
		if got := <-order; got != "c 30" || len(order) != 0 {
			t.Errorf("%s was given first, %d more", got, len(order))
		}
		s.release("a", 60)
		synctest.Wait()
		if _, _, held := <-order, <-order, s.held["b"]; held != 51 {
			t.Errorf("of 51 that became free, %d were given", held)
		}
		short, cancel := context.WithCancel(ctx)
		go s.acquire(short, "b", 40, time.Minute)
		synctest.Wait()
		wait("b", 5)
		cancel()
		if got := <-order; got != "b 5" {
			t.Errorf("%s was given when the one before it gave up", got)
		}
	})
}

// reads makes server and client of one connection: what the server writes, the client reads only when it wants to.
func reads(t *testing.T) (*outbox, net.Conn) {
	ours, theirs := net.Pipe()
	t.Cleanup(func() { _, _ = ours.Close(), theirs.Close() })
	return &outbox{Conn: ours}, theirs
}

// counted returns how many bytes of answers are counted, and how many answers they are of.
func counted(u *unread) (bytes, rooms int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.bytes.mu.Lock()
	defer u.bytes.mu.Unlock()
	return u.bytes.busy, len(u.rooms)
}

// Who needs room waits for it, and disconnects whoever has stood still for longest, but nobody who reads.
func TestWhoDoesNotReadMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnread(1<<20, 4, 1, time.Second)
		slow, slowClient := reads(t)
		still, _ := reads(t)
		fresh, _ := reads(t)
		for _, box := range []*outbox{slow, still} {
			r := u.room(box, "")
			if !r.grow(t.Context(), 1<<19) {
				t.Fatal("there is room")
			}
			go func() {
				_, _ = box.Write(make([]byte, 1<<19))
				r.release()
			}()
		}
		go func() { // a slow reader, but one that reads
			for {
				time.Sleep(time.Second / 5)
				if _, err := io.CopyN(io.Discard, slowClient, writePiece/4); err != nil {
					return
				}
			}
		}()
		small := u.room(fresh, "")
		if !small.grow(t.Context(), sparedBytes) {
			t.Error("a small answer on a connection of its own found no room")
		}
		start := time.Now()
		r := u.room(fresh, "")
		if !r.grow(t.Context(), 1<<18) || time.Since(start) >= 3*time.Second {
			t.Errorf("no room after %v", time.Since(start))
		}
		if _, err := still.Conn.Write([]byte("x")); err == nil {
			t.Error("who stood still is still connected")
		}
		if slow.stalledFor() >= time.Second {
			t.Errorf("the slow reader counts as standing still for %v", slow.stalledFor())
		}
		r.settle(10)
		if bytes, _ := counted(u); bytes != 1<<19+10 {
			t.Errorf("%d bytes are counted", bytes)
		}
		r.release()
		small.release()
		_ = slow.Close()
		time.Sleep(time.Second) // its client notices
		if bytes, rooms := counted(u); bytes != 0 || rooms != 0 || fresh.spared.Load() != 0 || still.spared.Load() != 0 {
			t.Errorf("left: %d bytes, %d rooms, %d and %d spared", bytes, rooms, fresh.spared.Load(), still.spared.Load())
		}
	})
}

// Clients that ask for much and read nothing take no more memory than the budget has, over both transports, keep nobody
// from being answered, and leave nothing behind.
func TestUnreadAnswersAreBounded(t *testing.T) {
	const answer, limit, greedy = 256 << 10, 2 << 20, 24
	h := open(t, func(o *Options) {
		o.Limits = Limits{Unread: limit, Large: 4, SlotWait: 100 * time.Millisecond, DrainTime: 100 * time.Millisecond}
	})
	u := h.sessions.dispatch.unread
	const large = `{"jsonrpc":"2.0","id":1,"method":"large"}`
	batch := "[" + strings.Repeat(large+",", 39) + large + "]"
	for i := range greedy {
		if i%2 == 0 {
			send(t, h.mustDial(), batch)
			continue
		}
		conn, err := net.Dial("tcp", h.HTTPAddr())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		fmt.Fprintf(conn, "POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			h.HTTPAddr(), len(batch), batch)
	}
	most := 0
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		bytes, _ := counted(u)
		most = max(most, bytes)
		if status, text := h.post(h.HTTPAddr(), isLocked); status != 200 || text != unlocked {
			t.Fatalf("an honest call meanwhile: %d %s", status, text)
		}
	}
	if most < limit/2 || most > limit+greedy*answer/2 {
		t.Errorf("%d bytes of answers at most, the limit is %d", most, limit)
	}
	for answered, end := false, time.Now().Add(20*time.Second); !answered; {
		_, text := h.post(h.HTTPAddr(), large)
		answered = len(text) > answer
		if !answered && time.Now().After(end) {
			t.Fatalf("an honest large answer: %.200s", text)
		}
	}
	if err := h.stop(); err != nil {
		t.Error(err)
	}
	if bytes, rooms := counted(u); bytes != 0 || u.large.busy != 0 || rooms != 0 {
		t.Errorf("%d bytes, %d calls and %d answers are left", bytes, u.large.busy, rooms)
	}
}

// A batch is sent in pieces, which make the same text.
func TestALargeBatchArrivesInPieces(t *testing.T) {
	h := open(t, nil)
	const large = `{"jsonrpc":"2.0","id":1,"method":"large"}`
	_, one := h.post(h.HTTPAddr(), large)
	status, text := h.post(h.HTTPAddr(), "["+strings.Repeat(large+",", 7)+isLocked+"]")
	if want := "[" + strings.Repeat(one+",", 7) + unlocked + "]"; status != 200 || text != want {
		t.Errorf("%d, %d bytes of %d: %.80s … %s", status, len(text), len(want), text, text[max(0, len(text)-80):])
	}
	_, text = h.post(h.HTTPAddr(), "["+isLocked+","+large+"]")
	if text != "["+unlocked+","+one+"]" {
		t.Errorf("%d bytes: %.80s … %s", len(text), text, text[max(0, len(text)-80):])
	}
}
