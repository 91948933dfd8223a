package sandbox

import (
	"sync"
	"time"
)

// pace is the interval at which blocks are made. It may change at any time.
type pace struct {
	mu      sync.Mutex
	every   time.Duration // 0: only on request
	stopped bool
	changed chan struct{} // closed at the next change
}

func newPace(every time.Duration) *pace {
	return &pace{every: every, changed: make(chan struct{})}
}

// set changes the pace; the wait for the next block starts again.
func (p *pace) set(edit func(*pace)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	edit(p)
	close(p.changed)
	p.changed = make(chan struct{})
}

// get returns the time between blocks, 0 for none, and a channel that is closed at the next change.
func (p *pace) get() (time.Duration, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return 0, p.changed
	}
	return p.every, p.changed
}

// onDemand reports whether blocks are made only on request. A stopped pace is a fault and
// does not count.
func (p *pace) onDemand() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.every == 0
}
