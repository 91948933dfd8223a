package events

import (
	"sync"
	"time"

	"billfold/rpcserver"
)

// gatherTime is how long the first event of a scan waits for the others at most: a daemon may take seconds to answer
// what the last ones need.
const gatherTime = 50 * time.Millisecond

// gathered holds the events of a scan back until it is over, so that a subscriber gets them in one piece.
type gathered struct {
	publish func(events ...rpcserver.Event)

	mu    sync.Mutex
	list  []rpcserver.Event
	timer *time.Timer // of the first one in list
}

func (g *gathered) add(e rpcserver.Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.list) == 0 {
		g.timer = time.AfterFunc(gatherTime, g.release)
	}
	g.list = append(g.list, e)
}

// release publishes what was gathered.
func (g *gathered) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.list) == 0 {
		return
	}
	g.timer.Stop()
	g.publish(g.list...)
	g.list = nil
}
