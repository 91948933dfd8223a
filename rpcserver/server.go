package rpcserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Server answers calls to a Caller on several listeners.
type Server struct {
	log      *slog.Logger
	limits   Limits
	refusals *refusalLog
	draining chan struct{} // closed when it begins to drain
	entrance *entrance
	notice   time.Duration
	sessions *sessions
	traffic  *Traffic  // nil = calls are not recorded
	metrics  *listener // nil = off
	running  sync.WaitGroup
	failed   chan error // why a listener failed

	mu        sync.Mutex
	endpoints [listenerKinds]*endpoint // nil = not in the options
	calls     context.Context          // of all calls; nil before Serve
	ended     bool

	closing sync.Once
}

// New opens the listeners of o, so that their addresses are known. Clients can
// connect at once and are answered when Serve runs. If it cannot listen on an
// address it fails, with ErrBeyondLoopback for one that other machines reach, and
// leaves nothing open. If Serve will not be called, Close must be.
func New(o Options) (*Server, error) {
	if o.Caller == nil || o.HTTPAddr+o.WSAddr+o.Socket+o.SpareHTTP+o.SpareWS == "" {
		return nil, errors.New("the RPC server needs a wallet to call and an address to listen on")
	}
	limits := o.Limits.withDefaults()
	d := newDispatcher(o, limits)
	s := &Server{log: o.logger(), limits: limits, refusals: d.refusals, draining: d.closing, entrance: d.entrance, notice: o.Notice, traffic: o.Traffic,
		sessions: newSessions(d), failed: make(chan error, 1)}
	s.addEndpoints(o, d)
	err := s.openAll(o)
	if err == nil && o.MetricsAddr != "" {
		s.metrics, err = bind(o, listenMetrics, o.MetricsAddr, &front{dispatch: d, metrics: o.Metrics})
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// bind listens on addr, unless a listener was passed, and configures f.
func bind(o Options, kind ListenerKind, addr string, f *front) (*listener, error) {
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%s is not an address to listen on, such as 127.0.0.1:8093: %w", addr, err)
	}
	if safe := o.Authenticator != nil && !o.AllowAnonymous && o.TLS != nil; !tcp.IP.IsLoopback() && !safe && !o.BeyondLoopback {
		return nil, fmt.Errorf("cannot listen on %s: %w", addr, ErrBeyondLoopback)
	}
	l, passed := o.Passed[kind]
	if !passed {
		l, err = net.ListenTCP("tcp", tcp)
	}
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen on %s: another program uses this port; stop it, or choose another port: %w", addr,
			syscall.EADDRINUSE)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s; choose another address: %w", addr, err)
	}
	f.filter = requestFilter{secure: o.TLS != nil, hosts: o.AllowedHosts, origins: o.AllowedOrigins}
	f.filter.host, _ = f.filter.splitHost(addr)
	f.filter.port = strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	server := f.configure(o)
	if o.TLS == nil {
		return &listener{Listener: outboxListener{l}, server: server}, nil
	}
	config := o.TLS.Clone()
	config.MinVersion, config.NextProtos = tls.VersionTLS12, []string{"http/1.1"} // websockets need 1.1
	return &listener{Listener: tls.NewListener(outboxListener{l}, config), server: server}, nil
}

// HTTPAddr returns the address of the HTTP listener, "" if it is off.
func (s *Server) HTTPAddr() string { return s.addrOf(ListenHTTP) }

// Socket returns the path of the unix socket, "" if it is off.
func (s *Server) Socket() string { return s.addrOf(ListenSocket) }

// WSAddr returns the address of the websocket listener, "" if it is off.
func (s *Server) WSAddr() string { return s.addrOf(ListenWebsocket) }

// MetricsAddr returns the address at which there are metrics, "" if there are none.
func (s *Server) MetricsAddr() string { return s.metrics.addr() }

// Running returns the number of calls that run, those that are answered whatever happens aside.
func (s *Server) Running() int { return s.entrance.count() }

func (s *Server) addrOf(kind ListenerKind) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.endpoints[kind]; d != nil {
		return d.on.addr()
	}
	return ""
}

// listeners returns the listeners that are on.
func (s *Server) listeners() []*listener {
	s.mu.Lock()
	defer s.mu.Unlock()
	var on []*listener
	for _, d := range s.endpoints {
		if d != nil && d.on != nil {
			on = append(on, d.on)
		}
	}
	if s.metrics != nil {
		on = append(on, s.metrics)
	}
	return on
}

// Close releases the listeners of a server that will not be served. After
// Serve it does nothing.
func (s *Server) Close() error {
	var errs []error
	s.closing.Do(func() {
		for _, l := range s.listeners() {
			if err := l.Close(); !errors.Is(err, net.ErrClosed) {
				errs = append(errs, err)
			}
		}
	})
	return errors.Join(errs...)
}

// Serve answers clients until ctx ends or a listener fails. Then it is not ready and begins no
// more calls: while those that run end, and for Options.Notice at least, newcomers are told to go
// elsewhere. After Limits.DrainTime it cancels the calls that still run, and returns when every goroutine has ended: nil, or why a listener failed.
// It must be called only once.
func (s *Server) Serve(ctx context.Context) error {
	calls, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	s.mu.Lock()
	s.calls = calls
	for _, d := range s.endpoints {
		if d != nil && d.on != nil {
			s.start(d.on)
		}
	}
	if s.metrics != nil {
		s.start(s.metrics)
	}
	s.mu.Unlock()
	var err error
	select {
	case <-ctx.Done():
	case err = <-s.failed:
	}
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.shutdown(calls, cancel)
	s.running.Wait()
	return err
}

