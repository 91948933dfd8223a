package sandbox

import (
	"sync"
	"time"

	"billfold/ledger"
)

// clock is the time that blocks are made by: that of the machine, moved.
type clock struct {
	machine func() time.Time

	mu    sync.Mutex
	moved time.Duration
}

// newClock takes time.Now for nil.
func newClock(machine func() time.Time) *clock {
	if machine == nil {
		machine = time.Now
	}
	return &clock{machine: machine}
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.machine().Add(c.moved)
}

// isMoved reports whether it is not the time of the machine.
func (c *clock) isMoved() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.moved != 0
}

// jump moves the clock by d and returns its new time.
func (c *clock) jump(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moved += d
	return c.machine().Add(c.moved)
}

// set makes it t now.
func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moved = t.Sub(c.machine())
}

// notBefore moves the clock on to t, if it is not there yet.
func (c *clock) notBefore(t ledger.Time) {
	if ledger.TimeOf(c.now()) < t {
		c.set(t.Time())
	}
}

// movedBy is how far the clock is from the machine's.
func (c *clock) movedBy() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.moved
}
