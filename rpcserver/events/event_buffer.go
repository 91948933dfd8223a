package events

import (
	"sync"
	"time"

	"billfold/rpcserver"
)

// maxHold is how long the first event of a scan waits for the others at most: a daemon may take seconds to answer
// the calls that the last ones need.
const maxHold = 50 * time.Millisecond

// eventBuffer holds back the events of a scan until it is over, so that a subscriber gets them in one write.
type eventBuffer struct {
	publish func(events ...rpcserver.Event)

	mu    sync.Mutex
	list  []rpcserver.Event
	timer *time.Timer // started with the first event in list
}

func (g *eventBuffer) add(e rpcserver.Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.list) == 0 {
		g.timer = time.AfterFunc(maxHold, g.flush)
	}
	g.list = append(g.list, e)
}

// flush publishes the events in the buffer.
func (g *eventBuffer) flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.list) == 0 {
		return
	}
	g.timer.Stop()
	g.publish(g.list...)
	g.list = nil
}
