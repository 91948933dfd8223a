package rpcserver

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"billfold/walletcore/walletapi"
)

// session is one websocket. Its reader is the goroutine of serve, its only
// writer that of write, which sends events as well; each message is worked on by a goroutine of its own,
// PerClient at most.
type session struct {
	conn      *websocket.Conn
	dispatch  *dispatcher
	principal Principal // nil: may do everything
	asking    Asking
	limits    Limits
	ctx       context.Context // ends when the client leaves, or is thrown out
	cancel    context.CancelFunc
	out       chan answer
	slots     slots // of messages that are worked on
	waits     slots // of those that only wait
	urgent    slots // of those that must not wait for others
	calls     sync.WaitGroup
	draining  atomic.Bool
	events    *subscription // nil = there are none
	pings     chan string   // what the client's latest ping says, until the writer has answered it
	quiet     chan struct{} // closed when no more is read: events end
	atOnce    chan struct{} // closed: what waits for it need not wait
	heard     time.Time     // when alive last moved the deadline; the reader's own
}

func newSession(ctx context.Context, conn *websocket.Conn, d *dispatcher, v Principal, by Asking) *session {
	s := &session{
		conn:      conn,
		dispatch:  d,
		principal: v,
		asking:    by,
		limits:    d.limits,
		out:       make(chan answer, d.limits.PerClient),
		slots:     make(slots, d.limits.PerClient),
		waits:     make(slots, waitsPerSlot*d.limits.PerClient),
		urgent:    make(slots, 2),
		pings:     make(chan string, 1),
		quiet:     make(chan struct{}),
		atOnce:    make(chan struct{}),
	}
	close(s.atOnce)
	if d.feed != nil {
		s.events = newSubscription(v, d.feed)
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	return s
}

// serve runs the session until the client leaves or drain is called, and
// returns when all its goroutines have ended and the connection is closed.
func (s *session) serve() {
	written := make(chan struct{})
	go func() {
		defer close(written)
		s.write()
	}()
	s.read()
	if !s.draining.Load() {
		s.cancel()
	}
	close(s.quiet)
	s.calls.Wait()
	close(s.out)
	<-written
	s.cancel()
	_ = s.conn.Close()
}

// drain ends reading: calls that run are answered, then the session ends. It
// may be called from any goroutine.
func (s *session) drain() {
	s.draining.Store(true)
	_ = s.conn.NetConn().SetReadDeadline(time.Now())
}

// alive allows the client another IdleTime without a sign, at least seven
// eighths of it: moving the deadline for each of many quick calls costs.
func (s *session) alive() {
	now := time.Now()
	if now.Sub(s.heard) < s.limits.IdleTime/8 {
		return
	}
	s.heard = now
	_ = s.conn.NetConn().SetReadDeadline(now.Add(s.limits.IdleTime))
	if s.draining.Load() { // it was called between the two lines
		_ = s.conn.NetConn().SetReadDeadline(time.Now())
	}
}

// pinged leaves the answer to the writer: a control frame of the reader would set the time limit of
// what is being written. Of several pings the latest is answered, as RFC 6455 allows.
func (s *session) pinged(says string) error {
	select {
	case <-s.pings:
	default:
	}
	s.pings <- says
	return nil
}

func (s *session) read() {
	s.conn.SetReadLimit(drainFactor * s.limits.Body)
	s.conn.SetPongHandler(func(string) error {
		s.alive()
		return nil
	})
	s.conn.SetPingHandler(s.pinged)
	for {
		s.alive()
		_, r, err := s.conn.NextReader()
		if err != nil {
			return
		}
		t, err := s.dispatch.texts.read(r, budgetKey(s.principal), s.limits.Body)
		no := s.refused(err)
		switch {
		case err == nil:
			s.startCall(readMessage(t.bytes, s.limits), t)
			continue
		case no == nil:
			return
		}
		if _, err := io.Copy(io.Discard, r); err != nil {
			return
		}
		s.push(s.dispatch.refuse(message{fault: no}, nil))
	}
}

// refused returns the answer to a message that was not received; nil when the
// connection broke.
func (s *session) refused(err error) *wireFault {
	switch {
	case errors.Is(err, errTooLong):
		return tooLarge(s.limits.Body).fault
	case errors.Is(err, errFull):
		return busy("The wallet is receiving too many large requests", s.limits.SlotWait)
	}
	return nil
}

// waitsPerSlot is how many calls may wait on one websocket for each that may run.
const waitsPerSlot = 4

// slotsFor returns what a message is counted in.
func (s *session) slotsFor(p walletapi.Pace) slots {
	switch p {
	case walletapi.PaceWaits:
		return s.waits
	case walletapi.PaceUrgent:
		return s.urgent
	case walletapi.PaceUsual, walletapi.PaceInstant:
	}
	return s.slots
}

// startCall executes m beside what is running already; a call that is over at once
// is not worth a goroutine of its own. While PerClient messages
// are being worked on no further one is read for SlotWait; then it is refused.
func (s *session) startCall(m message, t *text) {
	pace := s.dispatch.paceOf(m)
	if pace == walletapi.PaceInstant {
		defer t.release()
		s.work(m)
		return
	}
	slots := s.slotsFor(pace)
	if !slots.take(s.ctx, s.limits.SlotWait) {
		t.release()
		s.push(s.dispatch.refuse(m, busy("This connection has too many calls under way", s.limits.SlotWait)))
		return
	}
	s.calls.Add(1)
	s.dispatch.workers.run(func() {
		defer s.calls.Done()
		defer slots.give()
		defer t.release()
		s.work(m)
	})
}

func (s *session) work(m message) {
	by := client{principal: s.principal, asking: s.asking}
	if s.events != nil {
		by.events = s.events
		defer s.events.flow()
	}
	s.push(s.dispatch.run(s.ctx, by, m))
}

// push passes one message to the writer; what a client that left should have got
// is dropped.
func (s *session) push(a answer) {
	if len(a.body) == 0 {
		return
	}
	select {
	case s.out <- a:
	case <-s.ctx.Done():
		a.wipe()
	}
}

// write is the one writer: answers, events, pings, and the farewell. A client that
// takes longer than WriteTime for one of them is thrown out.
func (s *session) write() {
	ping := time.NewTicker(s.limits.IdleTime / 3)
	defer ping.Stop()
	var changed, events <-chan struct{} // events is nil while there are none to wait for
	if s.events != nil {
		changed = s.events.changed
	}
	for open, err := true, error(nil); open; {
		select {
		case a, more := <-s.out:
			open, err = more, s.send(a)
		case <-changed:
			events, open, err = s.sendEvents()
		case <-events:
			events, open, err = s.sendEvents()
		case says := <-s.pings:
			err = s.conn.WriteControl(websocket.PongMessage, []byte(says), time.Now().Add(s.limits.WriteTime))
		case <-ping.C:
			err = s.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(s.limits.WriteTime))
		}
		if err != nil {
			s.abandon()
			return
		}
	}
	s.sendClose()
}

