package sandbox

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// Limits of the transport. A transaction has at most 4096 bytes, so a frame of
// this size is always a mistake or an attack.
const (
	maxFrame     = 4 << 20
	writeTimeout = 10 * time.Second
	readTimeout  = 30 * time.Second // of a POST; an open websocket may stay silent
	queueLength  = 256              // frames that wait for a slow reader
)

func (s *Sandbox) serve(ctx context.Context) error {
	server := &http.Server{
		Handler: http.HandlerFunc(s.handle), ReadTimeout: readTimeout, IdleTimeout: readTimeout,
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	err := server.Serve(s.listener)
	// Server.Close knows nothing of upgraded connections.
	s.hub.close()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (s *Sandbox) handle(w http.ResponseWriter, r *http.Request) {
	if why := s.guard.admit(r); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	if !s.hub.enter() {
		http.Error(w, "the sandbox is stopping", http.StatusServiceUnavailable)
		return
	}
	defer s.hub.leave()
	if websocket.IsWebSocketUpgrade(r) {
		if s.faults.gone() {
			panic(http.ErrAbortHandler) // the connection is closed without an answer
		}
		s.monitor.websockets.enter()
		defer s.monitor.websockets.leave()
		s.websocket(w, r)
		return
	}
	s.monitor.posts.enter()
	defer s.monitor.posts.leave()
	if !share(w, r) {
		s.post(w, r)
	}
}

// post answers one envelope. As on the node the status is always 200, and text
// that is no envelope is answered with a line that says why.
func (s *Sandbox) post(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxFrame))
	if err != nil {
		_, _ = io.WriteString(w, "4 parse_error_exception: Parse Error the request is too long or was cut off")
		return
	}
	if fault := envelopeFault(body); fault != nil {
		_, _ = io.WriteString(w, fault.Error())
		return
	}
	if r, _ := readRequest(body); s.faults.gone() && !strings.HasPrefix(r.Method, developerPrefix) {
		panic(http.ErrAbortHandler)
	}
	session := newSession(s, nil)
	answer := session.answer(body)
	if lag := s.faults.lag() + session.lag; lag > 0 && !session.developer {
		_ = outgoing{due: time.Now().Add(lag)}.await(r.Context().Done())
	}
	_, _ = w.Write(answer)
}

func (s *Sandbox) websocket(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }} // the guard has looked
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // the upgrader has answered
	}
	conn.SetReadLimit(maxFrame)
	l := newLine(conn, s.faults)
	session := newSession(s, l)
	if s.hub.add(session) {
		l.run(session)
	}
	s.hub.remove(session)
	_ = conn.Close()
}
