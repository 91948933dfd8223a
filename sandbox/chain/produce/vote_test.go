package produce

import (
	"billfold/sandbox/chain/state"
	"fmt"
	"testing"
)

func TestStakeDecidesHowManyMinersAreActive(t *testing.T) {
	for _, c := range []struct {
		sizes []uint64 // stake that wants 0, 2, 4 … miners
		total uint64
		want  int
	}{
		{[]uint64{10, 0, 0}, 10, 1},
		{[]uint64{0, 5, 5}, 10, 5},
		{[]uint64{0, 6, 4}, 10, 3},
		{[]uint64{90, 1, 1, 8}, 100, 7},
		{[]uint64{99, 1}, 100, 1}, // half of one unit is nothing
	} {
		if got := (&voteCount{sizes: c.sizes, total: c.total}).activeCount(); got != c.want {
			t.Errorf("%v of %d: %d miners, want %d", c.sizes, c.total, got, c.want)
		}
	}
}

func TestAuthorityOfTheMinersKeepsTheirProportions(t *testing.T) {
	votes := &voteCount{votes: []uint64{1 << 40, 1 << 39, 5, 0}}
	miners := []*state.Miner{{MinerAccount: 30}, {MinerAccount: 20, VoteID: 1 << 8}, {MinerAccount: 10, VoteID: 2 << 8},
		{MinerAccount: 40, VoteID: 3 << 8}}
	auth, ok := minersAuthority(miners, votes)
	want := "[{{} 1.2.10 1} {{} 1.2.20 16384} {{} 1.2.30 32768}]"
	if got := fmt.Sprint(auth.AccountAuths); !ok || got != want || auth.WeightThreshold != 24577 {
		t.Errorf("the authority is %s, %d", got, auth.WeightThreshold)
	}
	if _, ok := minersAuthority(miners[3:], votes); ok {
		t.Error("miners without votes have an authority")
	}
}
