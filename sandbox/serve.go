package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/sandbox/api"
	"billfold/sandbox/ipfs"

	"github.com/gorilla/websocket"
)

// server serves the daemon interface on one port.
type server struct {
	listener net.Listener // may be nil
	filter   requestFilter
	node     *api.Node
	hub      *hub
	faults   *Faults
	conn     ConnProfile
	content  *ipfs.Folder // nil: none is kept
}

func newServer(c *Controls, o Options) *server {
	s := &server{filter: requestFilter{hosts: o.Hosts, origins: o.Origins}, hub: c.hub, faults: c.Faults, conn: o.Conn}
	s.node = &api.Node{
		Chain: c.chain, Access: o.Access, Developer: developerSet(c), Identity: identity{c, s},
		Monitor: api.NewMonitor(ledger.TimeOf(c.clock.now())),
	}
	if s.node.Access == nil {
		s.node.Access = api.OpenAccess()
	}
	return s
}

// listen uses the listener of the options or opens their port. It does nothing if they have neither.
func (s *server) listen(o Options) error {
	listener := o.Listener
	if listener == nil && o.Listen == "" {
		return nil
	}
	if listener == nil {
		var err error
		if listener, err = net.Listen("tcp", o.Listen); err != nil {
			return fmt.Errorf("the sandbox cannot listen on %s: %w; end the program that uses the port, or choose another address",
				o.Listen, err)
		}
	}
	if s.conn.TwoSegments {
		listener = segmentListener{listener}
	}
	s.listener = &faultListener{listener, s.faults}
	return nil
}

// identity is the node's report about itself.
type identity struct {
	c *Controls
	s *server
}

// ChainID returns the chain's own id, unless a fault poses as another.
func (i identity) ChainID() ledger.ChainID { return i.s.faults.claimedChainID(i.c.chain.ID()) }

// OwnClock reports whether blocks do not follow real time: they are made on request,
// the clock was set, or they come faster than one a second, so that their times run
// ahead. Without this a wallet would conclude that the node is cut off from its network.
func (i identity) OwnClock() bool {
	return i.c.pace.onDemand() || i.c.clock.isShifted() || i.c.runsAhead()
}

// Now returns the time by which blocks are made.
func (i identity) Now() ledger.Time { return ledger.TimeOf(i.c.clock.now()) }

// ListensOn returns the address with port, or "".
func (i identity) ListensOn() string {
	if i.s.listener == nil {
		return ""
	}
	return i.s.listener.Addr().String()
}

// newSession returns the session of a websocket.
func (s *server) newSession(c *conn) *session {
	session := &session{hub: s.hub, faults: s.faults, conn: c, since: s.node.Chain.Restarts()}
	session.Session = api.NewSession(s.node, session)
	return session
}

// newPost returns the session of one call over HTTP.
func (s *server) newPost() *session {
	return &session{Session: api.NewPost(s.node), hub: s.hub, faults: s.faults}
}

func (s *server) serve(ctx context.Context) error {
	server := &http.Server{
		Handler: http.HandlerFunc(s.handle), ReadTimeout: readTimeout, IdleTimeout: readTimeout,
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	err := server.Serve(s.listener)
	// Server.Close does not close upgraded connections.
	s.hub.close()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (s *server) handle(w http.ResponseWriter, r *http.Request) {
	if why := s.filter.refusal(r); why != "" {
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
		s.node.Monitor.Websockets.Enter()
		defer s.node.Monitor.Websockets.Leave()
		s.websocket(w, r)
		return
	}
	s.node.Monitor.Posts.Enter()
	defer s.node.Monitor.Posts.Leave()
	switch {
	case allowReading(w, r):
	case s.content != nil && strings.HasPrefix(r.URL.Path, ipfs.Prefix):
		s.content.ServeHTTP(w, r)
	default:
		s.post(w, r)
	}
}

// post answers one envelope. As on the node, the status is always 200, and text
// that is not an envelope is answered with one line that names the error.
func (s *server) post(w http.ResponseWriter, r *http.Request) {
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
	session := s.newPost()
	answer, lag := session.answer(body)
	if lag += s.faults.lag(); session.developer {
		lag = 0
	}
	if lag += s.conn.RTT; lag > 0 {
		_ = outgoing{due: time.Now().Add(lag)}.await(r.Context().Done())
	}
	_, _ = w.Write(answer)
}

func (s *server) websocket(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }} // the filter has checked it
	socket, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // the upgrader has answered
	}
	socket.SetReadLimit(maxFrame)
	session := s.newSession(newConn(socket, s.faults, s.conn.RTT))
	if s.hub.add(session) {
		session.conn.run(session.answer)
	}
	s.hub.remove(session)
	_ = socket.Close()
}
