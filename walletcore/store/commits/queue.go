// Package commits is what stores of all kinds do before and after a commit: changes wait in order for the one writer, which
// takes what waits into one commit and answers those who wait for it.
//
// Promises: nobody's answer keeps the writer waiting. A caller who leaves early does not take his change back.
package commits

import (
	"sync"
	"time"
)

const (
	mostNoted  = 4096 // changes that may wait without anybody waiting for them
	mostAtOnce = 256  // changes that go into one commit

	lateFactor = 100 // how many times as long as others a change waits that may be late
)

// Queue holds what waits for the writer, in order. Its methods may be used by many goroutines.
type Queue struct {
	mu      sync.Mutex
	waiting []*Change
	wake    chan struct{} // holds one element when something came
}

// NewQueue returns an empty one.
func NewQueue() *Queue { return &Queue{wake: make(chan struct{}, 1)} }

// Wake returns the channel that wakes the writer when something came.
func (q *Queue) Wake() <-chan struct{} { return q.wake }

// Put adds a change; false when it is one that nobody waits for and too many wait.
func (q *Queue) Put(c *Change) bool {
	q.mu.Lock()
	full := c.noted && len(q.waiting) >= mostNoted
	if !full {
		q.waiting = append(q.waiting, c)
	}
	q.mu.Unlock()
	if !full {
		select {
		case q.wake <- struct{}{}:
		default:
		}
	}
	return !full
}

// Take returns what goes into the next commit.
func (q *Queue) Take() []*Change {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.waiting), mostAtOnce)
	batch := q.waiting[:n:n]
	q.waiting = q.waiting[n:]
	return batch
}

// TakeCallers takes out all changes that somebody waits for. While no commit can be made, what is noted stays before them, and
// may be more than one commit takes.
func (q *Queue) TakeCallers() (callers []*Change) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var notes []*Change
	for _, c := range q.waiting {
		if c.noted {
			notes = append(notes, c)
		} else {
			callers = append(callers, c)
		}
	}
	q.waiting = notes
	return callers
}

// PutBack puts changes that were not kept before all others.
func (q *Queue) PutBack(batch []*Change) {
	if len(batch) == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(batch, q.waiting...)
}

// Patience returns how long what waits may go on waiting for a commit: 0 when somebody is in a hurry; false when
// nothing waits.
func (q *Queue) Patience(linger time.Duration) (longest time.Duration, any bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	longest = lateFactor * linger
	for _, c := range q.waiting {
		switch {
		case c.urgent:
			return 0, true
		case !c.late:
			longest = linger
		}
	}
	return longest, len(q.waiting) > 0
}

// HasUrgent reports whether somebody is in a hurry.
func (q *Queue) HasUrgent() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range q.waiting {
		if c.urgent {
			return true
		}
	}
	return false
}
