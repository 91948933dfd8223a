package vault

import (
	"sync"
	"time"
)

// How long a wallet may stay open without being touched, or with UnlockFor.
// What is asked beyond these is cut to them, so that no number, however it came
// about, leaves a wallet open for ever.
const (
	leastOpen = time.Second
	mostOpen  = 7 * 24 * time.Hour
)

// checkEvery is how often an open wallet looks at the clock on the wall: the one
// that timers run on stands still while the machine sleeps.
const checkEvery = 15 * time.Second

// idleLock knows when the wallet locks by itself. There is one for all who drive
// it: the terminal, the RPC server and the shell touch the same clock.
type idleLock struct {
	lock func() // locks the wallet; called with mu held

	mu    sync.Mutex
	after time.Duration // after so long without Touch; 0 = never
	until deadline
	fixed bool // until was given to UnlockFor: touching does not move it
	timer *time.Timer
}

// deadline is a moment that has come when either clock says so: the monotonic
// one, which nobody can set back, or the wall clock, which a sleeping machine
// does not stop. The zero value never comes.
type deadline struct{ at time.Time }

func (d deadline) left(now time.Time) time.Duration {
	return min(d.at.Sub(now), d.at.Round(0).Sub(now.Round(0)))
}

func (d deadline) passed(now time.Time) bool { return !d.at.IsZero() && d.left(now) <= 0 }

// clampOpen cuts a time to what a wallet may stay open.
func clampOpen(d time.Duration) time.Duration { return min(max(d, leastOpen), mostOpen) }

// OpenSeconds makes a time for UnlockFor of seconds as a script gives them: no
// number overflows.
func OpenSeconds(n int64) time.Duration {
	return clampOpen(time.Duration(min(max(n, 0), int64(mostOpen/time.Second))) * time.Second)
}

// touch restarts the idle time.
func (i *idleLock) touch() {
	i.mu.Lock()
	defer i.mu.Unlock()
	now := time.Now()
	if i.until.at.IsZero() || i.fixed || i.until.passed(now) {
		return
	}
	i.until = deadline{now.Add(i.after)} // the timer checks again by itself
}

// ends returns when the wallet locks, and whether touching does not move that.
func (i *idleLock) ends() (at time.Time, fixed bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.until.at, i.fixed
}

// startLocked begins the time that the wallet stays open: open as given to
// UnlockFor, or 0 for the idle time.
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

// lockWhenDue locks if the time has come, and checks again later if not.
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
