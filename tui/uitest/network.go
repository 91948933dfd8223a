package uitest

import (
	"bytes"
	"context"
	"net"
	"sync"
	"syscall"
)

// network joins a daemon's client to a sandbox by pipes in memory: what passes through
// them takes no time, so a bubble of synctest knows when both are at rest.
type network struct {
	dialled chan net.Conn
	closed  chan struct{}
	once    sync.Once

	mu   sync.Mutex
	cut  bool
	open []net.Conn
	lies [][2][]byte
}

func newNetwork() *network {
	return &network{dialled: make(chan net.Conn), closed: make(chan struct{})}
}

func (n *network) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	if !n.keep(near) {
		return nil, syscall.ECONNREFUSED
	}
	select {
	case n.dialled <- far:
		return liar{near, n}, nil
	case <-n.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// keep notes an end of a pipe that Cut closes; false means that there is no way through.
func (n *network) keep(near net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.open = append(n.open, near)
	return !n.cut
}

// set cuts the network, or joins it again.
func (n *network) set(cut bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut = cut
	for _, c := range n.open {
		_ = c.Close()
	}
	n.open = nil
}

// lie replaces what the sandbox answers from now on by as many other bytes.
func (n *network) lie(truth, lie string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lies = append(n.lies, [2][]byte{[]byte(truth), []byte(lie)})
}

func (n *network) forge(answer []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, l := range n.lies {
		copy(answer, bytes.ReplaceAll(answer, l[0], l[1]))
	}
}

// liar is the client's end of a pipe.
type liar struct {
	net.Conn
	network *network
}

func (l liar) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	l.network.forge(p[:n])
	return n, err
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
