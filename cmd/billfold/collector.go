package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	garbageRoom  = 32 << 20               // bytes of garbage that may come together in a busy program
	usualPercent = 100                    // of what is in use, Go's own measure: so much garbage may come together
	busyCycle    = 300 * time.Millisecond // cycles that follow one another faster mean that much is made
	busyCycles   = 8                      // so many in a row: a start has fewer
	idleCycle    = 5 * time.Second        // after one as long as this the program is not busy any more
)

// collector lets more garbage come together in a small program that is busy: with little in use, Go's own
// measure collects dozens of times a second. An idle program, and one that has much in use, keep that measure.
type collector struct {
	percent int // as it was set last
	quick   int // quick cycles in a row
	last    time.Time
	live    []metrics.Sample
}

// tuneCollector begins to do so, after each cycle, until the program ends.
func tuneCollector() {
	c := &collector{percent: usualPercent, last: time.Now(), live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
	c.watch()
}

// watch has cycled called after the next cycle.
func (c *collector) watch() {
	sentinel := new([8]*collector) // what is small and has no pointers shares its memory with others
	runtime.AddCleanup(sentinel, (*collector).cycled, c)
}

func (c *collector) cycled() {
	defer c.watch()
	now := time.Now()
	metrics.Read(c.live)
	wanted := c.next(now.Sub(c.last), c.live[0].Value.Uint64())
	if c.last = now; wanted == c.percent {
		return
	}
	if before := debug.SetGCPercent(wanted); before != c.percent { // somebody saves memory for a while
		debug.SetGCPercent(before)
		return
	}
	c.percent = wanted
}

// next returns the measure after a cycle that came so long after the one before and left so many bytes in use.
func (c *collector) next(after time.Duration, live uint64) int {
	if c.quick++; after >= busyCycle {
		c.quick = 0
	}
	switch {
	case c.quick >= busyCycles:
		return max(usualPercent, int(100*garbageRoom/max(live, garbageRoom/8)))
	case after >= idleCycle:
		return usualPercent
	}
	return c.percent
}
