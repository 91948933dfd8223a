package build

import (
	"sync"
	"time"

	"billfold/ledger"
)

// recentLife is how long an id must not be used again.
const recentLife = 2 * time.Minute

// recentIDs holds the ids of recent transactions: an operation that is requested
// twice on purpose must not make the same transaction. It keeps two generations of
// them, so that dropping old ones is cheap.
type recentIDs struct {
	mu         sync.Mutex
	young, old map[ledger.TransactionID]struct{}
	since      time.Time // when young began
}

// reserve records id. It reports false if the id was used recently.
func (r *recentIDs) reserve(id ledger.TransactionID, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.since) >= recentLife {
		r.young, r.old, r.since = map[ledger.TransactionID]struct{}{}, r.young, now
	}
	if _, made := r.young[id]; made {
		return false
	}
	if _, made := r.old[id]; made {
		return false
	}
	r.young[id] = struct{}{}
	return true
}
