package daemonclient

import (
	"sync/atomic"
	"time"
)

// timing holds the times measured on a connection.
type timing struct {
	pingedAt   atomic.Int64 // Unix nanoseconds; 0 if no pong is awaited
	latency    atomic.Int64 // nanoseconds that the latest ping or timed call took; 0 if there was none
	trip       atomic.Int64 // nanoseconds; see roundTrip
	answeredAt atomic.Int64 // Unix nanoseconds of the latest answer
}

func (t *timing) notePing(at time.Time) { t.pingedAt.CompareAndSwap(0, at.UnixNano()) }

func (t *timing) notePong() {
	if sent := t.pingedAt.Swap(0); sent != 0 {
		t.latency.Store(max(time.Now().UnixNano()-sent, 1))
	}
}

func (t *timing) noteAnswer(at time.Time) { t.answeredAt.Store(at.UnixNano()) }

// noteRoundTrip records how long a timed call took (request.timed).
func (t *timing) noteRoundTrip(took time.Duration) {
	t.latency.Store(int64(max(took, 1)))
	t.trip.Store(int64(max(took, 1)))
}

// roundTrip returns how long the latest timed call took, 0 if there was none. An answer that nobody waits for any
// longer counts as well; a pong does not, because a busy daemon answers pings faster.
func (t *timing) roundTrip() time.Duration { return time.Duration(t.trip.Load()) }

// lastAnswer returns when the daemon last answered anything, but no earlier than since.
func (t *timing) lastAnswer(since time.Time) time.Time {
	if heard := time.Unix(0, t.answeredAt.Load()); heard.After(since) {
		return heard
	}
	return since
}
