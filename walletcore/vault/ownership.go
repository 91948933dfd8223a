package vault

import (
	"slices"
	"sync"
	"time"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// Ownership is the power of this wallet's keys over an account, according to the account's authorities on the ledger.
// Under which account a key was filed does not matter.
type Ownership int

// What the wallet's keys may do for an account.
const (
	OwnershipUnknown Ownership = iota // the authorities have not been read yet
	OwnershipWatch                    // no key of the wallet counts
	OwnershipPartial                  // some count, but others have to sign as well
	OwnershipFull                     // they satisfy the active authority, nested accounts included
	OwnershipMissing                  // the ledger has no such account: it was reset, or the wallet is of another one
)

// String returns the ownership in words.
func (o Ownership) String() string {
	switch o {
	case OwnershipWatch:
		return "watch only"
	case OwnershipPartial:
		return "signs together with others"
	case OwnershipFull:
		return "can sign"
	case OwnershipMissing:
		return "not on this ledger"
	case OwnershipUnknown:
	}
	return "not checked yet"
}

// OwnAccount is an account on this wallet's list.
type OwnAccount struct {
	ledgerview.AccountRef
	Ownership Ownership // as of the latest block checked in this run
}

// CanSign reports whether the wallet's keys alone may act for the account.
func (a OwnAccount) CanSign() bool { return a.Ownership == OwnershipFull }

// ownershipCache holds what was found for the accounts on the list.
type ownershipCache struct {
	mu    sync.RWMutex
	known map[ledger.AccountID]Ownership
	next  int // index in the list where the next check starts, if it is too long for one

	listed []keystore.Account // the list that fresh is of
	fresh  []ledger.AccountID // those never checked that have not had their turn
}

func (c *ownershipCache) get(id ledger.AccountID) Ownership {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.known[id]
}

// put records what was found and reports whether that changed anything.
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

// maxJudged is the maximum number of accounts that one check reads: as many as get_accounts returns in one answer.
// Longer lists are checked in turn, block by block.
const maxJudged = 100

// nextTurn returns the accounts to check now; those never checked come first. all is the key file's own slice, a new one
// whenever the file has changed.
func (c *ownershipCache) nextTurn(all []keystore.Account) (ids []ledger.AccountID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(all) <= maxJudged {
		for _, a := range all {
			ids = append(ids, a.ID)
		}
		return ids
	}
	if len(c.listed) != len(all) || &c.listed[0] != &all[0] {
		c.listed, c.fresh = all, nil
		for _, a := range all {
			if c.known[a.ID] == OwnershipUnknown {
				c.fresh = append(c.fresh, a.ID)
			}
		}
	}
	n := min(maxJudged, len(c.fresh))
	ids, c.fresh = slices.Clone(c.fresh[:n]), c.fresh[n:]
	for range maxJudged - n {
		ids = append(ids, all[c.next%len(all)].ID)
		c.next = (c.next + 1) % len(all)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// retryFresh puts the accounts that were never checked first again, because the last turn failed.
func (c *ownershipCache) retryFresh() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listed = nil
}

// ownershipTime limits one check of the authorities; the next block tries again.
const ownershipTime = 10 * time.Second
