package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

const (
	garbageLimit   = 32 << 20               // bytes of garbage that a busy program may accumulate
	defaultPercent = 100                    // Go's default for GOGC
	busyCycle      = 300 * time.Millisecond // shorter cycles mean that the program is busy
	busyCycles     = 8                      // this many in a row, which are more than at the start of the program
	idleCycle      = 5 * time.Second        // a cycle this long means that the program is no longer busy

	restAfter      = 10 * time.Second // without a cycle, until memory is returned to the system
	worthReturning = 4 << 20          // bytes from which on that is done
)

// collector raises GOGC while the program is busy and uses little memory, because with the default the garbage
// collector would then run dozens of times a second. An idle program, and one that uses much memory, keep the default.
// After a load it returns the memory of that to the system: the runtime does so a little with each cycle, and an idle program
// has one in two minutes.
type collector struct {
	percent     int // as last set
	quickCycles int // quick cycles in a row
	last        time.Time
	live        []metrics.Sample

	rest      *time.Timer // calls returnMemory
	returning atomic.Bool // the next cycle is that of returnMemory
}

// tuneCollector adjusts GOGC after each cycle of the garbage collector, until the program ends.
func tuneCollector() {
	c := &collector{percent: defaultPercent, last: time.Now(), live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
	c.rest = time.AfterFunc(restAfter, c.returnMemory)
	c.watch()
}

// watch calls cycled after the next cycle.
func (c *collector) watch() {
	sentinel := new([8]*collector) // not a small object without pointers, which would share its memory with others
	runtime.AddCleanup(sentinel, (*collector).cycled, c)
}

func (c *collector) cycled() {
	defer c.watch()
	if !c.returning.Swap(false) {
		c.rest.Reset(restAfter)
	}
	now := time.Now()
	metrics.Read(c.live)
	wanted := c.nextPercent(now.Sub(c.last), c.live[0].Value.Uint64())
	if c.last = now; wanted == c.percent {
		return
	}
	if before := debug.SetGCPercent(wanted); before != c.percent { // other code has lowered it for a while, to save memory
		debug.SetGCPercent(before)
		return
	}
	c.percent = wanted
}

// nextPercent returns the value for GOGC after a cycle, given the time since the cycle before it and the bytes still in use.
func (c *collector) nextPercent(after time.Duration, live uint64) int {
	if c.quickCycles++; after >= busyCycle {
		c.quickCycles = 0
	}
	switch {
	case c.quickCycles >= busyCycles:
		return max(defaultPercent, int(100*garbageLimit/max(live, garbageLimit/8)))
	case after >= idleCycle:
		return defaultPercent
	}
	return c.percent
}

// returnMemory returns to the system what is free, or garbage, unless it is little.
func (c *collector) returnMemory() {
	memory := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	if metrics.Read(memory); !isWorthReturning(memory[0].Value.Uint64(), memory[1].Value.Uint64(), memory[2].Value.Uint64()) {
		return
	}
	c.returning.Store(true)
	debug.FreeOSMemory()
}

// isWorthReturning compares bytes: those kept free, those of all objects, and those of the objects in use at the last cycle.
func isWorthReturning(free, objects, live uint64) bool {
	return free+objects >= live+worthReturning
}
