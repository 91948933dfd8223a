package vault

import (
	"testing"

	"billfold/keystore"
	"billfold/ledger"
)

// Of a long list each account has its turn, new ones at once, and a turn takes no more memory however long the list is.
func TestTurnsOfALongList(t *testing.T) { // not in parallel: the allocations of all are counted
	listOf := func(n int) []keystore.Account {
		list := make([]keystore.Account, n)
		for i := range list {
			list[i].ID = ledger.AccountID(i)
		}
		return list
	}
	c, list, seen := ownershipCache{}, listOf(450), map[ledger.AccountID]bool{}
	check := func() {
		found := map[ledger.AccountID]Ownership{}
		for _, id := range c.nextTurn(list) {
			seen[id], found[id] = true, OwnershipFull
		}
		c.put(found)
	}
	for range 5 {
		check()
	}
	if len(seen) != len(list) {
		t.Errorf("five turns checked %d of %d", len(seen), len(list))
	}
	list = listOf(460)
	if check(); len(seen) != len(list) {
		t.Errorf("new accounts wait: %d of %d are checked", len(seen), len(list))
	}
	c.nextTurn(list)
	list = listOf(461)
	c.nextTurn(list)
	c.retryFresh()
	if check(); len(seen) != len(list) {
		t.Error("an account whose check failed is not checked again at once")
	}
	if few, many := turnCost(listOf(200)), turnCost(listOf(20_000)); many > few+10 {
		t.Errorf("a turn makes %v allocations of 200 and %v of 20,000", few, many)
	}
}

func turnCost(list []keystore.Account) float64 {
	var c ownershipCache
	c.nextTurn(list)
	return testing.AllocsPerRun(50, func() { c.nextTurn(list) })
}
