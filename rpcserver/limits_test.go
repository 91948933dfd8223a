package rpcserver

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestSlotsWaitThenRefuse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := make(slots, 1)
		ctx, cancel := context.WithCancel(t.Context())
		if !s.take(ctx, 0) {
			t.Fatal("a free slot was refused")
		}
		start := time.Now()
		if s.take(ctx, time.Second) || time.Since(start) != time.Second {
			t.Errorf("refused after %v, want 1 s", time.Since(start))
		}
		go func() {
			time.Sleep(time.Second / 2)
			s.give()
		}()
		if !s.take(ctx, time.Second) {
			t.Error("a slot that became free was not taken")
		}
		cancel()
		start = time.Now()
		if s.take(ctx, time.Second) || time.Since(start) != 0 {
			t.Errorf("waited %v for a client that left", time.Since(start))
		}
	})
}

func TestCrowdMarksOnlyTheNewcomers(t *testing.T) {
	c := newCrowd(2)
	for i := range 4 {
		if client := fmt.Sprint(i); !c.enter(client) || c.excess(client) != (i >= 2) {
			t.Errorf("client %d: excess %v", i, c.excess(client))
		}
	}
	if c.enter("4") {
		t.Error("a fifth connection is kept at a limit of two")
	}
	for _, client := range []string{"2", "3", "4", "0"} {
		c.leave(client)
	}
	if !c.enter("5") || c.excess("5") {
		t.Error("a free place was not given")
	}
}

func TestLimitsKeepWhatIsSet(t *testing.T) {
	l := Limits{Body: 5}.withDefaults()
	if l.Body != 5 || l.Depth != 64 || l.PerClient != 32 {
		t.Errorf("%+v", l)
	}
}
