// Package commits holds what stores of all kinds do before and after a commit: changes wait in order for the one writer,
// which puts what is waiting into one commit and answers the callers.
//
// Promises: no answer keeps the writer waiting. A caller that leaves early does not take its change back.
package commits

import (
	"sync"
	"time"

	"billfold/walletcore/store"
)

const (
	maxNoted  = 4096 // noted changes that may wait
	maxAtOnce = 256  // changes in one commit

	lateFactor = 100 // a late change may wait this many times as long as others
)

// Queue holds what is waiting for the writer, in order. It is safe for concurrent use.
type Queue struct {
	mu      sync.Mutex
	waiting []*Change
	wake    chan struct{} // holds one element when something was added
	meter   *store.CommitMeter
}

// NewQueue returns an empty queue.
func NewQueue() *Queue { return &Queue{wake: make(chan struct{}, 1), meter: store.NewCommitMeter()} }

// NoteCommit counts a commit that was tried since a time.
func (q *Queue) NoteCommit(since time.Time, err error) { q.meter.Note(time.Since(since), err) }

// Commits returns what was counted, and how many changes are waiting.
func (q *Queue) Commits() store.Commits {
	c := q.meter.Read()
	q.mu.Lock()
	defer q.mu.Unlock()
	c.Waiting = len(q.waiting)
	return c
}

// Wake returns the channel that wakes the writer when something was added.
func (q *Queue) Wake() <-chan struct{} { return q.wake }

// Put adds a change. It reports false, and adds nothing, if nobody waits for the change and too many changes are waiting.
func (q *Queue) Put(c *Change) bool {
	q.mu.Lock()
	full := c.noted && len(q.waiting) >= maxNoted
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

// Take removes and returns what goes into the next commit.
func (q *Queue) Take() []*Change {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.waiting), maxAtOnce)
	batch := q.waiting[:n:n]
	q.waiting = q.waiting[n:]
	return batch
}

// TakeCallers removes and returns all changes that a caller waits for. While no commit can be made, the noted ones stay
// ahead of them and may be more than one commit takes.
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

// PutBack puts changes that were not committed ahead of all others.
func (q *Queue) PutBack(batch []*Change) {
	if len(batch) == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(batch, q.waiting...)
}

// Patience returns how long the waiting changes may still wait for a commit: 0 if one is
// urgent. It reports false if nothing is waiting.
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

// HasUrgent reports whether an urgent change is waiting.
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
