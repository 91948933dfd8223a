package rpcserver

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// session is one websocket. Its reader is the goroutine of serve, its only
// writer that of write; each message is worked on by a goroutine of its own,
// PerClient at most.
type session struct {
	conn     *websocket.Conn
	dispatch *dispatcher
	limits   Limits
	ctx      context.Context // ends when the client leaves, or is thrown out
	cancel   context.CancelFunc
	out      chan []byte
	slots    slots
	calls    sync.WaitGroup
	draining atomic.Bool
	heard    time.Time // when alive last moved the deadline; the reader's own
}

func newSession(ctx context.Context, conn *websocket.Conn, d *dispatcher) *session {
	s := &session{
		conn:     conn,
		dispatch: d,
		limits:   d.limits,
		out:      make(chan []byte, d.limits.PerClient),
		slots:    make(slots, d.limits.PerClient),
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

// alive gives the client another IdleTime to be heard of, at least seven
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

func (s *session) read() {
	s.conn.SetReadLimit(drainFactor * s.limits.Body)
	s.conn.SetPongHandler(func(string) error {
		s.alive()
		return nil
	})
	for {
		s.alive()
		_, r, err := s.conn.NextReader()
		if err != nil {
			return
		}
		text, err := io.ReadAll(io.LimitReader(r, s.limits.Body+1))
		if err != nil {
			return
		}
		if int64(len(text)) > s.limits.Body {
			if _, err := io.Copy(io.Discard, r); err != nil {
				return
			}
			s.push(s.dispatch.refuse(message{fault: tooLarge(s.limits.Body).fault}, nil).body)
			continue
		}
		s.begin(readMessage(text, s.limits))
	}
}

// begin executes m beside what is running already. While PerClient messages
// are being worked on no further one is read for SlotWait; then it is refused.
func (s *session) begin(m message) {
	if !s.slots.take(s.ctx, s.limits.SlotWait) {
		s.push(s.dispatch.refuse(m, busy("This connection has as many calls under way as it may have", s.limits.SlotWait)).body)
		return
	}
	s.calls.Go(func() {
		defer s.slots.give()
		s.push(s.dispatch.run(s.ctx, m).body)
	})
}

// push hands one message to the writer; what a client that left should have got
// is dropped. Events will go this way too.
func (s *session) push(text []byte) {
	if len(text) == 0 {
		return
	}
	select {
	case s.out <- text:
	case <-s.ctx.Done():
	}
}

// write is the one writer: answers, pings, and the farewell. A client that
// takes longer than WriteTime for one answer is thrown out.
func (s *session) write() {
	ping := time.NewTicker(s.limits.IdleTime / 3)
	defer ping.Stop()
	for {
		select {
		case text, open := <-s.out:
			if !open {
				s.farewell()
				return
			}
			_ = s.conn.SetWriteDeadline(time.Now().Add(s.limits.WriteTime))
			if s.conn.WriteMessage(websocket.TextMessage, text) != nil {
				s.abandon()
				return
			}
		case <-ping.C:
			if s.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(s.limits.WriteTime)) != nil {
				s.abandon()
				return
			}
		}
	}
}

// abandon ends the session at once: the reader fails, calls are cancelled, and
// what is pushed from now on is dropped.
func (s *session) abandon() {
	s.cancel()
	_ = s.conn.Close()
}

func (s *session) farewell() {
	if s.draining.Load() {
		bye := websocket.FormatCloseMessage(websocket.CloseGoingAway, "the wallet is closing")
		_ = s.conn.WriteControl(websocket.CloseMessage, bye, time.Now().Add(time.Second))
	}
}

// sessions are the websockets of a server. http.Server.Shutdown leaves upgraded
// connections alone, so they are kept here.
type sessions struct {
	dispatch *dispatcher
	crowd    *crowd
	upgrader websocket.Upgrader

	mu       sync.Mutex
	open     map[*session]bool
	draining bool
	wait     sync.WaitGroup
}

func newSessions(d *dispatcher, c *crowd) *sessions {
	return &sessions{
		dispatch: d,
		crowd:    c,
		open:     make(map[*session]bool),
		upgrader: websocket.Upgrader{
			HandshakeTimeout: d.limits.HeaderTime,
			ReadBufferSize:   4096,
			WriteBufferSize:  4096,
			WriteBufferPool:  &sync.Pool{},
			CheckOrigin:      func(*http.Request) bool { return true }, // guard.admit has done it
			Error:            func(http.ResponseWriter, *http.Request, int, error) {},
		},
	}
}

// upgrade makes a websocket of a request that guard.admit let in, and serves it.
func (ss *sessions) upgrade(w http.ResponseWriter, r *http.Request) {
	if !websocket.IsWebSocketUpgrade(r) {
		w.Header().Set("Upgrade", "websocket")
		http.Error(w, "This port speaks JSON-RPC over websocket; connect with a websocket client, or POST a request.", http.StatusUpgradeRequired)
		return
	}
	defer ss.crowd.leave(r.RemoteAddr)
	w.Header().Set("Connection", "close") // for the case that it fails; else gorilla writes its own header
	conn, err := ss.upgrader.Upgrade(w, r, nil)
	if err != nil {
		var handshake websocket.HandshakeError
		if errors.As(err, &handshake) {
			http.Error(w, "The websocket handshake is broken; use a client for websocket version 13.", http.StatusBadRequest)
		}
		return
	}
	s := newSession(r.Context(), conn, ss.dispatch)
	if !ss.add(s) {
		s.abandon()
		return
	}
	defer ss.remove(s)
	s.serve()
}

func (ss *sessions) add(s *session) bool {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.draining {
		return false
	}
	ss.open[s] = true
	ss.wait.Add(1)
	return true
}

func (ss *sessions) remove(s *session) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	delete(ss.open, s)
	ss.wait.Done()
}

// drain lets every session answer what it is working on and end. When ctx ends
// first, they are abandoned. It returns when all have ended.
func (ss *sessions) drain(ctx context.Context) {
	ss.close((*session).drain)
	done := make(chan struct{})
	go func() {
		ss.wait.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		ss.close((*session).abandon)
		<-done
	}
}

// close lets no further session in and does do to those that are open.
func (ss *sessions) close(do func(*session)) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.draining = true
	for s := range ss.open {
		do(s)
	}
}
