package ledgerview

import (
	"testing"
	"time"

	"billfold/ledger"
)

func TestFactsAreReadAnewWithEachBlock(t *testing.T) {
	now := time.Now()
	cache := &blockCache{now: func() time.Time { return now }}
	kept := cache.current()
	bobby := &ledger.Account{Name: "bobby"}
	kept.accounts.put(bobby, "bobby", "1.2.7")
	if again := cache.current(); again != kept || again.accounts.get("bobby") != bobby || again.accounts.get("1.2.7") != bobby {
		t.Error("an account that was read is not kept until the next block")
	}
	cache.drop()
	next := cache.current()
	if next == kept || next.accounts.get("bobby") != nil {
		t.Error("facts of an earlier block are still used")
	}
	now = now.Add(2 * factsLife)
	if later := cache.current(); later == next {
		t.Error("facts are used without end when no block is announced")
	}
}
