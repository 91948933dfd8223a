package rpcserver

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// sessions are the websockets of a server. http.Server.Shutdown leaves upgraded
// connections alone, so they are kept here.
type sessions struct {
	dispatch *dispatcher
	upgrader websocket.Upgrader

	mu       sync.Mutex
	open     map[*session]ListenerKind
	count    int            // those that are open or being opened
	held     map[string]int // of these, by principal
	share    int            // of one principal
	draining bool
	shut     [listenerKinds]bool // listeners whose websockets end
	wait     sync.WaitGroup
}

func newSessions(d *dispatcher) *sessions {
	return &sessions{
		dispatch: d,
		open:     make(map[*session]ListenerKind),
		held:     make(map[string]int),
		share:    max(d.limits.Connections*3/4*d.places.share/d.places.limit, 1),
		upgrader: websocket.Upgrader{
			HandshakeTimeout: d.limits.HeaderTime,
			ReadBufferSize:   0, // the one that HTTP began to read with, of 4096 bytes
			WriteBufferSize:  4096,
			WriteBufferPool:  &sync.Pool{},
			CheckOrigin:      func(*http.Request) bool { return true }, // requestFilter.check has done it
			Error:            func(http.ResponseWriter, *http.Request, int, error) {},
		},
	}
}

// upgradeAt is upgrade for the requests of a listener.
func (ss *sessions) upgradeAt(kind ListenerKind) func(http.ResponseWriter, *http.Request, Principal) {
	return func(w http.ResponseWriter, r *http.Request, v Principal) { ss.upgrade(w, r, v, kind) }
}

// upgrade makes a websocket of a request that requestFilter.check let in, and serves it.
func (ss *sessions) upgrade(w http.ResponseWriter, r *http.Request, v Principal, kind ListenerKind) {
	if !websocket.IsWebSocketUpgrade(r) {
		w.Header().Set("Upgrade", "websocket")
		http.Error(w, "This port speaks JSON-RPC over websocket; connect with a websocket client, or POST a request.",
			http.StatusUpgradeRequired)
		return
	}
	if !ss.reserve(v) {
		w.Header().Set("Retry-After", "1")
		w.Header().Set("Connection", "close")
		http.Error(w, "The wallet's websocket limit is reached; close some, or try again later.", http.StatusServiceUnavailable)
		return
	}
	defer ss.release(v)
	w.Header().Set("Connection", "close") // for the case that it fails; else gorilla writes its own header
	conn, err := ss.upgrader.Upgrade(w, r, nil)
	if err != nil {
		var handshake websocket.HandshakeError
		if errors.As(err, &handshake) {
			http.Error(w, "The websocket handshake is broken; use a client for websocket version 13.", http.StatusBadRequest)
		}
		return
	}
	s := newSession(r.Context(), conn, ss.dispatch, v, askingOf(r, v, "websocket"))
	if !ss.add(s, kind) {
		s.abandon()
		return
	}
	defer ss.remove(s)
	s.serve()
}

// reserve counts one more websocket of a client; false when it may have no more.
// A quarter of the connections is left to calls that come over HTTP.
func (ss *sessions) reserve(v Principal) bool {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	p := budgetKey(v)
	if ss.count >= max(ss.dispatch.limits.Connections*3/4, 1) || ss.held[p] >= ss.share {
		return false
	}
	ss.count++
	ss.held[p]++
	return true
}

func (ss *sessions) release(v Principal) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.count--
	p := budgetKey(v)
	if ss.held[p]--; ss.held[p] == 0 {
		delete(ss.held, p)
	}
}

func (ss *sessions) add(s *session, kind ListenerKind) bool {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.draining || ss.shut[kind] {
		return false
	}
	ss.open[s] = kind
	s.asking.session = ss.dispatch.traffic.arrived(s.asking)
	ss.wait.Add(1)
	return true
}

func (ss *sessions) remove(s *session) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	delete(ss.open, s)
	ss.dispatch.traffic.left(s.asking.session)
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

// endOf ends the websockets of a listener, at the latest with ctx, while do runs; none is let in by it until allow.
func (ss *sessions) endOf(ctx context.Context, kind ListenerKind, do func()) {
	ss.mu.Lock()
	ss.shut[kind] = true
	for s, by := range ss.open {
		if by == kind {
			s.drain()
		}
	}
	ss.mu.Unlock()
	do()
	for tick := time.NewTicker(10 * time.Millisecond); ; {
		if ss.countOf(kind) == 0 {
			tick.Stop()
			return
		}
		select {
		case <-ctx.Done():
			ss.each(func(s *session, by ListenerKind) {
				if by == kind {
					s.abandon()
				}
			})
			tick.Stop()
			return
		case <-tick.C:
		}
	}
}

// allow lets websockets in by a listener again.
func (ss *sessions) allow(kind ListenerKind) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.shut[kind] = false
}

func (ss *sessions) countOf(kind ListenerKind) (n int) {
	ss.each(func(_ *session, by ListenerKind) {
		if by == kind {
			n++
		}
	})
	return n
}

// each does something for every open websocket.
func (ss *sessions) each(do func(s *session, by ListenerKind)) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for s, by := range ss.open {
		do(s, by)
	}
}
