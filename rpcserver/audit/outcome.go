package audit

import (
	"errors"
	"maps"
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
	since   time.Time // when the first of the current minute was written
	written int       // how many were written since
	omitted int       // how many were left out since
}

// maxKinds is the maximum number of kinds kept apart, which is more than a wallet with dozens of tokens has; further ones
// share one until there is room again.
const maxKinds = 1000

// take reports whether a record is one of the first most of its kind in a minute, and returns how
// many were left out in the minute before.
func (r *repeats) take(kind string, most int, now time.Time) (more int, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.seen[kind]; !known && len(r.seen) >= maxKinds {
		kind = r.makeRoomLocked(kind, now)
	}
	old := r.seen[kind]
	switch {
	case old == nil:
	case now.Sub(old.since) >= time.Minute:
		more = old.omitted
	case old.written < most:
		old.written++
		return 0, true
	default:
		old.omitted++
		return 0, false
	}
	if r.seen == nil {
		r.seen = map[string]*repeat{}
	}
	r.seen[kind] = &repeat{since: now, written: 1}
	return more, true
}

// makeRoomLocked forgets kinds of which nothing was left out, and returns the kind to count under.
func (r *repeats) makeRoomLocked(kind string, now time.Time) string {
	maps.DeleteFunc(r.seen, func(_ string, old *repeat) bool { return old.omitted == 0 && now.Sub(old.since) >= time.Minute })
	if len(r.seen) >= maxKinds {
		return "others"
	}
	return kind
}
