package rpcserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Server is some listeners in front of a Caller, its doors.
type Server struct {
	log      *slog.Logger
	limits   Limits
	refusals *refusalLog
	draining chan struct{} // closed when it begins to drain
	sessions *sessions
	traffic  *Traffic // nil = nobody looks on
	running  sync.WaitGroup
	failed   chan error // why a listener failed

	mu    sync.Mutex
	doors [doorCount]*door // nil: the options do not name it
	calls context.Context  // of all calls; nil before Serve
	ended bool

	closing sync.Once
}

// New opens the listeners of o, so that their addresses are known. Clients
// connect from now on and are answered once Serve runs. It fails when an address
// cannot be listened on, and with ErrBeyondLoopback (nothing is left open then).
// A server that will not be served must be closed.
func New(o Options) (*Server, error) {
	if o.Caller == nil || o.HTTPAddr+o.WSAddr+o.Socket+o.SpareHTTP+o.SpareWS == "" {
		return nil, errors.New("the RPC server needs a wallet to call and an address to listen on")
	}
	limits := o.Limits.withDefaults()
	d := newDispatcher(o, limits)
	s := &Server{log: o.logger(), limits: limits, refusals: d.refusals, draining: d.closing, traffic: o.Traffic,
		sessions: newSessions(d), failed: make(chan error, 1)}
	s.doorsOf(o, d)
	if err := s.openAll(o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// bind listens on addr and completes f.
func bind(o Options, addr string, f *front) (*listener, error) {
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%s is not an address to listen on, such as 127.0.0.1:8093: %w", addr, err)
	}
	if safe := o.Authenticator != nil && !o.AllowAnonymous && o.TLS != nil; !tcp.IP.IsLoopback() && !safe && !o.BeyondLoopback {
		return nil, fmt.Errorf("cannot listen on %s: %w", addr, ErrBeyondLoopback)
	}
	l, err := net.ListenTCP("tcp", tcp)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s; another program may hold it, choose another port: %w", addr, err)
	}
	host, _ := splitHost(strings.ToLower(addr))
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	f.filter = requestFilter{host: host, port: port, hosts: o.AllowedHosts, origins: o.AllowedOrigins}
	server := f.complete(o)
	if o.TLS == nil {
		return &listener{Listener: l, server: server}, nil
	}
	config := o.TLS.Clone()
	config.MinVersion, config.NextProtos = tls.VersionTLS12, []string{"http/1.1"} // websockets need 1.1
	return &listener{Listener: tls.NewListener(l, config), server: server}, nil
}

// HTTPAddr is where HTTP is listened for, "" when it is off.
func (s *Server) HTTPAddr() string { return s.addrOf(DoorHTTP) }

// Socket is the path of the unix socket, "" when it is off.
func (s *Server) Socket() string { return s.addrOf(DoorSocket) }

// WSAddr is where websockets are listened for, "" when they are off.
func (s *Server) WSAddr() string { return s.addrOf(DoorWebsocket) }

func (s *Server) addrOf(kind Door) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.doors[kind]; d != nil {
		return d.on.addr()
	}
	return ""
}

// listeners returns those that are on.
func (s *Server) listeners() []*listener {
	s.mu.Lock()
	defer s.mu.Unlock()
	var on []*listener
	for _, d := range s.doors {
		if d != nil && d.on != nil {
			on = append(on, d.on)
		}
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

// Serve answers clients until ctx ends or a listener fails. Then it takes no
// more calls, lets those that run end for Limits.DrainTime, cancels the rest,
// and returns when every goroutine has ended: nil, or why a listener failed.
// It is called once.
func (s *Server) Serve(ctx context.Context) error {
	calls, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	s.mu.Lock()
	s.calls = calls
	for _, d := range s.doors {
		if d != nil && d.on != nil {
			s.start(d.on)
		}
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

// shutdown drains both transports at the same time and waits for them. cancel
// ends the calls that outlast DrainTime.
func (s *Server) shutdown(calls context.Context, cancel context.CancelFunc) {
	s.log.Info("rpc draining", "at_most", s.limits.DrainTime)
	close(s.draining)
	start := time.Now()
	ctx, stop := context.WithTimeout(calls, s.limits.DrainTime)
	defer stop()
	var parts sync.WaitGroup
	for _, l := range s.listeners() {
		l.ended.Store(true)
		parts.Go(func() { l.shutdown(ctx, cancel) })
	}
	parts.Go(func() { s.sessions.drain(ctx) })
	parts.Wait()
	s.refusals.flush()
	s.log.Info("rpc closed", "took", time.Since(start))
}
