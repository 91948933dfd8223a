package rpcserver

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// connLimit counts the open connections of one listener, websockets included.
// When there are limit already, a newcomer takes the place of the connection
// that has been sending nothing whole for longest: one without a request, or
// with half of one. So whoever holds connections open keeps nobody out who
// calls. Where all have calls under way, one that comes in excess is answered
// what must not wait (lock, health) and told to come again for the rest; above
// twice the limit it gets no answer.
type connLimit struct {
	limit int

	mu   sync.Mutex
	open map[string]*openConn // by the client's address
	lazy list.List            // of *openConn without a whole request, the longest first
}

type openConn struct {
	conn   net.Conn
	client string
	excess bool
	place  *list.Element // in lazy; nil while a request is worked on
}

func newConnLimit(limit int) *connLimit {
	return &connLimit{limit: limit, open: make(map[string]*openConn)}
}

// watch is an http.Server's ConnState. A connection that became a websocket
// stays counted until leave.
func (c *connLimit) watch(conn net.Conn, state http.ConnState) {
	client := conn.RemoteAddr().String()
	switch state {
	case http.StateNew:
		if !c.enter(conn) {
			_ = conn.Close()
		}
	case http.StateIdle:
		c.rest(client)
	case http.StateClosed:
		c.leave(client)
	}
}

// enter counts a new connection; false when it is one too many.
func (c *connLimit) enter(conn net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) >= c.limit {
		c.evictLocked()
	}
	o := &openConn{conn: conn, client: conn.RemoteAddr().String(), excess: len(c.open) >= c.limit}
	o.place = c.lazy.PushBack(o)
	c.open[o.client] = o
	return len(c.open) <= 2*c.limit
}

// evictLocked closes the connection that has been lazy for longest, if there is one.
func (c *connLimit) evictLocked() {
	if oldest := c.lazy.Front(); oldest != nil {
		o := oldest.Value.(*openConn)
		c.leaveLocked(o.client)
		_ = o.conn.Close()
	}
}

// work reports that a whole request of the client has arrived: its connection is
// not to be closed for another. False when that has happened already.
func (c *connLimit) work(client string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.open[client]
	if o != nil && o.place != nil {
		c.lazy.Remove(o.place)
		o.place = nil
	}
	return o != nil
}

// rest marks a connection as waiting for its next request.
func (c *connLimit) rest(client string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o := c.open[client]; o != nil && o.place == nil {
		o.place = c.lazy.PushBack(o)
	}
}

func (c *connLimit) leave(client string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leaveLocked(client)
}

func (c *connLimit) leaveLocked(client string) {
	if o := c.open[client]; o != nil && o.place != nil {
		c.lazy.Remove(o.place)
	}
	delete(c.open, client)
}

func (c *connLimit) excess(client string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.open[client]
	return o != nil && o.excess
}
