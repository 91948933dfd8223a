package chain

import (
	"fmt"
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

func TestMinerIsMadeAndChanged(t *testing.T) {
	b := newBank(t)
	b.by(b.nathan, &ledger.MinerCreateOp{MinerAccount: nathanID, URL: "http://nathan.example", BlockSigningKey: keyOf("block").Public()})
	nathan := []ledger.PrivateKey{b.nathan}
	url := "http://other.example"
	long := string(make([]byte, 127))
	b.refuses(t, []refusal{
		{"twice", nathan, &ledger.MinerCreateOp{MinerAccount: nathanID}, nodeerr.CodeAssert, "insert_result.second"},
		{"long link", nathan, &ledger.MinerUpdateOp{Miner: 12, MinerAccount: nathanID, NewURL: &long}, nodeerr.CodeValidate, ""},
		{"of another", nathan, &ledger.MinerUpdateOp{Miner: 1, MinerAccount: nathanID, NewURL: &url}, nodeerr.CodeAssert, "db().get(op.miner).miner_account == op.miner_account"},
		{"of nobody", nathan, &ledger.MinerUpdateOp{Miner: 99, MinerAccount: nathanID, NewURL: &url}, nodeerr.CodeObjectNotFound, "Object ID: 1.4.99"},
	})
	key := keyOf("next").Public()
	b.by(b.nathan, &ledger.MinerUpdateOp{Miner: 12, MinerAccount: nathanID, NewURL: &url, NewSigningKey: &key})
	b.c.View(func(s *State) {
		if m := s.MinerOf(nathanID); m.ID != 12 || m.VoteID != 11<<8 || m.URL != url || m.SigningKey != key || s.MinerByVote(m.VoteID) != m {
			t.Errorf("the miner is %+v", m)
		}
	})
}

func TestVotesCountAtTheMaintenance(t *testing.T) {
	b := newBank(t)
	alice := b.register("alice", ledger.SingleKeyAuthority(keyOf("alice").Public()))
	b.fund(alice)
	follow := ledger.NewAccountOptions(keyOf("alice").Public())
	follow.VotingAccount = nathanID
	b.by(keyOf("alice"), &ledger.AccountUpdateOp{Account: alice, NewOptions: &follow})
	b.by(b.nathan, votingFor(b.nathan.Public(), 3, 7))
	b.mine()
	b.c.View(func(s *State) {
		actual := s.ActualVotes()
		if actual[0].AccountName != "init3" || actual[1].AccountName != "init7" || s.Miner(4).TotalVotes != 0 {
			t.Errorf("before the maintenance the votes are %v and %d", actual[:2], s.Miner(4).TotalVotes)
		}
	})
	block := b.maintenance()
	b.c.View(func(s *State) {
		nathan, lent := s.Balance(nathanID, 0), s.Balance(alice, 0)
		m := s.Miner(4)
		want := fmt.Sprint([]VoteGained{{Account: alice, Votes: uint64(lent)}, {Account: nathanID, Votes: uint64(nathan)}})
		if m.TotalVotes != uint64(nathan+lent) || m.VoteRanking != 0 || fmt.Sprint(m.VotesGained) != want || s.Miner(1).VoteRanking != 2 {
			t.Errorf("the miner is %+v", m)
		}
		if st := s.Statistics(ledger.AccountStatisticsID(alice)); st.VotingStake != lent || len(st.Votes) != 2 {
			t.Errorf("alice's statistics are %+v", st)
		}
		if auth := s.Account(0).Active; !slices.Equal(membersOf(&auth), []ledger.AccountID{7, 11}) || auth.WeightThreshold <= uint32(auth.AccountAuths[0].Weight) {
			t.Errorf("1.2.0 acts by %+v", auth)
		}
		if d := s.Dynamic(); d.NextMaintenanceTime != block.Timestamp+86400 || d.DynamicFlags != maintenanceFlag || d.AccountsRegisteredThisInterval != 0 {
			t.Errorf("after the maintenance: %+v", d)
		}
	})
	b.mine()
	b.c.View(func(s *State) {
		if s.Dynamic().DynamicFlags != 0 {
			t.Error("the flag of the maintenance stays")
		}
	})
}

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
		if got := (&tally{sizes: c.sizes, total: c.total}).activeCount(); got != c.want {
			t.Errorf("%v of %d: %d miners, want %d", c.sizes, c.total, got, c.want)
		}
	}
}

