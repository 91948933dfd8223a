package daemonclient

import (
	"sync/atomic"
	"time"
)

// timing is what a connection shows of how long its daemon takes.
type timing struct {
	pingedAt   atomic.Int64 // Unix nanoseconds; 0 when no pong is awaited
	latency    atomic.Int64 // nanoseconds of the latest ping, or of what was measured; 0 when neither was
	trip       atomic.Int64 // nanoseconds; see roundTrip
	answeredAt atomic.Int64 // Unix nanoseconds of the latest answer
}

func (t *timing) pinged(at time.Time) { t.pingedAt.CompareAndSwap(0, at.UnixNano()) }

func (t *timing) ponged() {
	if sent := t.pingedAt.Swap(0); sent != 0 {
		t.latency.Store(max(time.Now().UnixNano()-sent, 1))
	}
}

func (t *timing) answered(at time.Time) { t.answeredAt.Store(at.UnixNano()) }

// measured records what a call took that was made for that (request.timed).
func (t *timing) measured(took time.Duration) {
	t.latency.Store(int64(max(took, 1)))
	t.trip.Store(int64(max(took, 1)))
}

// roundTrip is what the latest call that was measured took; 0 when none was. An answer that nobody waits for any more
// counts as well; a pong does not, because a busy daemon is quicker with those.
func (t *timing) roundTrip() time.Duration { return time.Duration(t.trip.Load()) }

// lastAnswer is when the daemon last answered anything, but not before begun.
func (t *timing) lastAnswer(begun time.Time) time.Time {
	if heard := time.Unix(0, t.answeredAt.Load()); heard.After(begun) {
		return heard
	}
	return begun
}
