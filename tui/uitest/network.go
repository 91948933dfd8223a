package uitest

import (
	"context"
	"net"
	"sync"
)

// network joins a daemon's client to a sandbox by pipes in memory: what passes through
// them takes no time, so a bubble of synctest knows when both are at rest.
type network struct {
	dialled chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func newNetwork() *network {
	return &network{dialled: make(chan net.Conn), closed: make(chan struct{})}
}

func (n *network) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case n.dialled <- far:
		return near, nil
	case <-n.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (n *network) Accept() (net.Conn, error) {
	select {
	case conn := <-n.dialled:
		return conn, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (n *network) Close() error {
	n.once.Do(func() { close(n.closed) })
	return nil
}

// Addr implements net.Listener.
func (n *network) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8090} }
