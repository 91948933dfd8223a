package postgres

import (
	"sync"
	"time"

	"billfold/walletcore/store"
)

const (
	mostNoted  = 4096 // changes that may wait without anybody waiting for them
	mostAtOnce = 256  // changes that go into one commit

	lateLingers = 100 // how many times as long as others a change waits that may be late
)

// change is what one caller has written, and how he hears of it.
type change struct {
	parts []store.Change
	hurry bool // a commit is made for it at once
	noted bool // nobody waits; what is not kept goes into the next commit
	late  bool // it may wait longer than others
	err   error
	done  chan error // takes the outcome of the commit, perhaps a *store.PendingError
	later chan error // takes what became of a commit that was left open; closed when that is never known
}

func newChange(parts []store.Change) *change {
	return &change{parts: parts, done: make(chan error, 1), later: make(chan error, 1)}
}

// left waits for what became of a change whose commit was left open.
func (c *change) left() error {
	if err, known := <-c.later; known {
		return err
	}
	return store.ErrUncertain
}

// keep notifies a change that the database has it.
func (c *change) keep() {
	for _, part := range c.parts {
		if c.err == nil && part.Kept != nil {
			part.Kept()
		}
	}
}

// queue holds what waits for the writer, in order.
type queue struct {
	mu      sync.Mutex
	waiting []*change
	wake    chan struct{} // holds one element when something came
}

// put adds a change; false when it is one that nobody waits for and too many wait.
func (q *queue) put(c *change) bool {
	q.mu.Lock()
	full := c.noted && len(q.waiting) >= mostNoted
	if !full {
		q.waiting = append(q.waiting, c)
	}
	q.mu.Unlock()
	if !full {
		q.rouse()
	}
	return !full
}

func (q *queue) rouse() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take returns what goes into the next commit.
func (q *queue) take() []*change {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.waiting), mostAtOnce)
	batch := q.waiting[:n:n]
	q.waiting = q.waiting[n:]
	return batch
}

// giveBack puts changes that were not kept before all others.
func (q *queue) giveBack(batch []*change) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(batch, q.waiting...)
}

// patience returns how long what waits may go on waiting for a commit: 0 when somebody is in a hurry; false when
// nothing waits.
func (q *queue) patience(linger time.Duration) (longest time.Duration, any bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	longest = lateLingers * linger
	for _, c := range q.waiting {
		switch {
		case c.hurry:
			return 0, true
		case !c.late:
			longest = linger
		}
	}
	return longest, len(q.waiting) > 0
}
