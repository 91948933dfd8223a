package build

import (
	"sync"
	"time"

	"billfold/ledger"
)

// recentLife is how long an id must not be made again.
const recentLife = 2 * time.Minute

// recentIDs are the ids of transactions made lately: the same operation asked
// for twice on purpose must not give the same transaction. Two generations of
// them are held, so that forgetting the old ones costs nothing.
type recentIDs struct {
	mu         sync.Mutex
	young, old map[ledger.TransactionID]struct{}
	since      time.Time // when young began
}

// take notes id; false when it was made before.
func (r *recentIDs) take(id ledger.TransactionID, now time.Time) bool {
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
