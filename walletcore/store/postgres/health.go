package postgres

import (
	"fmt"
	"sync"
	"time"

	"billfold/walletcore/store"
)

// health is what this server knows of itself and of the store.
type health struct {
	mu        sync.Mutex
	confirmed mark             // the latest commit
	storeID   string           // of the store that is there
	away      error            // the latest attempt to write failed
	heldWhy   string           // why nothing new is paid; "" = it may be
	lost      *store.LostError // the store is not the one of this folder
	writing   time.Time        // when the writer began to wait for the database; zero when it does not
	leasing   time.Time        // when the lease did
}

// confirm notes that a commit was made.
func (h *health) confirm(m mark) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.confirmed = m
}

// at returns the latest commit.
func (h *health) at() mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.confirmed
}

// found notes what a look at the store has found.
func (h *health) found(storeID, heldWhy string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.storeID, h.heldWhy, h.away = storeID, heldWhy, nil
}

// hold notes that nothing new may be paid.
func (h *health) hold(why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heldWhy = why
}

// failed notes that the store could not be reached; nil that it could.
func (h *health) failed(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.away = err
}

func (h *health) lose(l *store.LostError) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lost = l
}

// waits notes when one of the two begins to wait for the database, and that it does not any more.
func (h *health) waits(since *time.Time) (done func()) {
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

// fault says why nothing can be written now.
func (h *health) fault(path string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if lost := h.lostLocked(path); lost != nil {
		return lost
	}
	if h.away != nil {
		return h.away
	}
	for _, since := range []time.Time{h.writing, h.leasing} {
		if !since.IsZero() && time.Since(since) > slow {
			return fmt.Errorf("the store at %s has confirmed nothing for %d s", path, int(time.Since(since).Seconds()))
		}
	}
	return nil
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
