package uitest

import (
	"bytes"
	"context"
	"net"
	"sync"
	"syscall"
)

// network connects a daemon client to a sandbox by pipes in memory. They take no time, so synctest knows when both sides are idle.
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
	if !n.add(near) {
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

// add records the client's end of a pipe, which setCut will close. It reports false if the network is cut.
func (n *network) add(near net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.open = append(n.open, near)
	return !n.cut
}

// setCut cuts the network or joins it again. Both close all connections.
func (n *network) setCut(cut bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut = cut
	for _, c := range n.open {
		_ = c.Close()
	}
	n.open = nil
}

// lie replaces truth in all answers of the sandbox from now on by lie, which must be as long.
func (n *network) lie(truth, lie string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lies = append(n.lies, [2][]byte{[]byte(truth), []byte(lie)})
}

// forge applies the lies to an answer, in place.
func (n *network) forge(answer []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, l := range n.lies {
		copy(answer, bytes.ReplaceAll(answer, l[0], l[1]))
	}
}

// liar is the client's end of a pipe: it forges what is read from it.
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
