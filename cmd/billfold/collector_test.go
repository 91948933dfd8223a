package main

import (
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
