package rpcserver

import (
	"context"
	"sync"
	"time"
)

// schedule shares something of which there is a limited amount, such as places for
// running calls or bytes of memory: at most limit in all, and at most share to one
// principal, so that one that would take everything leaves room for the others. What
// is released goes to the principal that holds the least, and among its turns to the
// one that has waited longest.
type schedule struct {
	limit, share int

	mu      sync.Mutex
	busy    int
	held    map[string]int     // by principal
	waiting map[string][]*turn // by principal, oldest first
}

// turn is a call that waits for n of a schedule.
type turn struct {
	n         int
	granted   chan struct{} // closed when it gets them
	withdrawn bool          // the call has given up waiting
}

func newSchedule(limit, share int) *schedule {
	return &schedule{limit: limit, share: max(share, 1), held: map[string]int{}, waiting: map[string][]*turn{}}
}

// acquire waits up to wait for n, or for the whole share if n is more than that; it returns what
// the caller got and is to release, 0 if it was not free in time or ctx has ended.
func (s *schedule) acquire(ctx context.Context, principal string, n int, wait time.Duration) int {
	return s.acquireNudging(ctx, principal, n, wait, nil)
}

// acquireNudging does the same, and calls nudge four times while it waits, which may make something free.
func (s *schedule) acquireNudging(ctx context.Context, principal string, n int, wait time.Duration, nudge func()) int {
	n = min(n, s.share)
	s.mu.Lock()
	if len(s.waiting[principal]) == 0 && s.fitsLocked(principal, n) {
		s.takeLocked(principal, n)
		s.mu.Unlock()
		return n
	}
	t := &turn{n: n, granted: make(chan struct{})}
	s.waiting[principal] = append(s.waiting[principal], t)
	s.mu.Unlock()
	if s.await(ctx, t, wait, nudge) || !s.withdraw(principal, t) {
		return n
	}
	return 0
}

// await reports whether a turn was granted while it waited.
func (s *schedule) await(ctx context.Context, t *turn, wait time.Duration, nudge func()) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	var ticks <-chan time.Time
	if nudge != nil && wait > 0 {
		ticker := time.NewTicker(wait / 5)
		defer ticker.Stop()
		ticks = ticker.C
	}
	for {
		select {
		case <-t.granted:
			return true
		case <-ticks:
			nudge()
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

func (s *schedule) fitsLocked(principal string, n int) bool {
	return s.busy+n <= s.limit && s.held[principal]+n <= s.share
}

func (s *schedule) takeLocked(principal string, n int) {
	s.busy += n
	s.held[principal] += n
}

// take takes n whether they are free or not, for what exists already.
func (s *schedule) take(principal string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takeLocked(principal, n)
}

// isFull reports whether others keep n from principal; own means that the principal's own share does.
func (s *schedule) isFull(principal string, n int) (full, own bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.fitsLocked(principal, min(n, s.share)), s.busy+n <= s.limit
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
	s.grantLocked() // it may have kept smaller ones behind it waiting
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

// release returns n of principal and grants them to the next turns.
func (s *schedule) release(principal string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takeLocked(principal, -n)
	if s.held[principal] == 0 {
		delete(s.held, principal)
	}
	s.grantLocked()
}

func (s *schedule) grantLocked() {
	for {
		next, found := s.nextLocked()
		if !found {
			return
		}
		queue := s.waiting[next]
		s.takeLocked(next, queue[0].n)
		close(queue[0].granted)
		s.waiting[next] = queue[1:]
		s.dropLocked(next)
	}
}

// nextLocked returns the waiting principal that holds the least, among those whose next turn fits.
func (s *schedule) nextLocked() (next string, found bool) {
	for principal, queue := range s.waiting {
		if s.fitsLocked(principal, queue[0].n) && (!found || s.held[principal] < s.held[next]) {
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

// enter takes a place for a call. It reports false if none became free in time.
func (s *schedule) enter(ctx context.Context, principal string, wait time.Duration) (*place, bool) {
	if s.acquire(ctx, principal, 1, wait) == 0 {
		return nil, false
	}
	return &place{s, principal, true}, true
}

// release frees the place. It may be called more than once.
func (p *place) release() {
	if p.held {
		p.held = false
		p.from.release(p.principal, 1)
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
	p.held = p.from.acquire(ctx, p.principal, 1, time.Hour) > 0
}
