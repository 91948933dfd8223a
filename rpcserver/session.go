package rpcserver

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
)

// session is one websocket. The goroutine of serve reads, and that of write, which also
// sends events, is the only one that writes. Each message is executed in a goroutine of
// its own, at most PerClient at a time.
type session struct {
	conn      *websocket.Conn
	box       *outbox
	dispatch  *dispatcher
	principal Principal // nil = may do everything
	requester Requester
	limits    Limits
	server    context.Context // ends with the server, or when the client is cut off
	end       context.CancelFunc
	ctx       context.Context // ends with server, and when the client leaves
	leave     context.CancelCauseFunc
	out       chan answer
	slots     slots        // of messages being executed
	waits     slots        // of messages that only wait
	urgent    slots        // of messages that must not wait for others
	order     messageOrder // of messages; used by the reader only
	calls     sync.WaitGroup
	draining  atomic.Bool
	events    *subscription // nil = no events
	pings     chan string   // the payload of the client's latest ping, until the writer answers it
	readEnded chan struct{} // closed when reading has ended; then no more events are sent
	always    chan struct{} // always closed, for the writer to continue at once
	extended  time.Time     // when extendDeadline last moved the deadline; used by the reader only
}

func newSession(ctx context.Context, conn *websocket.Conn, d *dispatcher, v Principal, by Requester) *session {
	s := &session{
		conn:      conn,
		box:       outboxOf(conn.NetConn()),
		dispatch:  d,
		principal: v,
		requester: by,
		limits:    d.limits,
		out:       make(chan answer, d.limits.PerClient),
		slots:     make(slots, d.limits.PerClient),
		waits:     make(slots, waitsPerSlot*d.limits.PerClient),
		urgent:    make(slots, 2),
		pings:     make(chan string, 1),
		readEnded: make(chan struct{}),
		always:    make(chan struct{}),
	}
	close(s.always)
	s.box.reads.stop()
	if d.feed != nil {
		s.events = newSubscription(v, d.feed)
	}
	s.server, s.end = context.WithCancel(ctx)
	s.ctx, s.leave = context.WithCancelCause(s.server)
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
		s.abandon()
	}
	close(s.readEnded)
	s.calls.Wait()
	close(s.out)
	<-written
	for a := range s.out { // which the writer left when the client did
		a.done()
	}
	s.end()
	_ = s.conn.Close()
}

// drain stops reading: running calls are answered, then the session ends. It may
// be called from any goroutine.
func (s *session) drain() {
	s.draining.Store(true)
	_ = s.conn.NetConn().SetReadDeadline(time.Now())
}

// extendDeadline allows the client another IdleTime to show a sign of life, or at least
// seven eighths of it: moving the deadline for each of many quick calls is expensive.
func (s *session) extendDeadline() {
	now := time.Now()
	if now.Sub(s.extended) < s.limits.IdleTime/8 {
		return
	}
	s.extended = now
	_ = s.conn.NetConn().SetReadDeadline(now.Add(s.limits.IdleTime))
	if s.draining.Load() { // drain set its deadline just before this one
		_ = s.conn.NetConn().SetReadDeadline(time.Now())
	}
}

// onPing leaves the pong to the writer: if the reader sent it, that would change the deadline of a write in
// progress. Of several pings only the latest is answered, as RFC 6455 allows.
func (s *session) onPing(payload string) error {
	select {
	case <-s.pings:
	default:
	}
	s.pings <- payload
	return nil
}

func (s *session) read() {
	s.conn.SetReadLimit(drainFactor * s.limits.Body)
	s.conn.SetPongHandler(func(string) error {
		s.extendDeadline()
		return nil
	})
	s.conn.SetPingHandler(s.onPing)
	for {
		s.box.awaitReader(s.ctx)
		s.extendDeadline()
		_, r, err := s.conn.NextReader()
		if err != nil {
			return
		}
		t, err := s.dispatch.textBudget.read(r, budgetKey(s.principal), s.limits.Body)
		no := s.receiveFault(err)
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
		s.push(s.dispatch.refuse(s.principal, message{fault: no}, nil))
	}
}

// receiveFault returns the fault to answer to a message that could not be received, nil
// if the connection broke.
func (s *session) receiveFault(err error) *wireError {
	switch {
	case errors.Is(err, errTooLong):
		return tooLarge(s.limits.Body).fault
	case errors.Is(err, errFull):
		return busy("The wallet is receiving too many large requests", s.limits.SlotWait)
	}
	return nil
}

// waitsPerSlot is the number of calls that may wait on one websocket for each that may run.
const waitsPerSlot = 4

// slotsFor returns the slots that a message of a pace takes one of.
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

// usualAnswer is about how many bytes an answer has that is an error.
const usualAnswer = 256

