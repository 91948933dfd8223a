package commits

import (
	"context"
	"errors"

	"billfold/walletcore/store"
)

// Change holds what one caller wants written, and the means to answer it.
type Change struct {
	Parts []store.Change
	Err   error // the refusal, set when it was applied

	urgent bool       // a commit is made for it at once
	noted  bool       // nobody waits; if it is not committed, it goes into the next commit
	late   bool       // it may wait longer than others
	done   chan error // receives the outcome of the commit, perhaps a *store.PendingError
	later  chan error // receives the outcome of a commit that was left open; closed if that never becomes known
}

// New returns a change that may wait a moment to join another commit.
func New(parts []store.Change) *Change {
	return &Change{Parts: parts, done: make(chan error, 1), later: make(chan error, 1)}
}

// NewUrgent returns a change for which a commit is made at once.
func NewUrgent(parts []store.Change) *Change {
	c := New(parts)
	c.urgent = true
	return c
}

// NewNote returns a change that nobody waits for.
func NewNote(one store.Change) *Change {
	c := New([]store.Change{one})
	c.noted, c.late = true, one.Late
	return c
}

// Noted reports whether nobody waits for the change; if it is not committed, it goes into the next commit.
func (c *Change) Noted() bool { return c.noted }

// Keep calls Kept of the parts, now that they are committed, unless the change was refused.
func (c *Change) Keep() {
	for _, part := range c.Parts {
		if c.Err == nil && part.Kept != nil {
			part.Kept()
		}
	}
}

// Answer sends the caller the outcome of a commit. It does nothing for a noted change, which nobody waits for and which
// may be answered more than once.
func (c *Change) Answer(err error) {
	if !c.noted {
		c.done <- err
	}
}

// LeaveOpen answers the caller that it is not known yet whether the commit was made. Resolve or Abandon must follow.
func (c *Change) LeaveOpen(why error) { c.Answer(&store.PendingError{Err: why, Wait: c.awaitOutcome}) }

// Resolve sends the outcome of a commit that was left open.
func (c *Change) Resolve(err error) {
	if !c.noted {
		c.later <- err
	}
}

// Abandon ends the wait for a commit that was left open and whose outcome will never be known.
func (c *Change) Abandon() { close(c.later) }

// awaitOutcome waits for the outcome of a change whose commit was left open.
func (c *Change) awaitOutcome() error {
	if err, known := <-c.later; known {
		return err
	}
	return store.ErrUncertain
}

// Await waits for the commit of a change that was put into the queue. ended is closed when the writer has ended. A
// caller whose ctx ends before gets a *store.PendingError.
func (c *Change) Await(ctx context.Context, ended <-chan struct{}) error {
	select {
	case err := <-c.done:
		return err
	case <-ended:
		return c.afterEnd()
	case <-ctx.Done():
		return &store.PendingError{Err: context.Cause(ctx), Wait: func() error { return c.outcome(ended) }}
	}
}

// outcome waits for the commit, however long it takes.
func (c *Change) outcome(ended <-chan struct{}) error {
	var err error
	select {
	case err = <-c.done:
	case <-ended:
		err = c.afterEnd()
	}
	if open, ok := errors.AsType[*store.PendingError](err); ok {
		return open.Outcome()
	}
	return err
}

// afterEnd returns the outcome once the writer has ended: the change was written just before, or not at all.
func (c *Change) afterEnd() error {
	select {
	case err := <-c.done:
		return err
	default:
		return store.ErrClosed
	}
}
