package rpcserver

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// connLimit counts the open connections of one listener, websockets included.
// At the limit, a new connection replaces the one that has gone longest without
// a complete request, so that holding connections open keeps no caller out. If
// all connections have calls in progress, the new one is in excess: only calls
// that must not wait (lock, health) are answered on it, all others are told to
// try again. Above twice the limit a new connection is closed unanswered.
type connLimit struct {
	limit int

	mu   sync.Mutex
	open map[string]*openConn // by the client's address
	idle list.List            // of *openConn without a complete request, the longest idle first
}

type openConn struct {
	conn   net.Conn
	client string
	excess bool
	inIdle *list.Element // in idle; nil while a request is being executed
}

func newConnLimit(limit int) *connLimit {
	return &connLimit{limit: limit, open: make(map[string]*openConn)}
}

// watch is the ConnState hook of an http.Server. A connection that became a
// websocket stays counted until remove.
func (c *connLimit) watch(conn net.Conn, state http.ConnState) {
	client := conn.RemoteAddr().String()
	switch state {
	case http.StateNew:
		if !c.add(conn) {
			_ = conn.Close()
		}
	case http.StateIdle:
		c.markIdle(client)
	case http.StateClosed:
		c.remove(client)
	}
}

// add counts a new connection. It reports false if the connection is to be closed.
func (c *connLimit) add(conn net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) >= c.limit {
		c.evictLocked()
	}
	o := &openConn{conn: conn, client: conn.RemoteAddr().String(), excess: len(c.open) >= c.limit}
	o.inIdle = c.idle.PushBack(o)
	c.open[o.client] = o
	return len(c.open) <= 2*c.limit
}

// evictLocked closes the connection that has been idle for longest, if there is one.
func (c *connLimit) evictLocked() {
	if oldest := c.idle.Front(); oldest != nil {
		o := oldest.Value.(*openConn)
		c.removeLocked(o.client)
		_ = o.conn.Close()
	}
}

// markBusy marks a connection as executing a request, so that it is not closed for
// another. It reports false if the connection was closed already.
func (c *connLimit) markBusy(client string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.open[client]
	if o != nil && o.inIdle != nil {
		c.idle.Remove(o.inIdle)
		o.inIdle = nil
	}
	return o != nil
}

// markIdle marks a connection as waiting for its next request.
func (c *connLimit) markIdle(client string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o := c.open[client]; o != nil && o.inIdle == nil {
		o.inIdle = c.idle.PushBack(o)
	}
}

func (c *connLimit) remove(client string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.removeLocked(client)
}

func (c *connLimit) removeLocked(client string) {
	if o := c.open[client]; o != nil && o.inIdle != nil {
		c.idle.Remove(o.inIdle)
	}
	delete(c.open, client)
}

func (c *connLimit) inExcess(client string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.open[client]
	return o != nil && o.excess
}
