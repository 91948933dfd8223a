package walletcore

import (
	"context"
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

// lookAgain is how often an open wallet looks at the clock on the wall: the one
// that timers run on stands still while the machine sleeps.
const lookAgain = 15 * time.Second

// idleLock knows when the wallet locks by itself. There is one for all who drive
// it: the terminal, the RPC server and the shell touch the same clock.
type idleLock struct {
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

// UnlockFor is Unlock for the time d, one second to seven days, at the end of which
// the wallet locks, touched or not. The idle time does not count meanwhile. The
// latest right password decides: another Unlock or UnlockFor replaces the end.
func (w *Wallet) UnlockFor(ctx context.Context, password string, d time.Duration) error {
	return w.unlockUntil(ctx, password, clampOpen(d))
}

// SetLockAfter sets how long an unlocked wallet may go untouched, at most
// seven days; 0, the state of a new Wallet, means for ever. It holds from now on.
func (w *Wallet) SetLockAfter(d time.Duration) {
	if d != 0 {
		d = clampOpen(d)
	}
	idle := &w.opened.idle
	idle.mu.Lock()
	defer idle.mu.Unlock()
	idle.after = d
	if !idle.fixed && !w.IsLocked() {
		w.startIdleLocked(0)
	}
}

// Touch says that somebody uses the wallet: the idle time begins anew. It is
// cheap enough for every key press and every call. The terminal calls it for each
// key and click, the catalogue for each operation that needs the wallet open; what
// programs poll (is_locked, histories, deposits) does not count as use.
func (w *Wallet) Touch() {
	idle := &w.opened.idle
	idle.mu.Lock()
	defer idle.mu.Unlock()
	now := time.Now()
	if idle.until.at.IsZero() || idle.fixed || idle.until.passed(now) {
		return
	}
	idle.until = deadline{now.Add(idle.after)} // the timer looks again by itself
}

// LocksAt is when the wallet will lock by itself if nobody touches it; zero
// when it is locked or stays open.
func (w *Wallet) LocksAt() time.Time {
	at, _ := w.opened.idle.ends()
	return at
}

// ends says when the wallet locks, and whether touching does not move that.
func (i *idleLock) ends() (at time.Time, fixed bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.until.at, i.fixed
}

// startIdleLocked begins the time that the wallet stays open: open as given to
// UnlockFor, or 0 for the idle time.
func (w *Wallet) startIdleLocked(open time.Duration) {
	idle := &w.opened.idle
	idle.stopLocked()
	if idle.fixed = open != 0; !idle.fixed {
		open = idle.after
	}
	if open == 0 {
		return
	}
	idle.until = deadline{time.Now().Add(open)}
	w.lookLocked(open)
}

func (w *Wallet) lookLocked(left time.Duration) {
	w.opened.idle.timer = time.AfterFunc(min(left, lookAgain), func() { w.lockWhenDue() })
}

func (i *idleLock) stopLocked() {
	if i.timer != nil {
		i.timer.Stop()
	}
	i.timer, i.until, i.fixed = nil, deadline{}, false
}

// lockWhenDue locks if the time has come, and looks again later if not.
func (w *Wallet) lockWhenDue() {
	idle := &w.opened.idle
	idle.mu.Lock()
	defer idle.mu.Unlock()
	if idle.until.at.IsZero() {
		return
	}
	now := time.Now()
	if idle.until.passed(now) {
		w.lockLocked()
		return
	}
	idle.timer.Stop()
	w.lookLocked(idle.until.left(now))
}

// due tells whether the wallet should be locked by now.
func (i *idleLock) due() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.until.passed(time.Now())
}
