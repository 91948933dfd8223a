package audit

import (
	"errors"
	"sync"
	"time"

	"billfold/rpcserver"
	"billfold/walletcore/fault"
)

// Unknown is the outcome of a call of which nobody can tell whether it was done.
const Unknown = "unknown"

// outcomeOf is "done" or the kind of fault; "unknown" where the fault leaves open
// whether it was done.
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

// repeats counts what is of one kind.
type repeats struct {
	mu    sync.Mutex
	seen  map[string]*repeat
	last  string // the operation that locked or unlocked last
	turns int    // how often that became another one
}

// turn distinguishes what comes before and after a change of the lock: an unlock
// after a lock is no repeat of the unlock before.
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
	more    int // since then
}

// kept bounds the kinds that are distinguished: their number is up to the clients.
const kept = 1000

// take reports whether something is the first of its kind in a minute, and how many
// were left out since the last one that was.
func (r *repeats) take(kind string, now time.Time) (more int, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old := r.seen[kind]; old != nil && now.Sub(old.written) < time.Minute {
		old.more++
		return 0, false
	} else if old != nil {
		more = old.more
	}
	if r.seen == nil || len(r.seen) >= kept {
		r.seen = map[string]*repeat{}
	}
	r.seen[kind] = &repeat{written: now}
	return more, true
}