func TestAuthorityOfTheMinersKeepsTheirProportions(t *testing.T) {
	votes := &tally{votes: []uint64{1 << 40, 1 << 39, 5, 0}}
	miners := []*Miner{{MinerAccount: 30}, {MinerAccount: 20, VoteID: 1 << 8}, {MinerAccount: 10, VoteID: 2 << 8}, {MinerAccount: 40, VoteID: 3 << 8}}
	auth, ok := minersAuthority(miners, votes)
	want := "[{{} 1.2.10 1} {{} 1.2.20 16384} {{} 1.2.30 32768}]"
	if got := fmt.Sprint(auth.AccountAuths); !ok || got != want || auth.WeightThreshold != 24577 {
		t.Errorf("the authority is %s, %d", got, auth.WeightThreshold)
	}
	if _, ok := minersAuthority(miners[3:], votes); ok {
		t.Error("miners without votes have an authority")
	}
}

func TestParametersChangeByProposalAtTheMaintenance(t *testing.T) {
	b := newBank(t)
	b.elect()
	op := &ledger.MinerUpdateGlobalParametersOp{}
	b.c.View(func(s *State) { op.NewParameters = s.Global().Parameters })
	op.NewParameters.MaintenanceInterval = 3600
	review := uint32(1209600)
	id := b.propose(1209700, &review, op)
	b.must(b.push([]ledger.PrivateKey{b.nathan, b.init}, approve(nathanID, id, init0ID, init1ID)))
	b.mineAt(b.proposalOf(id).ExpirationTime)
	b.c.View(func(s *State) {
		if g := s.Global(); g.PendingParameters == nil || g.Parameters.MaintenanceInterval != 86400 {
			t.Fatalf("the parameters are %+v, and to come %+v", g.Parameters.MaintenanceInterval, g.PendingParameters)
		}
	})
	block := b.maintenance()
	b.c.View(func(s *State) {
		if g := s.Global(); g.PendingParameters != nil || g.Parameters.MaintenanceInterval != 3600 || s.Dynamic().NextMaintenanceTime != block.Timestamp+3600 {
			t.Errorf("after the maintenance: %+v", g.Parameters.MaintenanceInterval)
		}
	})
}

