package rpcserver

import (
	"context"
	"sync"
	"time"
)

// schedule assigns the places in which calls run: at most limit in all, and at
// most share to one principal, so that whoever would take all of them leaves room
// for the others. A place that becomes free goes to the principal that holds
// fewest, and among its calls to the one that waited longest.
type schedule struct {
	limit, share int

	mu      sync.Mutex
	busy    int
	held    map[string]int     // by principal
	waiting map[string][]*turn // by principal, oldest first
}

// turn is a call that waits for a place.
type turn struct {
	granted chan struct{} // closed when it has one
	left    bool          // it does not want one any more
}

func newSchedule(limit, share int) *schedule {
	return &schedule{limit: limit, share: max(share, 1), held: map[string]int{}, waiting: map[string][]*turn{}}
}

// take waits up to wait for a place; false when there is none, or ctx has ended.
func (s *schedule) take(ctx context.Context, principal string, wait time.Duration) bool {
	s.mu.Lock()
	if s.busy < s.limit && s.held[principal] < s.share {
		s.busy++
		s.held[principal]++
		s.mu.Unlock()
		return true
	}
	t := &turn{granted: make(chan struct{})}
	s.waiting[principal] = append(s.waiting[principal], t)
	s.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-t.granted:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return !s.leave(principal, t)
}

// leave takes a turn back; false when it was granted meanwhile.
func (s *schedule) leave(principal string, t *turn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-t.granted:
		return false
	default:
	}
	t.left = true
	s.dropLocked(principal)
	return true
}

// dropLocked forgets the turns at the head of a queue that were taken back.
func (s *schedule) dropLocked(principal string) {
	queue := s.waiting[principal]
	for len(queue) > 0 && queue[0].left {
		queue = queue[1:]
	}
	if s.waiting[principal] = queue; len(queue) == 0 {
		delete(s.waiting, principal)
	}
}

// give frees a place of principal and grants it to whose turn it is.
func (s *schedule) give(principal string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	if s.held[principal]--; s.held[principal] == 0 {
		delete(s.held, principal)
	}
	if next, found := s.nextLocked(); found {
		queue := s.waiting[next]
		s.busy++
		s.held[next]++
		close(queue[0].granted)
		s.waiting[next] = queue[1:]
		s.dropLocked(next)
	}
}

// nextLocked returns the waiting principal that holds fewest places, if any may
// have one more.
func (s *schedule) nextLocked() (next string, found bool) {
	for principal := range s.waiting {
		held := s.held[principal]
		if held < s.share && (!found || held < s.held[next]) {
			next, found = principal, true
		}
	}
	return next, found
}

// place is where one call runs. The zero place is one that is never missed: that
// of calls which a busy wallet must not keep waiting.
type place struct {
	from      *schedule
	principal string
	held      bool
}

// enter takes a place for a call.
func (s *schedule) enter(ctx context.Context, principal string, wait time.Duration) (*place, bool) {
	if !s.take(ctx, principal, wait) {
		return nil, false
	}
	return &place{s, principal, true}, true
}

// leave returns the place; it may be called more than once.
func (p *place) leave() {
	if p.held {
		p.held = false
		p.from.give(p.principal)
	}
}

// outside runs what waits for somebody without holding the place meanwhile. When
// ctx ends before there is one again, what is left of the call runs without.
func (p *place) outside(ctx context.Context, do func()) {
	if !p.held {
		do()
		return
	}
	p.leave()
	do()
	p.held = p.from.take(ctx, p.principal, time.Hour)
}
