package rpcserver

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// entrance counts the calls that run, and lets none in once the server ends.
type entrance struct {
	mu      sync.Mutex
	running int
	shut    bool
	empty   chan struct{} // closed when it is shut and the last call has ended
}

func newEntrance() *entrance { return &entrance{empty: make(chan struct{})} }

// enter reports whether a call may run; leave must be called when it has ended.
func (e *entrance) enter() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.shut {
		return false
	}
	e.running++
	return true
}

func (e *entrance) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running--; e.shut && e.running == 0 {
		close(e.empty)
	}
}

// close lets nobody in any more. It is called once.
func (e *entrance) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.shut = true; e.running == 0 {
		close(e.empty)
	}
}

func (e *entrance) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running
}

func (e *entrance) isShut() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.shut
}

// await waits until no call runs and at least notice has passed, or ctx ends.
func (e *entrance) await(ctx context.Context, notice time.Duration) {
	passed := time.NewTimer(notice)
	defer passed.Stop()
	if came(ctx, e.empty) {
		came(ctx, passed.C)
	}
}

// came reports whether done came before ctx ended.
func came[T any](ctx context.Context, done <-chan T) bool {
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}

// endingReason is the answer of /readyz about a server that ends.
const endingReason = "this server is ending, and takes no more calls"

// ending returns the answer to a call that came too late.
func ending() *wireError {
	return &wireError{
		Numbers: same(numRetryLater, "draining"),
		message: "This server is ending and has not begun this call; send the same request, with the same request key, " +
			"to another server, or here once it runs again.",
		hint:       "send it again, with the same request key",
		retryAfter: time.Second,
		status:     http.StatusServiceUnavailable,
	}
}
