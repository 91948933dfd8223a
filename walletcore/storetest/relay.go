//go:build linux

package storetest

import (
	"net"
	"strings"
	"sync"
	"testing"
)

// Relay is a relay before a cluster; it can break in many ways. It is safe for concurrent use.
type Relay struct {
	listener net.Listener
	work     sync.WaitGroup

	*network

	mu     sync.Mutex
	target string
	down   bool
	links  map[*link]bool
}

// Relay starts a relay before the cluster.
func (c *Cluster) Relay() *Relay {
	c.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	c.must(err)
	r := &Relay{listener: listener, target: c.Address(), network: newNetwork(), links: map[*link]bool{}}
	r.work.Go(r.accept)
	c.t.Cleanup(func() {
		_ = listener.Close()
		r.BlackHole(false)
		r.Cut()
		r.work.Wait()
	})
	return r
}

// URL returns the address of a database through the relay.
func (r *Relay) URL(t testing.TB, database string) string {
	t.Helper()
	scheme, rest, found := strings.Cut(database, "://")
	user, rest, found2 := strings.Cut(rest, "@")
	_, path, found3 := strings.Cut(rest, "/")
	if !found || !found2 || !found3 {
		t.Fatalf("%s is not the address of a database", database)
	}
	return scheme + "://" + user + "@" + r.listener.Addr().String() + "/" + path
}

// To sends new connections to another cluster, and breaks the existing ones.
func (r *Relay) To(c *Cluster) {
	r.mu.Lock()
	r.target = c.Address()
	r.mu.Unlock()
	r.hangUp()
}

// Cut breaks all connections and refuses new ones.
func (r *Relay) Cut() {
	r.mu.Lock()
	r.down = true
	r.mu.Unlock()
	r.hangUp()
}

// Mend accepts connections again.
func (r *Relay) Mend() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.down = false
}

func (r *Relay) hangUp() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for l := range r.links {
		l.cut()
	}
}

func (r *Relay) accept() {
	for {
		near, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.work.Go(func() { r.serve(near) })
	}
}

func (r *Relay) serve(near net.Conn) {
	defer near.Close()
	r.mu.Lock()
	target, down := r.target, r.down
	r.mu.Unlock()
	if down {
		return
	}
	far, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	l := &link{network: r.network, near: near, far: far}
	defer l.cut()
	r.mu.Lock()
	r.links[l] = true
	if r.down { // it was cut meanwhile
		l.cut()
	}
	r.mu.Unlock()
	l.run()
	r.mu.Lock()
	delete(r.links, l)
	r.mu.Unlock()
}
