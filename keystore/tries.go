package keystore

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// freeWrong wrong passwords cost no waiting: everybody mistypes. After that the next try waits 2, 4, 8, 16 and then 30
// seconds each time.
const (
	freeWrong   = 2
	longestWait = 30 * time.Second
)

// waitAfter returns how long the next try is held back after so many wrong ones.
func waitAfter(wrong int) time.Duration {
	if wrong <= freeWrong {
		return 0
	}
	return min(time.Second<<min(wrong-freeWrong, 5), longestWait)
}

// tries slows down anybody who guesses passwords through this program. Somebody who has the file needs no program to
// guess; the key derivation protects against them.
//
// The count is written beside the key file before a password is tried and removed after a right one. So neither ending
// the program in the middle of a try nor restarting it allows one more. If it cannot be written, the count in memory
// still holds.
type tries struct {
	disk disk
	name string

	mu    sync.Mutex
	wrong int
	next  time.Time // no password is tried before this
}

func newTries(d disk, path string) *tries { return &tries{disk: d, name: triesName(path)} }

// waitTime returns how long the next try still has to wait.
func (t *tries) waitTime() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readLocked()
	return max(time.Until(t.next), 0)
}

func (t *tries) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readLocked()
	return t.wrong
}

// countWrong counts a try as wrong until reset is called. Reading and writing the count are one step for all processes:
// however many start at once, they share the tries of one. The error is an ErrTooMany.
func (t *tries) countWrong() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	release, err := t.disk.Lock(t.name + ".lock")
	switch {
	case errors.Is(err, ErrBusy):
		return tooManyError(waitAfter(freeWrong + 1))
	case err == nil:
		defer release()
	} // a folder that cannot be written leaves the count in memory
	t.readLocked()
	if wait := time.Until(t.next); wait > 0 {
		return tooManyError(wait)
	}
	t.countLocked()
	return nil
}

// startWait ends a try that was wrong: its waiting time starts now.
func (t *tries) startWait() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = time.Now().Add(waitAfter(t.wrong))
}

// reset forgets all wrong tries.
func (t *tries) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrong, t.next = 0, time.Time{}
	_ = t.disk.Remove(t.name) // it need not exist; if it stays, the next start waits needlessly, 30 s at most
}

// countLocked records one more wrong try, in memory and beside the key file.
func (t *tries) countLocked() {
	t.wrong = min(t.wrong+1, math.MaxInt32)
	now := time.Now()
	t.next = now.Add(waitAfter(t.wrong))
	half := t.name + ".tmp"
	_ = t.disk.Remove(half) // left by a crash
	if t.disk.WriteNew(half, fmt.Appendf(nil, "%d %d\n", t.wrong, now.UnixMilli())) == nil {
		_ = t.disk.Rename(half, t.name) // a file that cannot be written leaves the count in memory
		_ = t.disk.SyncFolder(filepath.Dir(t.name))
	}
}

// readLocked takes over a higher count, from before the last start or from another process. A clock that was set back
// makes nobody wait longer than the count requires.
func (t *tries) readLocked() {
	data, err := readUpTo(t.disk, t.name, 64)
	if err != nil {
		return
	}
	var wrong int
	var last int64
	if n, err := fmt.Sscanf(strings.TrimSpace(string(data)), "%d %d", &wrong, &last); n != 2 || err != nil || wrong <= t.wrong {
		return
	}
	t.wrong = min(wrong, math.MaxInt32)
	wait := waitAfter(t.wrong)
	past := time.Since(time.UnixMilli(last))
	t.next = time.Now().Add(wait - min(max(past, 0), wait))
}
