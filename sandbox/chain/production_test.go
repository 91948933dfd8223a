package chain_test

import (
	"fmt"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/genesis"
	"billfold/sandbox/chain/produce"
	"billfold/sandbox/chain/state"
)

// advance makes a block of that time the head, as number num of the chain.
func advance(s *state.State, num uint32, at ledger.Time) {
	b := &ledger.Block{}
	b.Timestamp, b.Miner = at, s.Global().ActiveMiners[0]
	produce.Advance(evaluate.NewEngine(s, evaluate.NewRules()), b, num)
}

func TestNewAssetFollowsTheSteps(t *testing.T) {
	for num, want := range map[uint32]int64{0: 0, 99999: 0, 100000: 37000000, 31653280: 18500000, 63206560: 9250000, 94777120: 4625000,
		126330400: 0} {
		if got := produce.NewAssetAt(num); got != want {
			t.Errorf("block %d makes %d, want %d", num, got, want)
		}
	}
	// The maintenance plans what is made until the next one.
	const head, interval, next = 99989, 2, 20
	s := begun(t, func(g *genesis.Genesis) {
		p := &g.InitialParameters
		p.BlockInterval, p.MaintenanceInterval = interval, interval*(next+uint32(p.MaintenanceSkipSlots))
	})
	for range head - 1 {
		s.Blocks.Append(&ledger.Block{})
	}
	at := s.HeadTime() + interval
	s.ChangeDynamic(func(d *ledger.DynamicGlobalProperties) { d.HeadBlockNumber, d.NextMaintenanceTime = head-1, at })
	advance(s, head, at)
	if got := s.Dynamic().MinerBudgetFromRewards; got != 10*37000000 {
		t.Errorf("the next %d blocks make %d", next, got)
	}
}

func TestMissedSlotsAreNoted(t *testing.T) {
	// after is the ledger after a block that comes so many slots late.
	after := func(missed uint64, change func(*ledger.DynamicGlobalProperties)) *ledger.DynamicGlobalProperties {
		t.Helper()
		s := begun(t, func(g *genesis.Genesis) { g.InitialTimestamp, g.InitialParameters.BlockInterval = 1, 1 })
		s.Blocks.Append(&ledger.Block{})
		s.ChangeDynamic(func(d *ledger.DynamicGlobalProperties) {
			d.HeadBlockNumber, d.NextMaintenanceTime = 1, 1<<32-1
			change(d)
		})
		advance(s, 2, s.HeadTime()+1+ledger.Time(missed))
		return s.Dynamic()
	}
	for _, c := range []struct {
		old    string
		missed uint64
		want   string
	}{
		{"0", 0, "1"}, {"1", 0, "3"}, {"1", 2, "12"}, {"5", 128, "0"},
		{"340282366920938463463374607431768211455", 1, "340282366920938463463374607431768211454"},
	} {
		d := after(c.missed, func(d *ledger.DynamicGlobalProperties) { d.RecentSlotsFilled = c.old })
		if got := d.RecentSlotsFilled; got != c.want {
			t.Errorf("%s and %d missed: %s, want %s", c.old, c.missed, got, c.want)
		}
	}
	for _, c := range []struct {
		old    uint32
		missed uint64
		want   uint32
	}{{7, 0, 4}, {4, 0, 3}, {1, 0, 0}, {0, 0, 0}, {3, 2, 11}, {5, 1 << 31, 1<<32 - 1}} {
		d := after(c.missed, func(d *ledger.DynamicGlobalProperties) { d.RecentlyMissedCount = c.old })
		if got := d.RecentlyMissedCount; got != c.want {
			t.Errorf("%d and %d missed: %d, want %d", c.old, c.missed, got, c.want)
		}
	}
}

// election is a ledger before its first maintenance, on which nobody holds anything yet.
func election(t *testing.T, candidates ...string) *state.State {
	t.Helper()
	s := begun(t, func(g *genesis.Genesis) {
		g.Immutable.MinMinerCount, g.InitialBalances = 1, nil
		if len(candidates) > 0 {
			g.MinerCandidates, g.ActiveMiners = nil, 1
			for _, name := range candidates {
				g.MinerCandidates = append(g.MinerCandidates, genesis.Miner{OwnerName: name})
			}
		}
	})
	s.Balances.Adjust(ledger.NullAccount, ledger.CoreAsset, -s.Balances.Of(ledger.NullAccount, ledger.CoreAsset))
	return s
}

// voter makes an account that wants so many miners with a stake, some by name.
func voter(s *state.State, stake int64, miners uint16, votes ...ledger.VoteID) {
	options := ledger.NewAccountOptions(ledger.PublicKey{})
	options.NumMiner, options.Votes = miners, votes
	id := s.Accounts.Add(ledger.Account{Name: fmt.Sprintf("voter-%d", s.Accounts.Count()), Options: options})
	s.Balances.Adjust(id, ledger.CoreAsset, stake)
}

func TestStakeDecidesHowManyMinersAreActive(t *testing.T) {
	for _, c := range []struct {
		stakes []int64 // that want 0, 2, 4 … miners
		want   int
	}{
		{[]int64{10, 0, 0}, 1},
		{[]int64{0, 5, 5}, 5},
		{[]int64{0, 6, 4}, 3},
		{[]int64{90, 1, 1, 8}, 7},
		{[]int64{99, 1}, 1}, // half of one unit is nothing
	} {
		s := election(t)
		for n, stake := range c.stakes {
			voter(s, stake, uint16(2*n))
		}
		advance(s, 1, s.HeadTime()+2)
		if got := len(s.Global().ActiveMiners); got != c.want {
			t.Errorf("%v: %d miners, want %d", c.stakes, got, c.want)
		}
	}
}

func TestAuthorityOfTheMinersKeepsTheirProportions(t *testing.T) {
	s := election(t, "init6", "init5", "init4", "init7")
	ids := map[string]ledger.AccountID{}
	for n, stake := range []int64{1 << 40, 1 << 39, 5, 0} { // by the number of the vote
		voter(s, stake, 4, ledger.VoteID(n<<8))
		name := []string{"init6", "init5", "init4", "init7"}[n]
		ids[name] = s.Accounts.ByName(name).ID
	}
	advance(s, 1, s.HeadTime()+2)
	auth := s.Accounts.Get(ledger.MinerAccount).Active
	want := fmt.Sprintf("[{{} %s 1} {{} %s 16384} {{} %s 32768}]", ids["init4"], ids["init5"], ids["init6"])
	if got := fmt.Sprint(auth.AccountAuths); got != want || auth.WeightThreshold != 24577 || len(s.Global().ActiveMiners) != 4 {
		t.Errorf("the authority is %s, %d, of %d miners", got, auth.WeightThreshold, len(s.Global().ActiveMiners))
	}
	s = election(t, "init6", "init5")
	voter(s, 1<<40, 2)
	elected := ledger.Authority{WeightThreshold: 7}
	s.Accounts.Change(ledger.MinerAccount, func(a *ledger.Account) { a.Active = elected })
	if advance(s, 1, s.HeadTime()+2); s.Accounts.Get(ledger.MinerAccount).Active.WeightThreshold != elected.WeightThreshold {
		t.Error("miners without votes have an authority")
	}
}
