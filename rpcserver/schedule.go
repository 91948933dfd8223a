package rpcserver

import (
	"context"
	"sync"
	"time"
)

// schedule assigns the places in which calls run: at most limit in all, and at
// most share to one principal, so that one that would take them all leaves room
// for the others. A free place goes to the principal that holds the fewest, and
// among its calls to the one that has waited longest.
type schedule struct {
	limit, share int

	mu      sync.Mutex
	busy    int
	held    map[string]int     // by principal
	waiting map[string][]*turn // by principal, oldest first
}

// turn is a call that waits for a place.
type turn struct {
	granted   chan struct{} // closed when it gets one
	withdrawn bool          // the call has given up waiting
}

func newSchedule(limit, share int) *schedule {
	return &schedule{limit: limit, share: max(share, 1), held: map[string]int{}, waiting: map[string][]*turn{}}
}

// acquire waits up to wait for a place. It reports false if none became free or ctx has ended.
func (s *schedule) acquire(ctx context.Context, principal string, wait time.Duration) bool {
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
	return !s.withdraw(principal, t)
}

// withdraw takes a turn out of the queue. It reports false if the turn was granted meanwhile.
func (s *schedule) withdraw(principal string, t *turn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-t.granted:
		return false
	default:
	}
	t.withdrawn = true
	s.dropLocked(principal)
	return true
}

// dropLocked removes withdrawn turns from the head of a principal's queue.
func (s *schedule) dropLocked(principal string) {
	queue := s.waiting[principal]
	for len(queue) > 0 && queue[0].withdrawn {
		queue = queue[1:]
	}
	if s.waiting[principal] = queue; len(queue) == 0 {
		delete(s.waiting, principal)
	}
}

// release frees a place of principal and grants it to the next turn.
func (s *schedule) release(principal string) {
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

// nextLocked returns the waiting principal that holds the fewest places, among those
// below their share.
func (s *schedule) nextLocked() (next string, found bool) {
	for principal := range s.waiting {
		held := s.held[principal]
		if held < s.share && (!found || held < s.held[next]) {
			next, found = principal, true
		}
	}
	return next, found
}

// place is the place of one running call. The zero place belongs to no schedule: calls
// that a busy wallet must answer at once run in it.
type place struct {
	from      *schedule
	principal string
	held      bool
}

// enter takes a place for a call. It reports false like take.
func (s *schedule) enter(ctx context.Context, principal string, wait time.Duration) (*place, bool) {
	if !s.acquire(ctx, principal, wait) {
		return nil, false
	}
	return &place{s, principal, true}, true
}

// release frees the place. It may be called more than once.
func (p *place) release() {
	if p.held {
		p.held = false
		p.from.release(p.principal)
	}
}

// releaseWhile runs do, which waits for a person, without holding the place meanwhile. If
// ctx ends before a place is free again, the rest of the call runs without one.
func (p *place) releaseWhile(ctx context.Context, do func()) {
	if !p.held {
		do()
		return
	}
	p.release()
	do()
	p.held = p.from.acquire(ctx, p.principal, time.Hour)
}
