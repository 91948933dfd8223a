package ledgerview

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheFirstPassIsWaitedForButNotForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p firstPass
		waited := func(ctx context.Context) time.Duration {
			begin := time.Now()
			p.wait(ctx)
			return time.Since(begin)
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if got := waited(short); got != time.Second {
			t.Errorf("it waited %v for a caller who had a second", got)
		}
		if got := waited(t.Context()); got != longestPass-time.Second {
			t.Errorf("without an end it waited %v more", got)
		}
		if got := waited(t.Context()); got != 0 {
			t.Errorf("the next one waited %v", got)
		}
		p = firstPass{}
		time.AfterFunc(2*time.Second, p.end)
		if got := waited(t.Context()); got != 2*time.Second {
			t.Errorf("it waited %v for an end after two seconds", got)
		}
		p.end()
		if got := waited(t.Context()); got != 0 {
			t.Errorf("it waited %v after the end", got)
		}
	})
}
