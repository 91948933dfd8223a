package main

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

// More garbage is allowed only while cycles follow one another quickly, only up to the limit, and never in a program
// that uses much memory.
func TestOnlyABusyProgramKeepsGarbage(t *testing.T) {
	const mega = 1 << 20
	for name, x := range map[string]struct {
		cycles int
		after  time.Duration
		live   uint64
		want   int
	}{
		"a start":                        {busyCycles - 1, time.Millisecond, 4 * mega, defaultPercent},
		"busy, almost nothing is in use": {busyCycles, time.Millisecond, 10, 800},
		"busy, little is in use":         {busyCycles, time.Millisecond, 8 * mega, 400},
		"busy, much is in use":           {busyCycles, time.Millisecond, 100 * mega, defaultPercent},
		"not busy":                       {100, busyCycle, 8 * mega, defaultPercent},
	} {
		c := &collector{percent: defaultPercent}
		for range x.cycles {
			c.percent = c.nextPercent(x.after, x.live)
		}
		if c.percent != x.want {
			t.Errorf("%s: %d %%, want %d %%", name, c.percent, x.want)
		}
		if stays := c.nextPercent(busyCycle, x.live); stays != x.want {
			t.Errorf("%s: then %d %%, want %d %%", name, stays, x.want)
		}
		if idle := c.nextPercent(idleCycle, x.live); idle != defaultPercent {
			t.Errorf("%s: idle %d %%", name, idle)
		}
	}
}

// What a load left behind goes back to the system once the program rests. Other tests may still let go of some.
func TestMemoryIsReturnedAfterALoad(t *testing.T) { // not parallel: the memory of all is counted
	kept := func() uint64 {
		memory := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(memory)
		return memory[0].Value.Uint64() + memory[1].Value.Uint64()
	}
	c := new(collector)
	c.returnMemory()
	before := kept()
	load := make([][]byte, 100)
	for i := range load {
		load[i] = make([]byte, 1<<20)
	}
	if loaded := kept(); loaded < before+90<<20 {
		t.Fatalf("the load keeps %d bytes, %d before it", loaded, before)
	}
	runtime.KeepAlive(load)
	load = nil
	c.returnMemory()
	if after := kept(); after > before+20<<20 {
		t.Errorf("%d bytes are kept after a load, %d before it", after, before)
	}
}

// A program that rests is left alone.
func TestLittleMemoryIsKept(t *testing.T) {
	const mega = 1 << 20
	for _, x := range []struct {
		free, objects, live uint64
		want                bool
	}{
		{3 * mega, 10 * mega, 10 * mega, false},
		{4 * mega, 10 * mega, 10 * mega, true},
		{0, 14 * mega, 10 * mega, true},
		{0, 10 * mega, 12 * mega, false}, // less than was in use
	} {
		if got := isWorthReturning(x.free, x.objects, x.live); got != x.want {
			t.Errorf("free %d, objects %d, live %d: %t", x.free, x.objects, x.live, got)
		}
	}
}
