package sandbox

import (
	"sync"
	"time"

	"billfold/ledger"
)

// clock is the time by which blocks are made: the machine's, shifted.
type clock struct {
	machine func() time.Time

	mu    sync.Mutex
	shift time.Duration
}

// newClock returns a clock without shift. A nil machine is time.Now.
func newClock(machine func() time.Time) *clock {
	if machine == nil {
		machine = time.Now
	}
	return &clock{machine: machine}
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.machine().Add(c.shift)
}

// isShifted reports whether the clock differs from the machine's.
func (c *clock) isShifted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shift != 0
}

// jump moves the clock by d and returns its new time.
func (c *clock) jump(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shift += d
	return c.machine().Add(c.shift)
}

// set sets the clock to t.
func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shift = t.Sub(c.machine())
}

// advanceTo moves the clock forward to t, if it is earlier.
func (c *clock) advanceTo(t ledger.Time) {
	if ledger.TimeOf(c.now()) < t {
		c.set(t.Time())
	}
}

// offset returns how far the clock is ahead of the machine's.
func (c *clock) offset() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shift
}
