package audit

import (
	"errors"
	"sync"
	"time"

	"billfold/rpcserver"
	"billfold/walletcore/fault"
)

// Unknown is the outcome of a call that may or may not have been done.
const Unknown = "unknown"

// outcomeOf returns "done" or the code of the fault, with "unknown" if the fault leaves
// open whether the call was done.
func outcomeOf(err error) string {
	switch code := fault.CodeOf(err); {
	case err == nil:
		return "done"
	case errors.Is(err, rpcserver.ErrPanicked), code == fault.OutcomeUnknown, code == fault.Canceled:
		return Unknown + " (" + string(code) + ")"
	default:
		return string(code)
	}
}

// repeats counts repeated records of one kind.
type repeats struct {
	mu    sync.Mutex
	seen  map[string]*repeat
	last  string // the latest operation on the lock
	turns int    // how often that changed to another operation
}

// turn returns a number that changes with each change of the lock: an unlock after a
// lock does not repeat the unlock before it.
func (r *repeats) turn(method string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if method != r.last {
		r.last = method
		r.turns++
	}
	return r.turns
}

type repeat struct {
	written time.Time
	omitted int // how many were left out since then
}

// maxKinds is how many kinds are remembered, since clients decide how many there are.
const maxKinds = 1000

// take reports whether a record is the first of its kind in a minute, and returns how
// many were left out since the last one that was written.
func (r *repeats) take(kind string, now time.Time) (more int, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old := r.seen[kind]; old != nil && now.Sub(old.written) < time.Minute {
		old.omitted++
		return 0, false
	} else if old != nil {
		more = old.omitted
	}
	if r.seen == nil || len(r.seen) >= maxKinds {
		r.seen = map[string]*repeat{}
	}
	r.seen[kind] = &repeat{written: now}
	return more, true
}
