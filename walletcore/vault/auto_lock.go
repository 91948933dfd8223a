package vault

import (
	"fmt"
	"sync"
	"time"

	"billfold/walletcore/fault"
)

// How long a wallet may stay open without being touched, or with UnlockFor. Other durations are clamped to these, so
// that no number, wherever it came from, leaves a wallet open for ever.
const (
	leastOpen = time.Second
	maxOpen   = 7 * 24 * time.Hour
)

// checkEvery is the interval at which an open wallet checks the wall clock, because the clock of timers stands still while the machine sleeps.
const checkEvery = 15 * time.Second

// idleLock locks the wallet when its time is up. All users share one: the terminal, the RPC server and the shell touch the same clock.
type idleLock struct {
	lock func() // locks the wallet; called with mu held

	mu    sync.Mutex
	after time.Duration // idle time until it locks; 0 = never
	until deadline
	fixed bool // until was set by UnlockFor: touching does not move it
	timer *time.Timer
}

// deadline is a moment that has passed once either clock says so: the monotonic one, which nobody can set back, or the
// wall clock, which runs on while the machine sleeps. The zero value never passes.
type deadline struct{ at time.Time }

func (d deadline) left(now time.Time) time.Duration {
	return min(d.at.Sub(now), d.at.Round(0).Sub(now.Round(0)))
}

func (d deadline) passed(now time.Time) bool { return !d.at.IsZero() && d.left(now) <= 0 }

// clampOpen limits d to how long a wallet may stay open.
func clampOpen(d time.Duration) time.Duration { return min(max(d, leastOpen), maxOpen) }

// OpenSeconds returns n seconds, as given by a program, as a duration for UnlockFor. More than the maximum is refused,
// because a program that asks for it relies on it. Error: fault.BadParameter.
func OpenSeconds(n uint32) (time.Duration, error) {
	const most = uint32(maxOpen / time.Second)
	if n > most {
		return 0, &fault.Error{Code: fault.BadParameter, Op: "unlock",
			Message: fmt.Sprintf("the wallet cannot stay open for %d seconds: the maximum is %d, which is 7 days", n, most),
			Hint:    "it was not unlocked; give fewer seconds, or none to keep it open until lock"}
	}
	return clampOpen(time.Duration(n) * time.Second), nil
}

// touch restarts the idle time.
func (i *idleLock) touch() {
	i.mu.Lock()
	defer i.mu.Unlock()
	now := time.Now()
	if i.until.at.IsZero() || i.fixed || i.until.passed(now) {
		return
	}
	i.until = deadline{now.Add(i.after)} // the timer checks again on its own
}

// ends returns when the wallet locks, and whether that is fixed, so that touching does not move it.
func (i *idleLock) ends() (at time.Time, fixed bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.until.at, i.fixed
}

// startLocked starts the time for which the wallet stays open: open as given to UnlockFor, or 0 for the idle time.
func (i *idleLock) startLocked(open time.Duration) {
	i.stopLocked()
	if i.fixed = open != 0; !i.fixed {
		open = i.after
	}
	if open == 0 {
		return
	}
	i.until = deadline{time.Now().Add(open)}
	i.waitLocked(open)
}

func (i *idleLock) waitLocked(left time.Duration) {
	i.timer = time.AfterFunc(min(left, checkEvery), i.lockWhenDue)
}

func (i *idleLock) stopLocked() {
	if i.timer != nil {
		i.timer.Stop()
	}
	i.timer, i.until, i.fixed = nil, deadline{}, false
}

// lockWhenDue locks if the time is up, and checks again later if not.
func (i *idleLock) lockWhenDue() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.until.at.IsZero() {
		return
	}
	now := time.Now()
	if i.until.passed(now) {
		i.lock()
		return
	}
	i.timer.Stop()
	i.waitLocked(i.until.left(now))
}

// isDue reports whether the wallet should be locked by now.
func (i *idleLock) isDue() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.until.passed(time.Now())
}
