package vault

import (
	"slices"
	"sync"
	"time"

	"billfold/ledger"
)

// ownershipCache is what was found for the accounts on the list.
type ownershipCache struct {
	mu    sync.RWMutex
	known map[ledger.AccountID]Ownership
	next  int // where in the list the next look begins, when it is too long for one
}

func (c *ownershipCache) get(id ledger.AccountID) Ownership {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.known[id]
}

// put notes what was found; it reports whether that is news.
func (c *ownershipCache) put(found map[ledger.AccountID]Ownership) (changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[ledger.AccountID]Ownership{}
	}
	for id, o := range found {
		changed = changed || c.known[id] != o
		c.known[id] = o
	}
	return changed
}

// mostJudged is how many accounts one look reads: those that get_accounts gives
// in one answer. Longer lists are checked in turn, block by block.
const mostJudged = 100

// turn returns the accounts to check now: those never checked come first.
func (c *ownershipCache) turn(all []ledger.AccountID) []ledger.AccountID {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(all) <= mostJudged {
		return all
	}
	var out []ledger.AccountID
	for _, id := range all {
		if len(out) < mostJudged && c.known[id] == OwnershipUnknown {
			out = append(out, id)
		}
	}
	for i := 0; len(out) < mostJudged && i < len(all); i++ {
		if id := all[(c.next+i)%len(all)]; !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	c.next = (c.next + mostJudged) % len(all)
	return out
}

// ownershipTime bounds one look at the authorities; the next block looks again.
const ownershipTime = 10 * time.Second