func TestParametersOutOfBoundsAreRefused(t *testing.T) {
	b := newBank(t)
	var good ledger.ChainParameters
	b.c.View(func(s *State) { good = s.Global().Parameters })
	for name, edit := range map[string]func(*ledger.ChainParameters){
		"no interval":      func(p *ledger.ChainParameters) { p.BlockInterval = 0 },
		"long interval":    func(p *ledger.ChainParameters) { p.BlockInterval = 31 },
		"short rounds":     func(p *ledger.ChainParameters) { p.MaintenanceInterval = 2 },
		"uneven rounds":    func(p *ledger.ChainParameters) { p.MaintenanceInterval = 86401 },
		"tiny blocks":      func(p *ledger.ChainParameters) { p.MaximumBlockSize = 5119 },
		"tiny payments":    func(p *ledger.ChainParameters) { p.MaximumTransactionSize = 1023 },
		"no time":          func(p *ledger.ChainParameters) { p.MaximumTimeUntilExpiration = 2 },
		"no time to agree": func(p *ledger.ChainParameters) { p.MaximumProposalLifetime = p.MinerProposalReviewPeriod + 2 },
	} {
		p := good
		edit(&p)
		if validateParameters(&ledger.MinerUpdateGlobalParametersOp{NewParameters: p}) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if fault := validateParameters(&ledger.MinerUpdateGlobalParametersOp{NewParameters: good}); fault != nil {
		t.Error(fault)
	}
}

// The fees of one interval are paid to the miners of the next, block by block,
// and lie there for a day.
func TestFeesBecomeTheMinersPay(t *testing.T) {
	b := newBank(t)
	op := pay(nathanID, init0ID, 1)
	op.Fee.Amount = 43200 * 1000
	b.by(b.nathan, op)
	b.mine()
	block := b.maintenance()
	b.c.View(func(s *State) {
		d, core := s.Dynamic(), s.AssetData(0)
		if d.MinerBudgetFromFees != 43200*1000 || d.UnspentFeeBudget != d.MinerBudgetFromFees || core.AssetPool != 0 || core.CurrentSupply != initialSupply-43200*1000 {
			t.Errorf("the budget is %+v, the core asset %+v", d, core)
		}
		if info, fault := s.TimeToMaintenance(block.Timestamp + 400); fault != nil || info != (MaintenanceInfo{86000, 43200 * 1000, 2}) {
			t.Errorf("the maintenance comes in %+v (%v)", info, fault)
		}
		if _, fault := s.TimeToMaintenance(d.NextMaintenanceTime); fault == nil {
			t.Error("a budget that is not made yet is known")
		}
		if r, ok := s.Object(ledger.NewObjectID(2, typeBudgetRecord, 1)).(*BudgetRecord); !ok || r.Record.TimeSinceLastBudget == 0 || r.Record.RealSupply != s.RealSupply() {
			t.Errorf("the record is %+v", r)
		}
	})
	made := b.mine()
	miner := made.Miner
	for made = b.mine(); made.Miner != miner; made = b.mine() {
	}
	if made.MinerReward != 1000 {
		t.Errorf("the block shows a reward of %d", made.MinerReward)
	}
	b.c.View(func(s *State) {
		m := s.Miner(miner)
		v := s.VestingBalance(*m.PayVB)
		if v.Owner != m.MinerAccount || v.Balance != amount(2000, 0) || v.free(s.HeadTime()) != 0 || v.free(s.HeadTime()+2*86400) != 2000 {
			t.Errorf("the pay is %+v", v)
		}
	})
}

func TestNewAssetFollowsTheSteps(t *testing.T) {
	s := newState()
	for num, want := range map[uint32]int64{0: 0, 99999: 0, 100000: 37000000, 31653280: 18500000, 63206560: 9250000, 94777120: 4625000, 126330400: 0} {
		if got := s.NewAssetAt(num); got != want {
			t.Errorf("block %d makes %d, want %d", num, got, want)
		}
	}
	s.dynamic = &ledger.DynamicGlobalProperties{HeadBlockNumber: 99989}
	if got := s.miningBudget(20); got != 10*37000000 {
		t.Errorf("the next 20 blocks make %d", got)
	}
}

func TestMissedSlotsAreNoted(t *testing.T) {
	for _, c := range []struct {
		old    string
		missed uint64
		want   string
	}{
		{"0", 0, "1"}, {"1", 0, "3"}, {"1", 2, "12"}, {"5", 128, "0"},
		{"340282366920938463463374607431768211455", 1, "340282366920938463463374607431768211454"},
	} {
		if got := slotsFilled(c.old, c.missed); got != c.want {
			t.Errorf("%s and %d missed: %s, want %s", c.old, c.missed, got, c.want)
		}
	}
	for _, c := range []struct {
		old    uint32
		missed uint64
		want   uint32
	}{{7, 0, 4}, {4, 0, 3}, {1, 0, 0}, {0, 0, 0}, {3, 2, 11}, {5, 1 << 40, 1<<32 - 1}} {
		if got := missedCount(c.old, c.missed, false); got != c.want {
			t.Errorf("%d and %d missed: %d, want %d", c.old, c.missed, got, c.want)
		}
	}
}