// shutdown drains HTTP and the websockets at the same time and waits for them. cancel
// ends the calls that outlast DrainTime.
func (s *Server) shutdown(calls context.Context, cancel context.CancelFunc) {
	s.log.Info("rpc: draining", "at_most", s.limits.DrainTime)
	s.entrance.close()
	close(s.draining)
	start := time.Now()
	ctx, stop := context.WithTimeout(calls, s.limits.DrainTime)
	defer stop()
	s.entrance.await(ctx, s.notice)
	var parts sync.WaitGroup
	for _, l := range s.listeners() {
		l.ended.Store(true)
		parts.Go(func() { l.shutdown(ctx, cancel) })
	}
	parts.Go(func() { s.sessions.drain(ctx) })
	parts.Wait()
	s.refusals.flush()
	s.log.Info("rpc: closed", "took", time.Since(start))
}

// addEndpoints adds the listeners that o names, all of them off. The spare ones require a token.
func (s *Server) addEndpoints(o Options, d *dispatcher) {
	spare := o
	spare.AllowAnonymous, spare.BeyondLoopback = false, false
	add := func(kind ListenerKind, o Options, addr string, open func(o Options) (*listener, error)) {
		if addr != "" && s.endpoints[kind] == nil {
			s.endpoints[kind] = &endpoint{addr: addr, needToken: o.Authenticator != nil && !o.AllowAnonymous,
				open: func() (*listener, error) { return open(o) }}
		}
	}
	upgrade := s.sessions.upgradeAt
	overHTTP := func(addr string) func(o Options) (*listener, error) {
		return func(o Options) (*listener, error) { return bind(o, ListenHTTP, addr, &front{dispatch: d}) }
	}
	overWS := func(addr string) func(o Options) (*listener, error) {
		return func(o Options) (*listener, error) {
			return bind(o, ListenWebsocket, addr, &front{dispatch: d, upgrade: upgrade(ListenWebsocket), wsPort: true})
		}
	}
	add(ListenHTTP, o, o.HTTPAddr, overHTTP(o.HTTPAddr))
	add(ListenWebsocket, o, o.WSAddr, overWS(o.WSAddr))
	add(ListenSocket, o, o.Socket, func(o Options) (*listener, error) {
		return bindSocket(o, &front{dispatch: d, upgrade: upgrade(ListenSocket)})
	})
	if o.Authenticator != nil { // without one there are no tokens
		add(ListenHTTP, spare, o.SpareHTTP, overHTTP(o.SpareHTTP))
		add(ListenWebsocket, spare, o.SpareWS, overWS(o.SpareWS))
	}
}

// openAll opens the listeners that are on from the start.
func (s *Server) openAll(o Options) error {
	for kind, addr := range [listenerKinds]string{o.HTTPAddr, o.WSAddr, o.Socket} {
		if addr == "" {
			continue
		}
		d := s.endpoints[kind]
		l, err := d.open()
		if err != nil {
			return err
		}
		d.on, d.since = l, time.Now()
	}
	return nil
}

// Listeners returns the state of the listeners that the options name.
func (s *Server) Listeners() []ListenerState {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []ListenerState
	for kind, d := range s.endpoints {
		if d == nil {
			continue
		}
		state := ListenerState{Kind: ListenerKind(kind), Addr: d.addr, On: d.on != nil, NeedToken: d.needToken}
		if d.on != nil {
			state.Addr, state.Since = d.on.addr(), d.since
		}
		out = append(out, state)
	}
	return out
}

// switchTime is the time that calls and websockets have to end when their listener is closed.
const switchTime = 3 * time.Second

// Switch opens or closes a listener while the server serves. Closing refuses new calls at once and gives running calls and
// websockets up to switchTime to end. Switch does nothing if the listener is in the wanted state already, or is being closed
// and is to be closed.
func (s *Server) Switch(kind ListenerKind, on bool) error {
	if on {
		return s.openEndpoint(kind)
	}
	s.mu.Lock()
	d := s.endpoints[kind]
	if d == nil || d.on == nil || d.busy {
		s.mu.Unlock()
		return nil
	}
	l := d.on
	d.busy = true
	s.mu.Unlock()
	l.ended.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), switchTime)
	defer cancel()
	s.sessions.drainListener(ctx, kind, func() { l.shutdown(ctx, l.cancel) })
	l.cancel()
	s.mu.Lock()
	d.on, d.busy = nil, false
	s.mu.Unlock()
	s.log.Info("rpc: a listener was closed", "listener", kind)
	return nil
}

func (s *Server) openEndpoint(kind ListenerKind) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.endpoints[kind]
	switch {
	case s.ended || s.calls == nil:
		return errors.New("the server is not running")
	case d == nil:
		return fmt.Errorf("%s has no address", kind)
	case d.busy:
		return fmt.Errorf("%s is being closed; try again in a moment", kind)
	case d.on != nil:
		return nil
	}
	l, err := d.open()
	if err != nil {
		return err
	}
	d.on, d.since = l, time.Now()
	s.sessions.allow(kind)
	s.start(l)
	return nil
}

// start serves a listener. It is called with s.mu held, while the server runs.
func (s *Server) start(l *listener) {
	var calls context.Context
	calls, l.cancel = context.WithCancel(s.calls)
	l.server.BaseContext = func(net.Listener) context.Context { return calls }
	s.running.Go(func() {
		err := l.server.Serve(l.Listener)
		if !l.ended.Load() {
			select {
			case s.failed <- err:
			default:
			}
		}
	})
	s.log.Info("rpc: listening", "address", l.addr())
}

// CutOff ends a websocket at once and cancels its calls. It reports whether a websocket with that number was open.
func (s *Server) CutOff(number uint64) (found bool) {
	s.sessions.each(func(one *session, _ ListenerKind) {
		if one.requester.session == number && number != 0 {
			found = true
			one.cutOff()
		}
	})
	return found
}
