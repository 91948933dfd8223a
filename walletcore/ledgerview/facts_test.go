package ledgerview

import (
	"testing"
	"time"

	"billfold/ledger"
)

func TestFactsAreReadAnewWithEachBlock(t *testing.T) {
	now := time.Now()
	epoch := uint64(1)
	cache := &blockCache{now: func() time.Time { return now }, epoch: func() uint64 { return epoch }}
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
	epoch++
	moved := cache.current()
	if moved == next {
		t.Error("facts of an earlier block are used until somebody drops them")
	}
	next = moved
	now = now.Add(2 * factsLife)
	if later := cache.current(); later == next {
		t.Error("facts are used without end when no block is announced")
	}
}