// startCall executes m concurrently with other messages, but an instant call in the
// goroutine of the reader. If PerClient messages are being executed, m waits for
// SlotWait, during which nothing more is read, and is then refused; among calls that are done in order it waits longer, since those
// after it could do harm without it.
func (s *session) startCall(m message, t *text) {
	pace, inOrder := s.dispatch.paceOf(m), s.dispatch.takesTurn(m)
	ordered := inOrder || s.order.busy()
	if pace == walletapi.PaceInstant && !ordered {
		defer t.release()
		s.process(s.ctx, m, nil)
		return
	}
	slots, wait := s.slotsFor(pace), s.limits.SlotWait
	if ordered {
		wait = s.limits.CallTime
	}
	if !slots.acquire(s.ctx, wait) {
		s.push(s.dispatch.refuse(s.principal, m, busy("This connection has too many calls under way", s.limits.SlotWait)))
		t.release()
		return
	}
	turn := s.order.take(inOrder)
	if pace == walletapi.PaceWaits {
		turn.leave()
	}
	s.calls.Add(1)
	size := usualAnswer * max(len(m.requests), 1) // so that the reader stops before they are answered
	s.box.hold(size)
	s.dispatch.workers.run(func() {
		defer s.calls.Done()
		defer s.box.hold(-size)
		defer slots.release()
		defer t.release()
		defer turn.leave()
		s.processInTurn(m, turn, pace)
	})
}

// processInTurn executes m when its turn has come. An urgent message waits for SlotWait at most, and is executed even if the client left.
func (s *session) processInTurn(m message, t messageTurn, pace walletapi.Pace) {
	if pace == walletapi.PaceUrgent {
		t.await(s.server, s.limits.SlotWait)
		s.process(s.server, m, t.leave)
		return
	}
	switch came := t.await(s.ctx, s.limits.CallTime); {
	case s.ctx.Err() != nil: // nothing is begun for a client that left
	case came:
		s.process(s.ctx, m, t.leave)
	default:
		s.push(s.dispatch.refuse(s.principal, m, busy("The calls before this one on its connection take too long", s.limits.SlotWait)))
	}
}

// process executes m. waits is called when one of its calls begins to wait, see client.
func (s *session) process(ctx context.Context, m message, waits func()) {
	by := client{principal: s.principal, requester: s.requester, box: s.box, server: s.server, waits: waits}
	if s.events != nil {
		by.events = s.events
		defer s.events.startFlow()
	}
	s.push(s.dispatch.run(ctx, by, m))
}

// push passes one answer to the writer. If the client has left, the answer is dropped.
func (s *session) push(a answer) {
	if len(a.body) == 0 {
		a.done()
		return
	}
	select {
	case s.out <- a:
	case <-s.ctx.Done():
		a.done()
	}
}

// write sends answers, events, pings and the close frame. A client that takes longer
// than WriteTime to accept one of them is disconnected.
func (s *session) write() {
	ping := time.NewTicker(s.limits.IdleTime / 3)
	defer ping.Stop()
	var changed, events <-chan struct{} // events is nil while there is no event to wait for
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
		case payload := <-s.pings:
			err = s.conn.WriteControl(websocket.PongMessage, []byte(payload), time.Now().Add(s.limits.WriteTime))
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
	defer a.done()
	if !a.secret {
		return s.conn.WriteMessage(websocket.TextMessage, a.body)
	}
	// The library would keep the beginning in its buffer.
	frame := append(appendFrameHeader(make([]byte, 0, maxFrameHeader+len(a.body)), len(a.body)), a.body...)
	defer clear(frame)
	conn := s.conn.NetConn()
	_ = conn.SetWriteDeadline(time.Now().Add(s.limits.WriteTime)) // the other one is for what the library writes
	_, err := conn.Write(frame)
	return err
}

// sendEvents sends the answers that are ready, then the next events in one write, so that no event follows the
// answer to the unsubscribe that ended it. It returns a channel that is closed when there are more events; open is
// false if no answer will follow.
func (s *session) sendEvents() (more <-chan struct{}, open bool, err error) {
	if !s.events.mayFlow() {
		return nil, true, nil
	}
	for ready := true; ready; {
		select {
		case a, open := <-s.out:
			if err := s.send(a); err != nil || !open {
				return nil, open, err
			}
		case <-s.readEnded:
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
	return s.always, true, err
}

// abandon ends the session of a client that has left: the reader fails, calls other than spends are cancelled, and
// answers that follow are dropped.
func (s *session) abandon() {
	s.leave(errClientLeft)
	_ = s.conn.Close()
}

// cutOff ends the session at once, and all its calls.
func (s *session) cutOff() {
	s.end()
	_ = s.conn.Close()
}

func (s *session) sendClose() {
	if s.draining.Load() {
		bye := websocket.FormatCloseMessage(websocket.CloseGoingAway, "the wallet is closing")
		_ = s.conn.WriteControl(websocket.CloseMessage, bye, time.Now().Add(time.Second))
	}
}
