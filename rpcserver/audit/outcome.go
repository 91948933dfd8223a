package audit

import (
	"errors"
	"strconv"
	"sync"
	"time"

	"billfold/rpcserver"
	"billfold/walletcore/fault"
)

// Unknown is the outcome of a call of which nobody can tell whether it was done.
const Unknown = "unknown"

// outcome writes down how a call ended. Where keys or the password were touched
// it is on disk before the caller has its answer. That it cannot be written
// changes nothing of what was done.
func (a *act) outcome(err error) {
	if a.of == nil { // there was no yes, which says it all
		return
	}
	r := Record{Who: a.record.Who, Method: a.record.Method, Outcome: outcomeOf(err)}
	if a.method.Does(guarding) {
		_, _ = a.c.log.append(r, a.of)
		return
	}
	_, _ = a.c.log.Note(r, a.of)
}

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

// lockOutcome writes down that somebody locked or unlocked, or tried to. A
// program that does nothing else must not fill the disk: what repeats without
// anything having changed in between is written once in a minute.
func (a *act) lockOutcome(err error) {
	text := outcomeOf(err)
	kind := a.record.Who + "\x00" + a.record.Method + "\x00" + text
	if err == nil {
		kind += "\x00" + strconv.Itoa(a.c.repeats.turn(a.record.Method))
	}
	if more, first := a.c.repeats.take(kind, time.Now()); first {
		r := a.record
		r.Outcome = withMore(text, more)
		_, _ = a.c.log.Note(r, nil) // whether it can be written decides about nothing
	}
}

// repeats counts what is of one kind.
type repeats struct {
	mu    sync.Mutex
	seen  map[string]*repeat
	last  string // the operation that locked or unlocked last
	turns int    // how often that became another one
}

// turn tells apart what stands before and after a change of the lock: an unlock
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

// kept bounds the kinds that are told apart: their number is up to the clients.
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
