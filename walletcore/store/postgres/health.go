package postgres

import (
	"errors"
	"sync"
	"time"

	"billfold/walletcore/store"
)

// health is what this server knows of itself and of the store.
type health struct {
	mu         sync.Mutex
	confirmed  mark             // the latest commit
	storeID    string           // of the store that is there
	away       error            // the latest attempt to write failed, and another would as well
	heldWhy    string           // why nothing new is paid; "" = it may be
	lacks      bool             // this server has not written again yet what the store forgot
	holdsEnded int64            // how many holds have ended
	orphans    bool             // there are payments that were found and not claimed
	written    time.Time        // when the latest commit was made, by the database's clock; at a start, by the mark's
	lost       *store.LostError // the store is not the one of this folder
	writing    time.Time        // when the writer began to wait for the database; zero when it does not
	leasing    time.Time        // when the lease did
	slowCause  string           // why a commit takes that long, as store.CauseOf says it; "" = not known
	unwritten  bool             // away is what the writer said: that the store can be read does not end it
	refusedAt  time.Time        // when it did
}

// recordCommit notes that a commit was made.
func (h *health) recordCommit(m mark, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.confirmed = m; at.After(h.written) {
		h.written = at
	}
	if full := isCode(h.away, diskFull); full && time.Since(h.refusedAt) < fullFor {
		return
	}
	if h.unwritten && !errors.Is(h.away, store.ErrPlaceTaken) {
		h.away, h.unwritten = nil, false
	}
}

// fullFor is how long the disk of a database counts as full that had no room for a change. A commit that needs none says nothing.
const fullFor = 10 * time.Second

// lastWritten is when the latest commit was made.
func (h *health) lastWritten() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.written
}

// lastCommit returns the latest commit.
func (h *health) lastCommit() mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.confirmed
}

// recordMeta notes what a look at the store has found. That the store is there gives a place back to nobody, and makes no room on its disk.
func (h *health) recordMeta(m meta) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.storeID, h.heldWhy, h.holdsEnded, h.orphans = m.id, m.held, m.generation, m.orphans
	if !h.unwritten {
		h.away = nil
	}
}

// recordPlace notes that this program has the place of its server.
func (h *health) recordPlace() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if errors.Is(h.away, store.ErrPlaceTaken) {
		h.away, h.unwritten = nil, false
	}
}

// recordHold notes that nothing new may be paid, and whether this server misses something.
func (h *health) recordHold(why string, lacks bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heldWhy, h.lacks = why, h.lacks || lacks
}

// recordRewritten notes that the store has again what this server remembers.
func (h *health) recordRewritten() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lacks = false
}

// isLacking reports whether this server has still to write again what the store forgot.
func (h *health) isLacking() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lacks
}

// generation returns how many holds have ended, and whether there are payments to be claimed.
func (h *health) generation() (ended int64, orphans bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.holdsEnded, h.orphans
}

// recordUnreachable notes that the store could not be reached.
func (h *health) recordUnreachable(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.unwritten {
		h.away = err
	}
}

// recordRefusal notes that the store took no change, or that another program has the place of this one. It ends with a commit.
func (h *health) recordRefusal(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.away, h.unwritten, h.refusedAt = err, true, time.Now()
}

// isRefusing reports whether the store has taken no change since it refused one.
func (h *health) isRefusing() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.unwritten
}

func (h *health) recordLost(l *store.LostError) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lost = l
}

// startWaiting notes when one of the two begins to wait for the database, and that it does not any more.
func (h *health) startWaiting(since *time.Time) (done func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*since = time.Now()
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		*since = time.Time{}
	}
}

// slow is how long a commit may take before nothing new is begun.
const slow = 3 * time.Second

// fault returns why nothing can be written now.
func (h *health) fault(path string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if lost := h.lostLocked(path); lost != nil {
		return lost
	}
	if h.away != nil {
		return h.away
	}
	return h.slowLocked(path)
}

// slowLocked is that of slowError.
func (h *health) slowLocked(path string) error {
	for _, since := range []time.Time{h.writing, h.leasing} {
		if took := time.Since(since); !since.IsZero() && took > slow {
			return &store.SlowError{At: path, For: took, CauseText: h.slowCause}
		}
	}
	return nil
}

// slowError returns that the store has confirmed nothing for a while; nil when it has.
func (h *health) slowError(path string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.slowLocked(path)
}

// isSlow reports whether the store has confirmed nothing for a while.
func (h *health) isSlow() bool { return h.slowError("") != nil }

// recordCause notes why the store confirms nothing.
func (h *health) recordCause(because string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.slowCause = because
}

// lostError is why nothing may be paid until somebody looked at it; nil when all is well.
func (h *health) lostError(path string) *store.LostError {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lostLocked(path)
}

func (h *health) lostLocked(path string) *store.LostError {
	if h.lost != nil {
		return h.lost
	}
	if h.heldWhy != "" {
		return &store.LostError{Kind: store.Older, Path: path, Why: "the store is held: " + h.heldWhy}
	}
	return nil
}
