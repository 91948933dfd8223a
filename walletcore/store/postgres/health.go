package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"billfold/walletcore/store"
)

// health holds what this server knows about itself and the store.
type health struct {
	mu         sync.Mutex
	confirmed  mark             // latest confirmed commit
	storeID    string           // identity of the store that was found
	away       error            // the latest attempt to write failed, and another would too
	heldWhy    string           // why nothing new is paid; "" = new payments are made
	lacks      bool             // this server has not yet written back what the store lost
	holdsEnded int64            // how many holds have ended
	orphans    bool             // there are found payments that are not claimed
	written    time.Time        // time of the latest commit, by the database's clock; at first that of the mark
	lost       *store.LostError // the store is not the one of this folder
	writing    time.Time        // since when the writer has been waiting for the database; zero if it is not
	leasing    time.Time        // the same for the lease
	slowCause  string           // why a commit takes that long, for store.CauseOf; "" = unknown
	unwritten  bool             // away is the writer's: a successful read does not clear it
	noStandby  bool             // commits wait for none, and servers insist on one: nothing new is paid
	refusedAt  time.Time        // when the writer set it
}

// recordCommit records that a commit was made.
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

// fullFor is the time for which a database's disk counts as full after it had no room for a change: a commit that needs no room proves nothing.
const fullFor = 10 * time.Second

// lastWritten returns the time of the latest commit.
func (h *health) lastWritten() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.written
}

// lastCommit returns the latest confirmed commit.
func (h *health) lastCommit() mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.confirmed
}

// recordMeta records what a read of the store found. That the store can be read neither returns
// a lost place nor makes room on its disk.
func (h *health) recordMeta(m meta) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.storeID, h.heldWhy, h.holdsEnded, h.orphans = m.id, m.held, m.generation, m.orphans
	if !h.unwritten {
		h.away = nil
	}
}

// recordPlace records that this program holds the place of its server.
func (h *health) recordPlace() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if errors.Is(h.away, store.ErrPlaceTaken) {
		h.away, h.unwritten = nil, false
	}
}

// recordHold records that nothing new may be paid, and whether the store lacks something that this server remembers.
func (h *health) recordHold(why string, lacks bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heldWhy, h.lacks = why, h.lacks || lacks
}

// recordRewritten records that this server has written back what it remembers.
func (h *health) recordRewritten() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lacks = false
}

// isLacking reports whether this server has still to write back what the store lost.
func (h *health) isLacking() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lacks
}

// generation returns how many holds have ended, and whether there are found payments that are not claimed.
func (h *health) generation() (ended int64, orphans bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.holdsEnded, h.orphans
}

// recordUnreachable records that the store could not be reached.
func (h *health) recordUnreachable(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.unwritten {
		h.away = err
	}
}

// recordRefusal records that the store accepted no change, or that another program has the place of this one. A commit clears it.
func (h *health) recordRefusal(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.away, h.unwritten, h.refusedAt = err, true, time.Now()
}

// recordStandby records whether commits wait for a standby, or need not.
func (h *health) recordStandby(fit bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.noStandby = !fit
}

// isRefusing reports whether the store has accepted no change since it refused one.
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

// slow is the time that a commit may take before new changes are refused.
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
	if h.noStandby {
		return errNoStandby
	}
	return h.slowLocked(path)
}

// slowLocked is slowError for callers that hold the mutex.
func (h *health) slowLocked(path string) error {
	for _, since := range []time.Time{h.writing, h.leasing} {
		if took := time.Since(since); !since.IsZero() && took > slow {
			return &store.SlowError{At: path, For: took, CauseText: h.slowCause}
		}
	}
	return nil
}

// slowError returns a *store.SlowError if the store has confirmed nothing for a while; otherwise nil.
func (h *health) slowError(path string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.slowLocked(path)
}

// isSlow reports whether the store has confirmed nothing for a while.
func (h *health) isSlow() bool { return h.slowError("") != nil }

// recordCause records why the store confirms nothing.
func (h *health) recordCause(because string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.slowCause = because
}

// lostError returns why nothing may be paid until the hold ends or a person has looked at the store; nil if everything is well.
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

const (
	diagnoseEvery = time.Second
	diagnoseTime  = 2 * time.Second // limit for an answer
)

// diagnose finds out, while the store confirms nothing, why that is, until ctx ends.
func (f *file) diagnose(ctx context.Context) {
	tick := time.NewTicker(diagnoseEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		because := ""
		if f.health.isSlow() {
			because = f.findSlowCause(ctx)
		}
		f.health.recordCause(because)
	}
}

// findSlowCause returns why commits take long, in the words of store.CauseOf; "" if unknown.
func (f *file) findSlowCause(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, diagnoseTime)
	defer cancel()
	var waits, streams int
	err := f.db.QueryRowContext(ctx, `SELECT
			(SELECT COUNT(*) FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep'),
			(SELECT COUNT(*) FROM pg_stat_replication)`).Scan(&waits, &streams)
	switch {
	case err != nil || waits == 0:
		return ""
	case streams == 0:
		return "has no synchronous standby connected, so it confirms nothing"
	}
	return "has a synchronous standby that does not answer, so it confirms nothing"
}
