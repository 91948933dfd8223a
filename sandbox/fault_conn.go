package sandbox

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// faultListener accepts connections that can be slowed down.
type faultListener struct {
	net.Listener
	faults *Faults
}

func (l *faultListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &faultConn{Conn: conn, faults: l.faults, closed: make(chan struct{})}, nil
}

// faultConn is a connection that sends at most at the rate that the faults allow.
type faultConn struct {
	net.Conn
	faults *Faults
	exempt atomic.Bool // it belongs to a developer
	closed chan struct{}
	once   sync.Once
}

// slowStep is the pause of a slow connection between two pieces.
const slowStep = 50 * time.Millisecond

// Write sends at full speed, or in pieces with a pause before each.
func (c *faultConn) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		rate := c.faults.rateLimit()
		if rate == 0 || c.exempt.Load() {
			wrote, err := c.Conn.Write(p[n:])
			return n + wrote, err
		}
		if !c.pause() {
			return n, net.ErrClosed
		}
		size := min(max(rate*int(slowStep/time.Millisecond)/1000, 1), len(p)-n)
		_ = c.Conn.SetWriteDeadline(time.Now().Add(writeTimeout)) // for this piece; the whole may take long
		var wrote int
		wrote, err = c.Conn.Write(p[n : n+size])
		_ = c.Conn.SetWriteDeadline(time.Time{})
		n += wrote
	}
	return n, err
}

// pause waits for slowStep. It returns false if the connection is closed first.
func (c *faultConn) pause() bool {
	t := time.NewTimer(slowStep)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-c.closed:
		return false
	}
}

func (c *faultConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
