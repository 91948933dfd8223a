package rpcserver

import (
	"net"
	"net/http"
	"sync"
)

// crowd counts the open connections of one listener, websockets included. One
// that comes when there are limit already gets a single answer that says so;
// above twice the limit it gets none.
type crowd struct {
	limit int

	mu   sync.Mutex
	open map[string]bool // by the client's address; true = came in excess
}

func newCrowd(limit int) *crowd { return &crowd{limit: limit, open: make(map[string]bool)} }

// watch is an http.Server's ConnState. A connection that became a websocket
// stays counted until leave.
func (c *crowd) watch(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		if !c.enter(conn.RemoteAddr().String()) {
			_ = conn.Close()
		}
	case http.StateClosed:
		c.leave(conn.RemoteAddr().String())
	}
}

func (c *crowd) enter(client string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[client] = len(c.open) >= c.limit
	return len(c.open) <= 2*c.limit
}

func (c *crowd) leave(client string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, client)
}

func (c *crowd) excess(client string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[client]
}
