package daemonclient

import (
	"testing"
	"time"
)

// Blocks that keep coming and are all equally old are no sign of a daemon that lacks some.
func TestAnEvenPaceIsOfAClock(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		age   func(after time.Duration) time.Duration
		every time.Duration
		lasts time.Duration
		quiet time.Duration // without a new block at the end
		even  bool
	}{
		"a clock that is ahead":    {func(time.Duration) time.Duration { return 5 * time.Minute }, 5 * time.Second, time.Minute, 0, true},
		"blocks that are missed":   {func(after time.Duration) time.Duration { return 5*time.Minute + after%(3*time.Second) }, 5 * time.Second, time.Minute, 0, true},
		"not long enough":          {func(time.Duration) time.Duration { return 5 * time.Minute }, 2 * time.Second, 10 * time.Second, 0, false},
		"one that catches up":      {func(after time.Duration) time.Duration { return time.Hour - after/2 }, time.Second, time.Minute, 0, false},
		"one that falls behind":    {func(after time.Duration) time.Duration { return time.Minute + after }, 5 * time.Second, time.Minute, 0, false},
		"one that gets none":       {func(time.Duration) time.Duration { return 5 * time.Minute }, 5 * time.Second, time.Minute, 20 * time.Second, false},
		"one that never gets more": {func(after time.Duration) time.Duration { return after }, time.Hour, time.Minute, 0, false},
	} {
		began := time.UnixMilli(1_800_000_000_000)
		var p pace
		at := time.Duration(0)
		for head := uint32(100); at <= c.lasts; head++ {
			p.note(head, c.age(at), began.Add(at))
			p.note(head, c.age(at)+c.every/2, began.Add(at+c.every/2)) // seen once more
			at += c.every
		}
		if got := p.even(began.Add(at - c.every + c.quiet)); got != c.even {
			t.Errorf("%s: %v", name, got)
		}
	}
}