func (s *session) send(a answer) error {
	if len(a.body) == 0 {
		return nil
	}
	_ = s.conn.SetWriteDeadline(time.Now().Add(s.limits.WriteTime))
	err := s.conn.WriteMessage(websocket.TextMessage, a.body)
	a.wipe()
	return err
}

// sendEvents sends the answers that are ready, then the next events in one write: so nobody hears of what the
// answer to unsubscribe ended. It returns what is closed when there is more; open is false when no answer will follow.
func (s *session) sendEvents() (more <-chan struct{}, open bool, err error) {
	if !s.events.flowing() {
		return nil, true, nil
	}
	for ready := true; ready; {
		select {
		case a, open := <-s.out:
			if err := s.send(a); err != nil || !open {
				return nil, open, err
			}
		case <-s.quiet:
			return nil, true, nil
		default:
			ready = false
		}
	}
	frames, wait := s.events.next()
	if frames == nil {
		return wait, true, nil
	}
	conn := s.conn.NetConn()
	_ = conn.SetWriteDeadline(time.Now().Add(s.limits.WriteTime))
	_, err = conn.Write(frames)
	return s.atOnce, true, err
}

// abandon ends the session at once: the reader fails, calls are cancelled, and
// what is pushed from now on is dropped.
func (s *session) abandon() {
	s.cancel()
	_ = s.conn.Close()
}

func (s *session) sendClose() {
	if s.draining.Load() {
		bye := websocket.FormatCloseMessage(websocket.CloseGoingAway, "the wallet is closing")
		_ = s.conn.WriteControl(websocket.CloseMessage, bye, time.Now().Add(time.Second))
	}
}
