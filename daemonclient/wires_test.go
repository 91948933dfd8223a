package daemonclient_test

import (
	"context"
	"fmt"
	"net"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"

	"billfold/daemonclient"
)

// wires join clients to nodes in memory: what passes through them takes no time, so a bubble of synctest knows when all are at rest,
// and tests of what is waited for do not wait.
type wires struct {
	mu  sync.Mutex
	all map[string]*wire
}

// inBubble runs a test in virtual time.
func inBubble(t *testing.T, test func(t *testing.T, w *wires)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, &wires{all: map[string]*wire{}}) })
}

// listen opens an address of its own.
func (w *wires) listen() *wire {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &wire{address: fmt.Sprintf("127.0.0.1:%d", 1+len(w.all)), dialled: make(chan net.Conn), closed: make(chan struct{})}
	w.all[one.address] = one
	return one
}

func (w *wires) dial(ctx context.Context, _, address string) (net.Conn, error) {
	w.mu.Lock()
	to := w.all[address]
	w.mu.Unlock()
	if to == nil {
		return nil, syscall.ECONNREFUSED
	}
	near, far := net.Pipe()
	select {
	case to.dialled <- far:
		return near, nil
	case <-to.closed:
		return nil, syscall.ECONNREFUSED
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// start is the function start for a client on these wires.
func (w *wires) start(t testing.TB, cfg daemonclient.Config) *daemonclient.Client {
	t.Helper()
	cfg.Dial = w.dial
	return start(t, cfg)
}

// wire is a listener.
type wire struct {
	address string
	dialled chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

// Accept implements net.Listener.
func (l *wire) Accept() (net.Conn, error) {
	select {
	case conn := <-l.dialled:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *wire) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *wire) Addr() net.Addr { return wireAddress(l.address) }

type wireAddress string

// Network implements net.Addr.
func (wireAddress) Network() string { return "tcp" }

// String implements net.Addr.
func (a wireAddress) String() string { return string(a) }
