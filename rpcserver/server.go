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

// Server is one or two listeners in front of a Caller.
type Server struct {
	log      *slog.Logger
	limits   Limits
	refusals *refusalLog
	draining chan struct{} // closed when it begins to drain
	sessions *sessions
	http, ws *listener // nil = off
	socket   *listener // nil = off

	closing sync.Once
}

// New opens the listeners of o, so that their addresses are known. Clients
// connect from now on and are answered once Serve runs. It fails when an address
// cannot be listened on, and with ErrBeyondLoopback (nothing is left open then).
// A server that will not be served must be closed.
func New(o Options) (*Server, error) {
	if o.Caller == nil || o.HTTPAddr == "" && o.WSAddr == "" && o.Socket == "" {
		return nil, errors.New("the RPC server needs a wallet to call and an address to listen on")
	}
	limits := o.Limits.withDefaults()
	d := newDispatcher(o, limits)
	s := &Server{log: o.logger(), limits: limits, refusals: d.refusals, draining: d.closing}
	err := s.open(o, d)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Server) open(o Options, d *dispatcher) (err error) {
	s.sessions = newSessions(d)
	if o.HTTPAddr != "" {
		s.http, err = bind(o, o.HTTPAddr, &front{dispatch: d})
	}
	if err == nil && o.WSAddr != "" {
		s.ws, err = bind(o, o.WSAddr, &front{dispatch: d, upgrade: s.sessions.upgrade, wsPort: true})
	}
	if err == nil && o.Socket != "" {
		s.socket, err = bindSocket(o, &front{dispatch: d, upgrade: s.sessions.upgrade})
	}
	return err
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
		return &listener{l, server}, nil
	}
	config := o.TLS.Clone()
	config.MinVersion, config.NextProtos = tls.VersionTLS12, []string{"http/1.1"} // websockets need 1.1
	return &listener{tls.NewListener(l, config), server}, nil
}

// HTTPAddr is where HTTP is listened for, "" when it is off.
func (s *Server) HTTPAddr() string { return s.http.addr() }

// Socket is the path of the unix socket, "" when it is off.
func (s *Server) Socket() string { return s.socket.addr() }

// WSAddr is where websockets are listened for, "" when they are off.
func (s *Server) WSAddr() string { return s.ws.addr() }

// listeners returns those that are on.
func (s *Server) listeners() []*listener {
	var on []*listener
	for _, l := range []*listener{s.http, s.ws, s.socket} {
		if l != nil {
			on = append(on, l)
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
	failed := make(chan error, 3)
	for _, l := range s.listeners() {
		l.server.BaseContext = func(net.Listener) context.Context { return calls }
		go func() { failed <- l.server.Serve(l.Listener) }()
		s.log.Info("rpc listening", "address", l.addr())
	}
	var err error
	running := len(s.listeners())
	select {
	case <-ctx.Done():
	case err = <-failed:
		running--
	}
	s.shutdown(calls, cancel)
	for ; running > 0; running-- {
		<-failed
	}
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
		parts.Go(func() { l.shutdown(ctx, cancel) })
	}
	parts.Go(func() { s.sessions.drain(ctx) })
	parts.Wait()
	s.refusals.flush()
	s.log.Info("rpc closed", "took", time.Since(start))
}
