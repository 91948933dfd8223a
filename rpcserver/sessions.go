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
	count    int            // websockets that are open or being opened
	held     map[string]int // of these, by principal
	share    int            // how many one principal may hold
	draining bool
	shut     [listenerKinds]bool // listeners that accept no websockets
	wait     sync.WaitGroup      // for open sessions to end
}

func newSessions(d *dispatcher) *sessions {
	return &sessions{
		dispatch: d,
		open:     make(map[*session]ListenerKind),
		held:     make(map[string]int),
		share:    max(d.limits.Connections*3/4*d.places.share/d.places.limit, 1),
		upgrader: websocket.Upgrader{
			HandshakeTimeout: d.limits.HeaderTime,
			ReadBufferSize:   0, // reuse the 4096-byte buffer of net/http
			WriteBufferSize:  4096,
			WriteBufferPool:  &sync.Pool{},
			CheckOrigin:      func(*http.Request) bool { return true }, // requestFilter.check has checked it
			Error:            func(http.ResponseWriter, *http.Request, int, error) {},
		},
	}
}

// upgradeAt returns upgrade for the requests of a listener.
func (ss *sessions) upgradeAt(kind ListenerKind) func(http.ResponseWriter, *http.Request, Principal) {
	return func(w http.ResponseWriter, r *http.Request, v Principal) { ss.upgrade(w, r, v, kind) }
}

// upgrade turns a request that requestFilter.check let in into a websocket and serves it.
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
	w.Header().Set("Connection", "close") // in case the upgrade fails; otherwise gorilla writes its own header
	conn, err := ss.upgrader.Upgrade(w, r, nil)
	if err != nil {
		var handshake websocket.HandshakeError
		if errors.As(err, &handshake) {
			http.Error(w, "The websocket handshake is broken; use a client for websocket version 13.", http.StatusBadRequest)
		}
		return
	}
	s := newSession(r.Context(), conn, ss.dispatch, v, requesterOf(r, v, "websocket"))
	if !ss.add(s, kind) {
		s.abandon()
		return
	}
	defer ss.remove(s)
	s.serve()
}

// reserve counts one more websocket of a client. It reports false if the client may have no
// more. A quarter of the connections is left to HTTP.
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
	s.requester.session = ss.dispatch.traffic.connected(s.requester)
	ss.wait.Add(1)
	return true
}

func (ss *sessions) remove(s *session) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	delete(ss.open, s)
	ss.dispatch.traffic.disconnected(s.requester.session)
	ss.wait.Done()
}

// drain lets every session answer its running calls and end. If ctx ends first, the
// sessions are abandoned. It returns when all have ended.
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
		ss.close((*session).cutOff)
		<-done
	}
}

// close accepts no further session and calls do for those that are open.
func (ss *sessions) close(do func(*session)) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.draining = true
	for s := range ss.open {
		do(s)
	}
}

// drainListener drains the websockets of a listener and runs do. Websockets that are still open when ctx ends are abandoned. The
// listener accepts no websocket until allow.
func (ss *sessions) drainListener(ctx context.Context, kind ListenerKind, do func()) {
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
					s.cutOff()
				}
			})
			tick.Stop()
			return
		case <-tick.C:
		}
	}
}

// allow lets a listener accept websockets again.
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

// each calls do for every open websocket.
func (ss *sessions) each(do func(s *session, by ListenerKind)) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for s, by := range ss.open {
		do(s, by)
	}
}
