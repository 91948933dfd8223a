package produce

import (
	"billfold/ledger"
	"billfold/sandbox/chain/state"
	"testing"
)

func TestNewAssetFollowsTheSteps(t *testing.T) {
	for num, want := range map[uint32]int64{0: 0, 99999: 0, 100000: 37000000, 31653280: 18500000, 63206560: 9250000, 94777120: 4625000,
		126330400: 0} {
		if got := NewAssetAt(num); got != want {
			t.Errorf("block %d makes %d, want %d", num, got, want)
		}
	}
	s := state.New(state.Origin{})
	s.ChangeDynamic(func(d *ledger.DynamicGlobalProperties) { d.HeadBlockNumber = 99989 })
	if got := miningBudget(s, 20); got != 10*37000000 {
		t.Errorf("the next 20 blocks make %d", got)
	}
}
